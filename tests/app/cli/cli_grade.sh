#!/usr/bin/env bash
# Tests `grade`: what it refuses, says and writes, answers, and folders. cli_lesson_marks.sh has the marks of all lessons.
source "$(dirname "$0")/_cli.sh"
sketches=$2/assets/sketches
source "$2/tests/app/cli/_sketch.sh"
source "$2/tests/app/cli/_lesson.sh"

refuses 2 "neither a folder nor a lesson of the program: did you mean first_kernel" grade first_kernl my.cu
refuses 2 "there is no submission 'my.cu'" grade first_kernel my.cu
refuses 2 "has no exercise 'blu': did you mean blur" grade first_kernel ramp.pgm --exercise blu

[ "$kernels" = 1 ] || finish

grade_class first_kernel

# What has failed is said with its cause, and other words let other inputs be hidden.
contains first_kernel.txt "blur-slow.cu-1-2.cu: 1 of 2 points"
contains first_kernel.txt "blur +FAILED +global load requests per warps at most 9 +16.07: nine pixels are read"
contains first_kernel.txt "compared|differs from mean"
expect 0 grade first_kernel class/first_kernel/blur-SOLUTION-2-2.cu --secret autumn --all
contains out "ok +equal to mean +[0-9]+ results are equal"
[ -s err ] && fail "grade writes to stderr: $(cat err)"

# A folder holds all exercises and the answers.
mkdir anna ben
cp "$lessons"/*_first_kernel/{blur,tall}_solution.cu anna
printf 'threads: 7168\ninside: 2\nreads: 45000\nshape: 16 x 16\n' > anna/answers.txt
cp "$lessons"/*_first_kernel/blur.cu ben/first.cu
cp "$lessons"/*_first_kernel/blur_solution.cu ben/second.cu
printf 'threads: 5000\nnonsense\ninside: Two\n' > ben/answers.txt
ln -s ../anna/tall_solution.cu ben/tall.cu
expect 1 grade first_kernel anna ben --json -
cp out class.json
json class.json '[(s["points"], s["possible"]) for s in j["submissions"]] == [(9, 9), (0, 9)]'
json class.json '"both for this exercise" in j["submissions"][1]["exercises"][0]["marks"][0]["found"]'
json class.json '"is a link" in j["submissions"][1]["exercises"][1]["marks"][0]["found"]'
json class.json 'j["submissions"][1]["answers"][2]["found"] == "no answer"'
expect 0 grade first_kernel anna -q --exercise tall
[ -s out ] && fail "grade --quiet prints"

# A kernel without an end, and one that kills the compiler, cost their own points alone.
sed 's|  out(x, y) = in(x, y);|  for (volatile int i = 0; i < 2; i = 0) {}|' "$lessons"/*_first_kernel/blur.cu > endless.cu
sed 's|  out(x, y) = in(x, y);|  no_such_name = 1;|' "$lessons"/*_first_kernel/blur.cu > broken.cu
head -c 2000000 /dev/zero > zeros.cu
expect 1 grade first_kernel endless.cu broken.cu zeros.cu anna/blur_solution.cu
contains out "endless.cu: 0 of 2 points"
contains out "cannot compile 'broken.cu'.*no_such_name"
contains out "anna/blur_solution.cu: 2 of 2 points"

finish
