# Functions for the scripts that write tables into pages. A table stands between `<!-- table NAME -->` and
# `<!-- end of table -->`; all other text of a page is written by hand.
import re
import sys


def markdown(rows, name="table"):
    """Rows of cells as a table of Markdown. The first row is the head."""
    head, *rows = [list(row) for row in rows]
    lines = [head, ["---"] * len(head), *rows]
    for row in lines:
        if len(row) != len(head):
            sys.exit(f"{name}: a row has {len(row)} cells, the head has {len(head)}: {row}")
    return "".join("|" + "|".join("---" if cell == "---" else f" {cell} " if cell else " " for cell in row) + "|\n"
                   for row in lines)


def renew(page, tables, check, tool):
    """Writes `tables`, texts by their names, into a page; with `check`, exits if the page has other ones. Exits as well
    if the page lacks a table, or has one that is not in `tables`."""
    text, names = page.read_text(), []

    def table(match):
        names.append(match[1])
        if match[1] not in tables:
            sys.exit(f"{tool}: {page} has a table '{match[1]}', which this script does not make")
        return f"<!-- table {match[1]} -->\n{tables[match[1]]}<!-- end of table -->"
    made = re.sub(r"<!-- table ([\w ]+) -->\n.*?<!-- end of table -->", table, text, flags=re.S)
    if sorted(names) != sorted(tables):
        sys.exit(f"{tool}: {page} has the tables {sorted(names)}, this script makes {sorted(tables)}")
    if not check:
        page.write_text(made)
    elif made != text:
        for old, new in zip(text.splitlines(), made.splitlines()):
            if old != new:
                print(f"{tool}: {page} has\n  {old}\ninstead of\n  {new}", file=sys.stderr)
                break
        sys.exit(f"{tool}: run scripts/{tool}")
    else:
        print(f"{tool}: {page.name} is up to date")
