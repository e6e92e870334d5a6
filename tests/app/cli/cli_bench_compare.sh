#!/usr/bin/env bash
# Tests the comparisons of `threadscape bench`: of two reports, and of two sides that are measured in turns. Measured times
# decide no test: where a verdict is checked, the reports are changed by a known factor.
source "$(dirname "$0")/_cli.sh"

quick=(--sizes 64 --reps 8 --min-time 0 --max-time 5)
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
contains out "^median 64x64 serial +SLOWER .* 2.00 "
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
expect 0 bench sobel --backends serial --sizes 64 --reps 1 --against "$threadscape"
contains out "12 processes of each side ran in turns"
refuses 2 "parameter 'nothing' is unknown" bench sobel --against nothing=3
refuses 2 "changes NAME=VALUE of a parameter, variant, backend or threads" bench sobel --against nothing
refuses 2 "0\.\.[0-9]+ threads" bench sobel --against threads=-1

expect 0 bench sobel --backends serial --sizes 64 --reps 3 --min-time 0 --max-time 0.2 --precision 0.0001% --json time.json
json time.json 'j["results"][0]["ended"] == "time"'
contains out "^1 row ended because the time was over"
expect 0 bench sobel --backends serial --sizes 64 --reps 8 --min-time 0 --max-time 30 --precision 100% --json precise.json
json precise.json 'j["results"][0]["ended"] == "precision"'
expect 0 bench sobel --backends serial --sizes 64 --reps 3 --min-time 0 --cold --json cold.json
json cold.json 'j["results"][0]["caches"] == "cold"'
refuses 2 "no row measures the same work" bench --compare old.json cold.json

finish
