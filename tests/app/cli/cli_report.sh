#!/usr/bin/env bash
# Tests `report`: HTML and PDF of measurements and pictures.
source "$(dirname "$0")/_cli.sh"

expect 0 bench sobel --sizes 32,64 --backends serial,openmp --threads 1 --reps 6 --min-time 0 "${little_memory[@]}" -q \
  --json bench.json
printf 'P5 6 4 255\n%024d' 0 > photo.pgm

expect 0 report bench.json photo.pgm -o report.html
[ -s out ] && fail "report prints what nobody asked for"
python3 - report.html <<'PY' || fail "report.html is not the page that was wanted"
import sys
from html.parser import HTMLParser
class Page(HTMLParser):
    open, headings, pictures, rows, links = [], [], 0, 0, 0
    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag not in ("meta", "img", "br") and tag not in ("line", "rect", "circle", "polyline", "polygon"):
            self.open.append(tag)
        self.pictures += tag == "img" and values["src"].startswith("data:image/png;base64,") and bool(values["alt"])
        self.rows += tag == "tr"
        self.links += tag in ("script", "link", "iframe")
    def handle_endtag(self, tag):
        if tag in ("line", "rect", "circle", "polyline", "polygon"):
            return
        assert self.open.pop() == tag, tag
    def handle_data(self, data):
        if self.open and self.open[-1] in ("h1", "h2"):
            self.headings.append(data)
page = Page()
page.feed(open(sys.argv[1]).read())
assert not page.open and page.pictures == 1 and page.links == 0 and page.rows > 8
assert page.headings == ["Report: sobel", "Pictures", "Plots", "What limits it", "Measurements", "Machine", "To repeat it"], page.headings
PY
grep -q "threadscape bench sobel --sizes 32x32,64x64 --backends serial,openmp --threads 1" report.html ||
  fail "the command is not in the report"
expect 0 report bench.json photo.pgm -o report.pdf --title "A title"
head -c 8 report.pdf | grep -q "%PDF-1.4" || fail "report.pdf is no PDF"
grep -aq "/Title (A title)" report.pdf || fail "report.pdf has another title"
expect 0 report bench.json bench.json -o two.html
grep -q ">after/before<" two.html || fail "two reports are not compared"

refuses 2 "a .html or .pdf file is wanted" report bench.json -o report.txt
refuses 2 "session" report evening.threadscape.json -o report.html
refuses 3 "gone.json" report gone.json -o gone.html
refuses 3 "gone.png" report gone.png -o gone.html
[ -e gone.html ] && fail "a report of what is not there was written"

# Plots of any report, and of what was measured now, which need no OpenGL as drawings.
expect 0 bench --from bench.json --plot again.svg
contains out "^sobel: Time"
expect 0 bench median --sizes 16 --backends serial --reps 1 --min-time 0 "${little_memory[@]}" --plot now.svg
contains out "^median "
for drawing in again.svg now.svg; do
  python3 -c 'import sys, xml.dom.minidom as m; assert len(m.parse(sys.argv[1]).getElementsByTagName("text")) > 8' "$drawing" ||
    fail "$drawing is not the drawing that was wanted"
done
refuses 2 "a .png or .svg file is wanted" bench sobel --plot a.jpg

finish
