#!/bin/bash
# Puzzles: you write the kernel; the judge verifies it and counts what it does.
#
#   ./tutorial puzzle                 all: what each teaches, which are solved
#   ./tutorial puzzle N               makes puzzles/N.cl, which is yours, and
#                                     from then on judges it
#   ./tutorial puzzle N --hint        the next hint
#   ./tutorial puzzle N --solution    our solution, as a diff to yours
#
#   tools/puzzles/puzzle.sh BUILD_DIR [N [OPTION]]    the same, in the folder at hand
set -euo pipefail
build=$1 number=${2-} option=${3-}
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
mine=puzzles/$number.cl solution=$here/$number/solution.cl hints=$here/$number/hints.txt

fail() {
  echo "puzzle: $*" >&2
  exit 1
}

list() {
  local n name minutes after teaches tick
  echo "        puzzle                   time  after    teaches"
  while IFS=, read -r n name minutes after teaches _; do
    tick=' '
    ! grep -qxs "$n" puzzles/solved || tick=x
    printf '[%s] %2d  %-22s %2d min  %-8s %s\n' "$tick" "$n" "$name" "$minutes" "$after" "$teaches"
  done < <(tail -n +2 "$here/puzzles.csv")
  printf '\n%s\n' "'step 3': solvable after that page. './tutorial puzzle 1' begins the first."
}

hint() {
  local next
  next=$(($(cat "puzzles/$number.hints" 2> /dev/null || echo 0) + 1))
  sed -n "${next}p" "$hints" | grep . | fold -s -w 80 || fail "no more hints; --solution shows ours"
  echo "$next" > "puzzles/$number.hints"
  echo "(hint $next of $(wc -l < "$hints"))"
}

# A kernel file without the story at its head.
kernel_of() { awk '/^[^\/]/ { begun = 1 } begun' "$1"; }

show_solution() {
  sed -n '/^$/q; s/^\/\/ //p' "$solution" | fold -s -w 80
  diff -u --label "$mine" --label "our solution" <(kernel_of "$mine") <(kernel_of "$solution") || true
}

judge() {
  local status=0 found=
  work=$(mktemp -d)
  trap 'rm -r "$work"' EXIT
  echo "Puzzle $number: $(sed -nE "s/^$number,([^,]*),.*/\1/p" "$here/puzzles.csv") ($mine)"
  if command -v oclgrind > /dev/null && [[ -f $build/libxray.so ]]; then
    XRAY_FOLDER=$work XRAY_GROUP=32x4 XRAY_WARP=32 XRAY_BANKS=32 XRAY_CHAIN=1 TUTORIAL_DEVICE=oclgrind timeout 60 \
      oclgrind --data-races --log "$work/log" --max-errors 10 --local-mem-size 65536 --build-options -O3 \
      --plugins "$build/libxray.so" "$build/puzzle" "$number" "$mine" > "$work/output" 2>&1 || status=$?
    ((status != 1)) || { cat "$work/output" >&2; exit 1; }
    # The first finding: what it is, and for each access that it is about the line of the kernel.
    found=$(awk '/^[A-Z]/ && seen++ { exit } /^[A-Z]/ { sub(/ at .*/, ""); print }
      /At line/ { n = $3; getline; print "      line " n ": " substr($0, 2, 60) }' "$work/log")
    if [[ $found ]]; then echo "  [ ] $found"; else echo "  [x] no access beyond a buffer, no data race"; fi
  else
    echo "Oclgrind is not installed, so nothing is counted: the time decides."
  fi
  ((status)) || timeout 60 "$build/puzzle" "$number" "$mine" "$work" ${found:+missed} || status=$?
  case $status in
    0)
      grep -qxs "$number" puzzles/solved || echo "$number" >> puzzles/solved
      echo "Solved. With --solution you see ours; './tutorial puzzle' lists the others."
      exit ;;
    1) exit 1 ;;
    2) echo "Not yet. './tutorial puzzle $number --hint' has a hint." ;;
    124) echo "  [ ] after a minute it still runs: an endless loop, or a barrier that some miss" ;;
    *) echo "  [ ] it crashed: it reads or writes far from its buffers" ;;
  esac
  exit 2
}

[[ $number != --help ]] || exec sed -n '2,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
[[ $number ]] || { list; exit; }
[[ $number =~ ^[0-9]+$ && -f $solution ]] || fail "there is no puzzle '$number'; './tutorial puzzle' lists them"
if [[ ! -e $mine ]]; then
  mkdir -p puzzles
  cp "$here/$number/start.cl" "$mine"
  [[ $option ]] || { echo "$mine is yours now: read it, change it, and call this again."; exit; }
fi
case $option in
  '') judge ;;
  --hint) hint ;;
  --solution) show_solution ;;
  *) fail "'$option' is neither --hint nor --solution" ;;
esac
