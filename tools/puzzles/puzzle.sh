#!/bin/bash
# Puzzles: you write the kernel; the judge verifies it and counts what it does. In the folder at hand:
#   tools/puzzles/puzzle.sh BUILD_DIR [N [--hint | --solution]]
set -euo pipefail
build=$1 number=${2-}
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
mine=puzzles/$number.cl solution=$here/$number/solution.cl hints=$here/$number/hints.md

fail() {
  echo "puzzle: $*" >&2
  exit 1
}

# To the width of the terminal, which bash knows after a command.
wrap() { (:) && fold -s -w "${COLUMNS:-80}"; }

list() {
  echo "        puzzle                   time  then read teaches"
  awk -F, -v solved=" $(paste -sd' ' puzzles/solved 2> /dev/null) " 'NR > 1 {
    printf "[%s] %2d  %-22s %2d min  %-9s %s\n", index(solved, " " $1 " ") ? "x" : " ", $1, $2, $3, $4, $5
  }' "$here/puzzles.csv"
  printf '\n%s\n' "'./tutorial puzzle 1' begins. A page may show the answer, so try first."
}

hint() {
  echo >> "puzzles/$number.hints" # a line for each time that it was asked for
  sed -nE 's/^[0-9]+\. //p' "$hints" | head -n "$(wc -l < "puzzles/$number.hints")" | wrap
  echo "(there are $(grep -c '^[0-9]' "$hints"); --solution shows ours)"
}

# A kernel file without the story at its head.
kernel_of() { awk '/^[^\/]/ { begun = 1 } begun' "$1"; }

show_solution() {
  sed -n '/^$/q; s/^\/\/ //p' "$solution" | wrap
  diff -u --label "$mine" --label "our solution" <(kernel_of "$mine") <(kernel_of "$solution") || true
}

judge() {
  local status=0 found='' chain name page
  IFS=, read -r _ name _ page _ < <(grep "^$number," "$here/puzzles.csv")
  work=$(mktemp -d)
  trap 'rm -r "$work"' EXIT
  echo "Puzzle $number: $name ($mine)"
  if command -v oclgrind > /dev/null && [[ -f $build/libxray.so ]]; then
    chain=$(grep -c "^$number,chain," "$here/goals.csv") || true
    XRAY_FOLDER=$work XRAY_GROUP=32x4 XRAY_BANKS=32 XRAY_CHAIN=$chain TUTORIAL_DEVICE=oclgrind timeout 60 \
      oclgrind --data-races --log "$work/log" --max-errors 10 --local-mem-size 65536 --build-options "-O3 -fno-unroll-loops" \
      --plugins "$build/libxray.so" "$build/puzzle" "$number" "$mine" > "$work/output" 2> "$work/errors" || status=$?
    # The first finding: what it is, and for each access that it is about the line of the kernel.
    found=$(awk '/^[A-Z]/ && seen++ { exit } /^Work-group div/ { $0 = "a barrier that only some work-items reach" }
      /^[A-Za]/ { sub(/ at .*/, ""); print } /At line/ { n = $3; getline; sub(/^[ \t]*/, ""); print "      line " n ": " $0 }' "$work/log")
    if [[ $found ]]; then
      status=2
      echo "  [ ] $found"
    elif ((!status)); then
      echo "  [x] in small images: no access beyond a buffer, no data race"
    fi
    ((status != 2)) || cat "$work/output"
    if ((status == 2)) && [[ ! $found ]] && timeout 60 "$build/puzzle" "$number" "$mine" > "$work/device" 2>&1; then
      echo "      Your device computes the right result, so the simulator has a fault. It is known to have"
      echo "      one with a switch whose cases fall through: write an if, or a break after each case."
    fi
  else
    echo "Oclgrind is not installed, so nothing is counted: the time decides."
  fi
  ((status)) || timeout 60 "$build/puzzle" "$number" "$mine" "$work/counts" 2> "$work/errors" || status=$?
  awk '!said[$0]++' "$work/errors" >&2 # a kernel is built for each filter width
  case $status in
    0)
      grep -qxs "$number" puzzles/solved || echo "$number" >> puzzles/solved
      echo "Solved. --solution shows ours; after this puzzle read: $page."
      exit ;;
    1) exit 1 ;;
    2) echo "Not yet. './tutorial puzzle $number --hint' has a hint." ;;
    124) echo "  [ ] after a minute it still runs: an endless loop, or a barrier that some miss" ;;
    *) echo "  [ ] it crashed: it reads or writes far from its buffers" ;;
  esac
  exit 2
}

[[ $number ]] || { list; exit; }
[[ $number =~ ^[0-9]+$ && -f $solution ]] || fail "there is no puzzle '$number'; './tutorial puzzle' lists them"
if [[ ! -e $mine ]]; then
  mkdir -p puzzles
  cp "$here/$number/start.cl" "$mine"
  [[ ${3-} ]] || { echo "$mine is yours now: read it, change it, and call this again."; exit; }
fi
case ${*:3} in
  '') judge | wrap ;;
  --hint) hint | wrap ;;
  --solution) show_solution ;;
  *) fail "'${*:3}' is neither --hint, which shows one more each time, nor --solution" ;;
esac
