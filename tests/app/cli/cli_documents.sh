#!/usr/bin/env bash
# Runs the commands of the section "Item by item" of docs/DOCUMENTS.md, and looks for the value beside each of them in
# what it prints. A row is: | item | what it is | `threadscape ...` | `value` |. Commands share a folder, in their order.
# Every item of the documents has to have a row.
source "$(dirname "$0")/_cli.sh"

page=$2/docs/DOCUMENTS.md
ln -s "$2/docs" docs
ln -s "$2/assets" assets
section() { sed -n '/^## Item by item/,/^## The criterion/p' "$page"; }
gl=1
"$threadscape" info --json | python3 -c 'import json, sys; sys.exit(not json.load(sys.stdin)["gl"]["available"])' || gl=0
rows=0
while IFS='|' read -r _ item _ command value _; do
  command=$(sed -E 's/^ *`threadscape (.*)` *$/\1/' <<< "$command")
  value=$(sed -E 's/^ *`(.*)` *$/\1/' <<< "$value")
  # Without OpenGL, nothing is drawn, and nothing is compared with what is.
  [ "$gl" = 0 ] && [[ $command == *drawn_* ]] && continue
  read -ra arguments <<< "$command"
  code=0
  "$threadscape" "${arguments[@]}" > out 2>&1 || code=$?
  without_progress out
  # `compare` ends with 1 where two files differ, which some rows state.
  [ "$code" = 0 ] || [ "${arguments[0]} $code" = "compare 1" ] || fail "item$item: exit code $code: $command"
  [ -n "$value" ] && grep -qF -- "$value" out || fail "item$item: '$value' is not what $command prints: $(head -c 600 out)"
  rows=$((rows + 1))
done < <(section | grep -E '^\|[^|]*\|[^|]*\| `threadscape ')

[ "$rows" -ge 150 ] || fail "$rows rows were found in $page"

section > section.md
python3 - section.md <<'PY' || fail "items without a row"
import re, sys

def numbered(kind, *parts):
    return {(kind, f"{chapter}{number}") for chapter, count in parts for number in range(1, count + 1)}

WANTED = {
    "000": numbered("figure", ("", 17)) | numbered("fragment", ("", 27)) | numbered("equation", ("", 31))
           | numbered("table", ("", 7)) | numbered("graph", ("", 10)),
    "001": numbered("figure", ("1.", 2), ("2.", 6), ("3.", 2), ("4.", 3)) | numbered("equation", ("2.", 6), ("4.", 1))
           | numbered("listing", ("3.", 12)) | numbered("table", ("4.", 1)),
    "002": numbered("figure", ("1.", 25), ("2.", 3), ("3.", 3), ("4.", 8), ("A.", 1))
           | numbered("listing", ("2.", 3), ("3.", 3), ("4.", 14), ("B.", 1)) | numbered("table", ("2.", 1), ("4.", 3))
           | numbered("definition", ("1.", 3), ("2.", 5), ("4.", 3)) | numbered("equation", ("1.", 2), ("4.", 1), ("A.", 3)),
    "004": numbered("figure", ("", 12)) | numbered("equation", ("", 4)) | numbered("graph", ("", 9)) | numbered("table", ("", 3)),
}

def items_of(text):
    """Figures 1 to 4, fragment 7 -> the kind and the number of each."""
    kind, previous, to = "", None, False
    for word in re.findall(r"[A-Za-z]\.\d+|[A-Za-z]+|[\d.]*\d", text):
        if re.fullmatch(r"(?:[A-Z]\.)?[\d.]+", word):
            head, last = word.rpartition(".")[0], int(word.rpartition(".")[2])
            for number in range(previous + 1 if to else last, last + 1):
                yield kind, f"{head}.{number}" if head else str(number)
            previous, to = last, False
        elif word == "to":
            to = True
        elif word != "and":
            kind = word.lower().removesuffix("s")

found, document = {}, ""
for line in open(sys.argv[1]):
    if line.startswith("### "):
        document = line.split()[1]
    elif line.startswith("| ") and document:
        found.setdefault(document, set()).update(items_of(line.split("|")[1]))
missing = [f"{document}: {kind} {number}" for document, wanted in WANTED.items()
           for kind, number in sorted(wanted - found.get(document, set()))]
print("\n".join(missing))
sys.exit(1 if missing else 0)
PY
finish
