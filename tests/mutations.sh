#!/usr/bin/env bash
# Breaks the kernels of a file, in a copy, by one mistake in one line at a time, and sees the program notice: a check
# that cannot fail proves nothing. One list of mistakes serves all files. A mutant that nobody can notice is listed,
# with the reason, in equivalent_mutants.txt.
# usage: mutations.sh BUILD_DIR PROGRAM FILE [EVERY]
#   FILE  a kernel file, relative to the repository: the kernels that kernels.csv lists for it, or all if it lists none
#   EVERY  of the mutants, only each so many-th; if it is not given, as the step's checks.bash says, or 1
source "$(dirname "$0")/programs.bash"
program=$build/$2 file=$3 kernels=''
require_built "$program"

# PATTERN@REPLACEMENT, as sed -E has them.
mistakes=(
  # The next element, the next work-item, the next pixel of a row; a number one larger; a row for a column.
  '\[([a-z2][^][]*|[0-7])\]@[\1 + 1]'
  '(get_(global|local)_id\([01]\))@(\1 + 1)'
  '\b(input|output|in|out|row) \+ @\1 + 1 + '
  '([-+*/%=&,(<>] ?)([0-9]+)([);, ])@\1(\2 + 1)\3'
  'r \* (\w+) \+ c\b@c * \1 + r'
  # Bounds and remainders: one too far, one too near; the other branch.
  ' < @ <= ' ' < @ + 1 < ' ' <= @ < ' ' >= @ > ' ' >= @ + 1 >= ' ' > @ >= ' ' == @ != ' ' != @ == ' ' && @ || '
  ', true\b@, false' ', false\b@, true'
  # The sum: from where, in which direction, of which lane, to which precision.
  '0\.0f@0.001f' ' \+ (r\)|taps.*)@ - \1' '\.x\b@.y' '\.w\b@.z' '\.yzw\b@.xyz'
  '\bmin\b@max' '\bmax\b@min' '\bLOW\(@HIGH(' '\bHIGH\(@LOW('
  ' = (sum[^;]*|left|right);@ = 1.0001f * (\1);' '(vstore[0-9]+\()@\11.0001f * '
  # What is left out: a barrier or another call, one pixel.
  '^( *)([A-Za-z][A-Za-z0-9_]*\(.*\);?)$@\1/* \2 */'
  '^( *)output\[@\1if (x != 4 || y != 2) output['
)

# A cross and a column: filters of hardly any taps.
awk 'BEGIN { for (r = 0; r < 5; r++) { for (c = 0; c < 5; c++) printf "%s ", (r == 1 || c == 3 ? r - 4 * c : 0); print "" } }' > cross.txt
awk 'BEGIN { for (r = 0; r < 18; r++) { for (c = 0; c < 18; c++) printf "%s ", (c == 6 ? r + 1 : 0); print "" } }' > column.txt
# The first run is for all mutants, the others are for those that it has missed. Small images: every access is
# interpreted.
case ${file##*/} in
  smooth.cl) runs=('--size 11x9') ;;
  median.cl) runs=('--noise 0.3 --size 21x6' '--noise 0.3 --size 32x12' '--noise 0.3 --size 33x9') ;;
  *) settings "$2" "${file##*/}" ;;
esac
[[ ${ON_DEVICE-} ]] || command -v oclgrind > /dev/null || { echo "Oclgrind is not installed"; exit 77; }
every=${4-${every-1}}
listed=$(tr ',' '\n' <<< "$kernels" | sed 's/:.*//')

# One statement a line, without comments, and without what is not for the simulator: there, inlining only takes time.
sed -E 's|  *//.*||; s|^//.*||; s/__attribute__\(\(always_inline\)\) inline//; s/ __attribute__\(\(reqd_[^)]*\)\)\)//; /^#if .*__NV_/,/^#else/ { /^#/! d }' "$repository/$file" |
  sed -E ':join; /([=,(?:]|&&)$/ { N; s/\n */ /; b join }' > right.cl

# A kernel's part of the file is all from the end of the kernel above to its own end. `inside` has the places to break
# in the kernel alone, `above` those in its helpers, each a command of sed.
kernels=()
declare -A inside=() above=() bodies=() noticed=()
begin=1
while IFS=: read -r line text; do
  name=${text#*void } name=${name%%(*}
  end=$(sed -n "$line,\$ { /^}/ { =; q } }" right.cl)
  if [[ -z $listed ]] || grep -qx "$name" <<< "$listed"; then
    kernels+=("$name")
    bodies[$name]=$( ((${#kernels[@]} == 1)) || echo "$line,${end}d;") # the first one may be the baseline
    for mistake in "${mistakes[@]}"; do
      for place in $(sed -nE "$begin,$end { /^#if/! { \\@${mistake%@*}@ = } }" right.cl); do
        if ((place >= line)); then inside[$name]+="${place}s@$mistake@g"$'\n'; else above[$name]+="${place}s@$mistake@g"$'\n'; fi
      done
    done
  elif grep -qx "${name%_*}" <<< "$listed"; then
    continue # a kernel that is a helper of the next one
  fi
  begin=$((end + 1))
done < <(grep -nE '^__kernel void' right.cl)

serve "$program"
run() { # KERNEL ARGUMENTS...
  served --kernel-file broken.cl --kernel "$1" "$2"
  status=$?
}

# A wrong pixel, or an access beyond a buffer, which a device may answer with a crash.
is_noticed() {
  ((status == 139)) || grep -aq '^Invalid' err ||
    { ((status == 2)) && grep -aEq "$1,.*(wrong at \([0-9]+, [0-9]+\): expected .*, got |outside)" err; } ||
    { [[ ${ON_DEVICE-} ]] && grep -aqE 'CL_OUT_OF_RESOURCES|CL_INVALID_COMMAND_QUEUE|-9999' err; }
}

# alone KERNEL [COMMAND]: makes broken.cl, the kernel with this mistake without the bodies of the others.
alone() {
  local own=${bodies[$1]}
  bodies[$1]=''
  sed -E "${2-}; ${bodies[*]}" right.cl > broken.cl
  bodies[$1]=$own
}

# judge KERNEL COMMAND: is this mutant noticed?
judge() {
  local arguments mutant
  alone "$1" "$2"
  for arguments in "${runs[@]}"; do
    run "$1" "$arguments"
    if is_noticed "$1"; then
      noticed[$1]=$((${noticed[$1]-0} + 1)) checks=$((checks + 1))
      return
    fi
  done
  ! grep -aq 'the kernels do not build' err || return # no mutant
  mutant="$1: $(sed -nE "$2; ${2%%s*} { s/^ +//; p }" right.cl)"
  grep -qF -f <(sed -n 's/^    //p' "$repository/tests/equivalent_mutants.txt") <<< "$mutant" ||
    report_failure "neither noticed nor in equivalent_mutants.txt: $mutant"
}

for name in "${kernels[@]}"; do
  # Else no mutant of it would build, and each would pass for none.
  alone "$name"
  run "$name" "${runs[0]}"
  expect "$name alone: status $status" test "$status" == 0
  while read -r command; do
    judge "$name" "$command"
  done < <(for places in "${inside[$name]-}" "${above[$name]-}"; do printf %s "$places" | sed -n "1~${every}p"; done)
  echo "$name: ${noticed[$name]-0} mistakes noticed"
done
finish
