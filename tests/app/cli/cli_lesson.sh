#!/usr/bin/env bash
# Tests `lesson`: a new lesson, what check finds, and the exported page, which needs neither network nor scripts.
source "$(dirname "$0")/_cli.sh"
sketches=$2/assets/sketches
source "$2/tests/app/cli/_sketch.sh"

refuses 2 "lesson does not know 'chek': did you mean check" lesson chek a
refuses 2 "needs the folder of a lesson" lesson check
refuses 2 "needs -o FILE.html" lesson export first_kernel
refuses 2 "neither a folder nor a lesson" lesson check nowhere
mkdir empty
refuses 2 "has no page" lesson check empty
expect 0 lesson list
contains out "^first_kernel +30 min +The first kernel: "

expect 0 lesson new mine
refuses 2 "exists already" lesson new mine
printf '\n```stat\n```\n' >> mine/1_first_page.md
refuses 2 "mine/1_first_page.md:[0-9]+: there is no block 'stat': did you mean state" lesson check mine
# A lesson as one file, and a page as the window shows it.
refuses 2 "a lesson is drawn with --ui" render first_kernel -o page.png
refuses 2 "page 9: the lesson has [0-9]+ pages" render first_kernel --ui --page 9 -o page.png
expect 0 lesson new packed -q
python3 -m zipfile -c packed.lesson packed/ || fail "cannot pack"
rm -r packed
expect 2 lesson check nowhere.lesson
head -c 100 packed.lesson > damaged.lesson
refuses 3 "damaged.lesson.*truncated" lesson check damaged.lesson
[ "$kernels" = 1 ] || finish
expect 0 lesson check packed.lesson
contains out "1 pages, 1 exercises and 1 questions are right"
printf 'P5 64 48 255\n%03072d' 0 > grey.pgm
code=0
"$threadscape" render packed.lesson grey.pgm --ui -o page.png --size 900x600 -q > out 2> err || code=$?
[ "$code" = 0 ] || grep -q OpenGL err || fail "render of a lesson ends with $code: $(cat err)"
[ "$code" != 0 ] || [ -s page.png ] || fail "there is no picture of the page"

# What lesson new has written is right, and mistakes that only a run finds have their place.
rm -r mine
expect 0 lesson new mine -q
expect 0 lesson check mine
contains out "1 pages, 1 exercises and 1 questions are right"
cp mine/solution.cu mine/exercise.cu
refuses 1 "mine/1_first_page.md:[0-9]+: the sketch to begin with, exercise.cu, has all points already" lesson check mine
sed -i 's|  out(x, y) = (sum + 4) / 9;|  out(x, y) = sum / 9;|' mine/solution.cu
expect 1 lesson check mine
contains err "1_first_page.md:[0-9]+: the solution solution.cu fails: equal to mean: differs from mean"
printf '\n```state\nalgorithm: sobl\ncaption: c\n```\n' >> mine/1_first_page.md
expect 1 lesson check mine
contains err "1_first_page.md:[0-9]+: .*sobl.*did you mean sobel"

# The exported page.
for page in with without; do
  option=()
  [ "$page" = without ] && option=(--without-solutions)
  expect 0 lesson export first_kernel -o "$page.html" "${option[@]}"
  [ "$(wc -c < "$page.html")" -lt 2000000 ] || fail "$page.html is not below 2 MB"
  python3 - "$page.html" <<'PY' || fail "$page.html is no page without network"
import html.parser, re, sys
text = open(sys.argv[1], encoding="utf-8").read()
problems = []
empty = {"meta", "img", "br", "rect", "line", "circle", "path", "polyline", "polygon"}
class Page(html.parser.HTMLParser):
    stack, levels, pictures = [], [], 0
    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag in ("script", "link", "iframe", "object"): problems.append(f"has <{tag}>")
        if tag == "img":
            self.pictures += 1
            if not given.get("alt"): problems.append("a picture without alt")
            if not given["src"].startswith("data:image/png;base64,"): problems.append(given["src"][:40])
        for name in ("src", "href"):
            if given.get(name, "data:").startswith(("http:", "//")): problems.append(given[name])
        if re.fullmatch("h[1-6]", tag):
            level = int(tag[1])
            if level > (self.levels[-1] if self.levels else 0) + 1: problems.append(f"{tag} behind h{self.levels[-1]}")
            self.levels.append(level)
        if tag not in empty: self.stack.append(tag)
    def handle_endtag(self, tag):
        if tag in empty: return
        if not self.stack or self.stack.pop() != tag: problems.append(f"</{tag}> closes another element")
page = Page()
page.feed(text)
if page.stack: problems.append(f"{page.stack} are not closed")
if page.pictures < 2 or "<table>" not in text or 'lang="en"' not in text or "<title>" not in text: problems.append("misses parts")
if re.search(r"@import|url\(", text): problems.append("loads a style")
hidden = "without" in sys.argv[1]
for word in ("<details>", "Nine loads for each thread.", "2168 of them home"):
    if (word in text) == hidden: problems.append(f"{word} is {'there' if hidden else 'missing'}")
print(*problems, sep="\n")
sys.exit(bool(problems))
PY
done
expect 0 lesson export coalescing -o coalescing.html
contains coalescing.html '<div role="img" aria-label="[^"]+"><svg'
# Text of a lesson is text, whatever it says.
rm -r mine
expect 0 lesson new mine -q
printf '\nA <script>alert(1)</script> and [a link](javascript:alert(1)) ![](x.png)\n' >> mine/1_first_page.md
refuses 2 "the picture x.png needs a text that says what is seen" lesson export mine -o mine.html
sed -i 's| !\[\](x.png)||' mine/1_first_page.md
expect 0 lesson export mine -o mine.html
grep -q "<script>\|javascript:" mine.html && fail "a lesson can bring scripts"

finish
