#!/usr/bin/env bash
# Tests the marks of good, slow, wrong and cheating sketches for each exercise of each lesson.
source "$(dirname "$0")/_cli.sh"
sketches=$2/assets/sketches
source "$2/tests/app/cli/_sketch.sh"
source "$2/tests/app/cli/_lesson.sh"

for lesson in $(sed -n 's/^\([a-z_]*\) .*/\1/p' "$data/marks.txt" | sort -u); do
  [ "$lesson" = first_kernel ] && continue  # cli_grade.sh has it.
  if grep -q "^$lesson .*\.cpp " "$data/marks.txt"; then needed=$twins; else needed=$kernels; fi
  [ "$needed" = 1 ] && grade_class "$lesson"
done
# Each exercise of the lessons has good, slow, wrong and cheating submissions.
for folder in "$lessons"/*/; do
  lesson=$(basename "$folder" | sed 's/^[0-9]*_//')
  while read -r file; do
    exercise=$(sed -n 's|^// sketch: \([a-z0-9_]*\).*|\1|p' "$folder/$file")
    for kind in SOLUTION slow wrong cheat; do
      grep -q "^$lesson $exercise $kind" "$data/marks.txt" || fail "marks.txt has no $kind for $lesson $exercise"
    done
  done < <(sed -n '/^```sketch/,/^```$/s/^file: //p' "$folder"/*.md)
done

finish
