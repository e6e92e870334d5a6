#!/usr/bin/env bash
# Tests what `threadscape completion` offers, that the scripts work in the shells that are installed, and the manual page.
source "$(dirname "$0")/_cli.sh"

# offers WORD ARGUMENTS... fails unless the word is among the completions of the arguments, the last of which is typed.
offers() {
  local wanted=$1
  shift
  "$threadscape" completion --words "$@" > out 2> err || fail "completion --words $*: $(cat err)"
  cut -f1 out | grep -qxF -e "$wanted" || fail "'$wanted' is not offered for '$*': $(cut -f1 out | tr '\n' ' ')"
}
offers_not() {
  local refused=$1
  shift
  "$threadscape" completion --words "$@" > out 2> err || fail "completion --words $*: $(cat err)"
  cut -f1 out | grep -qxF -e "$refused" && fail "'$refused' is offered for '$*'"
}

offers run r
offers render r
offers_not bench r
offers compare ''
offers :files ''
offers sobel run ''
offers sobel run so
offers sorting run so
offers_not median run so
offers :files run sobel ''
offers_not median run sobel m
offers --backend run sobel --ba
offers openmp run sobel --backend ''
offers size= run convolution photo.png --set ''
offers border=mirror run convolution photo.png --set border=m
offers_not border=zero run convolution photo.png --set border=m
offers float run sobel --depth f
offers :files run sobel photo.png -o ''
offers --then run sobel --th
offers slope run diamond_square --then ''
offers median run diamond_square --then m
offers_not sorting run diamond_square --then ''
offers_not phantom run sobel --then ''
offers iterations= run diamond_square --set n=5 --then thermal_erosion --set ''
offers :files run sobel --then median --steps-out ''
offers dark --theme d
offers sobel verify median sob
offers sobel list ''
offers sobel microscope sob
offers :files microscope ''
offers filters bench --suite f
offers terrain render diamond_square --scene ''
offers zsh completion ''
offers_not sobel run sobel --threads ''
"$threadscape" completion --words > out || fail "completion of nothing"

refuses 2 "did you mean zsh" completion zhs
# Every script runs in its shell, where that is installed.
expect 0 completion bash
cp out threadscape.bash
bash -n threadscape.bash || fail "the script for bash has an error"
PATH="$(dirname "$threadscape"):$PATH" bash --norc -c '
  source ./threadscape.bash
  ask() { COMP_LINE=$1 COMP_POINT=${#1}; COMP_WORDS=($1) COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _threadscape; printf "%s\n" "${COMPREPLY[@]}"; }
  ask "threadscape run sob"
  ask "threadscape run convolution a.png --set border=mir"
  touch "a file.png"
  ask "threadscape run sobel a"
' > replies 2> err || fail "the script for bash fails: $(cat err)"
for word in sobel mirror "a file.png"; do contains replies "^$word\$"; done
expect 0 completion zsh
cp out _threadscape
if command -v zsh > /dev/null; then
  zsh -n _threadscape || fail "the script for zsh has an error"
fi
expect 0 completion fish
cp out threadscape.fish
if command -v fish > /dev/null; then
  HOME=$PWD PATH="$(dirname "$threadscape"):$PATH" fish -c 'source threadscape.fish; complete -C "threadscape run sobe"' > replies 2> err
  contains replies "^sobel"
fi

# --- The manual page names every command, option and algorithm, and troff accepts it.
expect 0 man
cp out threadscape.1
head -1 threadscape.1 | grep -q '^\.TH THREADSCAPE 1 ' || fail "the manual page has no title"
for command in view run render compare list info bench verify grade lesson microscope completion man; do
  contains threadscape.1 "^\.B threadscape $command$"
done
for algorithm in $("$threadscape" list | grep -oE '^[a-z_]+:' | tr -d :); do contains threadscape.1 "^\.SS $algorithm$"; done
contains threadscape.1 'keep.?-going'
if command -v groff > /dev/null; then
  groff -man -ww -Tutf8 -P-cbu threadscape.1 > page.txt 2> warnings
  [ -s warnings ] && fail "groff warns: $(head -3 warnings)"
  contains page.txt "EXIT STATUS"
fi

finish
