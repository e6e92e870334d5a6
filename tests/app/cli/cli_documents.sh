#!/usr/bin/env bash
# Runs the commands of the section "Values by command" of docs/DOCUMENTS.md, and looks for the value beside each of them
# in what it prints. A row is: | chapter | `threadscape ...` | `value` |. Commands share a folder, in their order.
source "$(dirname "$0")/_cli.sh"

page=$2/docs/DOCUMENTS.md
assets=$2/assets
rows=0
while IFS='|' read -r _ chapter command value _; do
  command=$(sed -E 's/^ *`threadscape (.*)` *$/\1/' <<< "$command")
  value=$(sed -E 's/^ *`(.*)` *$/\1/' <<< "$value")
  read -ra arguments <<< "${command//ASSETS/$assets}"
  code=0
  "$threadscape" "${arguments[@]}" > out 2>&1 || code=$?
  without_progress out
  # `compare` ends with 1 where two files differ, which some rows state.
  [ "$code" = 0 ] || [ "${arguments[0]} $code" = "compare 1" ] || fail "chapter$chapter: exit code $code: $command"
  [ -n "$value" ] && grep -qF -- "$value" out || fail "chapter$chapter: '$value' is not what $command prints: $(head -c 600 out)"
  rows=$((rows + 1))
done < <(sed -n '/^## Values by command/,/^## /p' "$page" | grep -E '^\|[^|]*\| `threadscape ')

[ "$rows" -ge 12 ] || fail "$rows rows were found in $page"
finish
