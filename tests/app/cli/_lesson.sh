# What the tests of marks have in common, which source this file behind _sketch.sh.
data=$2/tests/data/lessons
lessons=$2/assets/lessons

# grade_class LESSON grades the submissions in tests/data/lessons for a lesson in one call, and compares their marks with those in
# marks.txt. The submissions are in class/LESSON afterwards, and what grade prints in LESSON.txt.
grade_class() {
  local lesson=$1 list=() of exercise file points possible from to
  mkdir -p "class/$lesson"
  while read -r of exercise file points possible; do
    [ "$of" = "$lesson" ] || continue
    from=$data/$exercise/$file
    [ "$file" = SOLUTION ] && from=$(echo "$lessons"/*_"$lesson/${exercise}_solution".*)
    to=class/$lesson/$exercise-$file-$points-$possible.${from##*.}
    cp "$from" "$to"
    list+=("$to")
  done < "$data/marks.txt"
  expect 1 grade "$lesson" "${list[@]}" --json "$lesson.json" --junit "$lesson.xml"
  cp out "$lesson.txt"
  python3 - "$lesson.json" "$lesson.xml" <<'PY' || fail "the marks of $lesson are others"
import json, sys, xml.etree.ElementTree as tree
submissions = json.load(open(sys.argv[1]))["submissions"]
suites = tree.parse(sys.argv[2]).getroot().findall("testsuite")
wrong = 0
for one, suite in zip(submissions, suites, strict=True):
    expected = [int(n) for n in one["name"].rsplit(".", 1)[0].split("-")[-2:]]
    got = [one["points"], one["possible"]]
    failures = len(suite.findall("testcase/failure"))
    if got != expected or one["possible"] - one["points"] != failures:
        wrong += 1
        print(one["name"], got, [mark for e in one["exercises"] for mark in e["marks"]], failures)
sys.exit(wrong > 0)
PY
}
