#!/usr/bin/env bash
# Tests the comparisons of `threadscape bench`: of two reports, and of two sides that are measured in turns. Measured times
# decide no test: where a verdict is checked, the reports are changed by a known factor.
source "$(dirname "$0")/_cli.sh"

one=(--sizes 64 --min-time 0 "${little_memory[@]}")
quick=("${one[@]}" --reps 8 --max-time 5)
expect 0 bench sobel median --backends serial,openmp --threads 1 "${quick[@]}" --quiet --json old.json
json old.json 'j["version"] == 2'
json old.json 'all(r["ended"] == "samples" and r["caches"] == "warm" for r in j["results"])'
json old.json 'all("outliers" in r["compute_ms"] and "interval" in r["compute_ms"] for r in j["results"])'
json old.json 'all(isinstance(r["conditions"], dict) for r in j["results"])'

# The samples are replaced by known ones, and slower.json holds those of median doubled: the verdicts are known.
python3 - <<'PY'
import json
report = json.load(open("old.json"))
for result in report["results"]:
    result["compute_ms"]["samples"] = [1 + 0.001 * i for i in range(12)]
json.dump(report, open("old.json", "w"))
for result in report["results"]:
    if result["algorithm"] == "median":
        result["compute_ms"]["samples"] = [2 * ms for ms in result["compute_ms"]["samples"]]
json.dump(report, open("slower.json", "w"))
report["version"] = 99
json.dump(report, open("later.json", "w"))
for result in report["results"]:
    del result["compute_ms"]["samples"]
del report["version"]
json.dump(report, open("bare.json", "w"))
PY

expect 0 bench --compare old.json slower.json --effect 5% --json verdicts.json
contains out "^median 64x64 serial histogram +SLOWER .* 2.00 "
contains out "^0 FASTER, 2 SLOWER, 2 SAME, 0 UNCLEAR\."
valid_json verdicts.json
json verdicts.json 'sum(row["verdict"] == "SLOWER" for row in j["rows"]) == 2 and j["effect"] == 0.05'
expect 1 bench --compare old.json slower.json --fail-on slower --quiet
[ -s out ] && fail "bench --compare --quiet prints"
expect 0 bench --compare old.json slower.json --fail-on faster
expect 1 bench --compare slower.json old.json --fail-on faster
expect 0 bench --compare old.json old.json --fail-on slower,faster

refuses 2 "later.json: a report of version 99; this program reads up to version 2" bench --compare old.json later.json
refuses 2 "only reports with all samples can be compared" bench --compare old.json bare.json
refuses 2 "this is no report of" bench --compare old.json verdicts.json
refuses 3 "cannot read 'missing.json'" bench --compare old.json missing.json
refuses 2 "'--reps' does not go with --compare" bench --compare old.json old.json --reps 3
refuses 2 "'--fail-on' goes with --compare or --against" bench sobel --fail-on slower
refuses 2 "--effect '0': a percentage above 0" bench --compare old.json old.json --effect 0

expect 0 bench sobel --backends serial "${quick[@]}" --against backend=openmp --against threads=2 --json turns.json
contains out "^after: +backend=openmp threads=2"
json turns.json '[r["backend"] for r in j["results"]] == ["serial", "openmp"]'
json turns.json 'len({len(r["compute_ms"]["samples"]) for r in j["results"]}) == 1'
json turns.json 'len(j["comparison"]["rows"]) == 1'
expect 0 bench median --backends serial "${quick[@]}" --set size=3 --against size=5 --quiet --json params.json
json params.json '[r["params"]["size"] for r in j["results"]] == [3, 5]'
# OpenMP as the second side of another backend uses all threads, unless the changes state a number.
expect 0 bench sobel --backends serial "${quick[@]}" --against backend=openmp --quiet --json all.json
json all.json '[r["threads"] for r in j["results"]] == [1, j["environment"]["cpu"]["logical_cores"]]'
expect 0 bench sobel --backends openmp --threads 1 "${quick[@]}" --against backend=openmp --quiet --json one.json
json one.json '[r["threads"] for r in j["results"]] == [1, 1]'
# A parameter that determines the input changes it: the mesh has more triangles, and the keys are of another type.
expect 0 bench rasterize --backends serial --set width=32 --set height=32 --reps 1 --min-time 0 \
  "${little_memory[@]}" --against subdivision=16 --quiet --json mesh.json
json mesh.json '[r["params"]["subdivision"] for r in j["results"]] == [8, 16]'
json mesh.json 'j["results"][0]["input"]["width"] < j["results"][1]["input"]["width"]'
expect 0 bench sorting --backends serial --sizes 256 --reps 1 --min-time 0 "${little_memory[@]}" --against type=float --quiet --json type.json
json type.json '[r["input"]["element"] for r in j["results"]] == ["i32", "f32"]'
refuses 2 "--against count=16: count follows from the input" bench sorting --backends serial --sizes 256 --against count=16
# What one of several algorithms refuses is refused before the others are measured.
refuses 2 "parameter 'size' is unknown" bench median laplacian --backends serial --sizes 64 --reps 1000000 --min-time 3600 --max-time 3600 --against size=5

# Two programs. One that notes its arguments before it dies is started once: all options arrive.
printf '#!/bin/sh\necho "$*" >> given\nkill -SEGV $$\n' > dying
chmod +x dying
refuses 3 "'.*/dying bench' was ended by signal 11" \
  bench sobel --backends serial "${one[@]}" --reps 1 --max-time 0.01 --precision 2% --cold --against ./dying
contains given " --max-time 0\.01.* --precision 2(\.0*)?% --limit memory=512M --cold$"
expect 0 bench sobel --backends serial "${one[@]}" --reps 1 --against "$threadscape" --json programs.json
contains out "12 processes of each side ran in turns"
json programs.json 'all(row["before_samples"] == row["after_samples"] == 12 for row in j["comparison"]["rows"])'
refuses 2 "--csv does not go with --against PROGRAM" bench sobel --against "$threadscape" --csv no.csv
[ -e no.csv ] && fail "a refused --csv leaves a file"

# JSON and CSV on standard output are not mixed with the tables, which go to stderr.
expect 0 bench sobel --backends serial "${quick[@]}" --json -
valid_json out
contains err "^sobel +64x64"
expect 0 bench sobel --backends serial "${quick[@]}" --csv -
[ "$(wc -l < out)" = 2 ] || fail "--csv - prints $(wc -l < out) lines"
expect 0 bench --compare old.json slower.json --json -
valid_json out
contains err "0 FASTER, 2 SLOWER"
refuses 2 "--json and --csv cannot both be standard output" bench sobel --json - --csv -

# Why sampling ended: the last sample that was wanted may end after the time is over.
expect 0 bench sobel --backends serial "${one[@]}" --reps 3 --max-time 0 --quiet --json taken.json
json taken.json 'j["results"][0]["ended"] == "samples" and len(j["results"][0]["compute_ms"]["samples"]) == 3'
expect 0 bench sobel --backends serial "${one[@]}" --reps 8 --max-time 0 --quiet --json over.json
json over.json 'j["results"][0]["ended"] == "time" and len(j["results"][0]["compute_ms"]["samples"]) == 3'
refuses 2 "parameter 'nothing' is unknown" bench sobel --against nothing=3
refuses 2 "changes NAME=VALUE of a parameter, variant, backend or threads" bench sobel --against nothing
refuses 2 "0\.\.[0-9]+ threads" bench sobel --against threads=-1

expect 0 bench sobel --backends serial "${one[@]}" --reps 3 --max-time 0 --precision 0.0001% --json time.json
json time.json 'j["results"][0]["ended"] == "time"'
contains out "^1 row ended because the time was over"
expect 0 bench sobel --backends serial "${one[@]}" --reps 8 --max-time 30 --precision 100% --json precise.json
json precise.json 'j["results"][0]["ended"] == "precision"'
expect 0 bench sobel --backends serial "${one[@]}" --reps 3 --cold --json cold.json
json cold.json 'j["results"][0]["caches"] == "cold"'
refuses 2 "no row measures the same work" bench --compare old.json cold.json

finish
