#!/bin/bash
# --against: a kernel of the reader's beside the program's own, in every program with kernels.
#
#   against.sh BUILD_DIR
# shellcheck disable=SC2016  # eval expands it
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/programs.bash" "$1"

run() { # EXPECTED_STATUS PROGRAM [ARGS]
  local expected=$1 program=$2 status where=''
  shift 2
  checks=$((checks + 1))
  # On Oclgrind a kernel is ready at once; the device's compiler has its turn in what is timed, and in what does not build.
  [[ " $* " != *' --verify-only '* ]] || where=interpreted
  $where "$build/$program" --size 37x23 "$@" > out 2> err < /dev/null
  status=$?
  ((status == expected)) || report_failure "exit status $status, not $expected: $program $*"
}

# extract KERNEL FILE: the kernel alone, with the helpers above it.
extract() {
  report kernel "$1" "$2"
}

# Of every step the last kernel that it adds, and one of each study, alone in a file.
check_kernel() { # PROGRAM KERNEL FILE BASELINE FILTER_WIDTH
  extract "$2" "$repository/$1/$3" > my.cl
  expect "no $2 in my.cl" grep -q "$2" my.cl
  run 0 "$1" --verify-only --against my.cl
  expect "$1: not the baseline, $2 and $2:my" \
    test "$(awk '/^width/ && $4 == "ok," { print $3 }' out | paste -sd ' ')" == "$(echo "$4" "$2" "$2:my" | awk '
      { print $1 == $2 ? $2 " " $3 : $0 }')"
  # One that writes nothing: is it really the file's kernel that runs?
  awk '{ print } /^__kernel/ { found = 1 } found && /\{$/ { print "  return;"; found = 0 }' my.cl > idle.cl
  run 2 "$1" --verify-only --against idle.cl
  expect "$1: more or less than $2:idle is wrong" test "$(grep -o "^$1: .* wrong at" err)" == "$1: $2:idle, filter width $5: wrong at"
}
for step in "${steps[@]}"; do
  number=${step#step} number=${number%%_*}
  IFS=, read -r kernel _ file _ < <(awk -F, -v number="$number" '
    NR > 1 && $2 <= number && $3 != "" && $1 !~ /:|_Image/ { row = $0 } END { print row }' "$repository/kernels.csv")
  check_kernel "$step" "$kernel" "$file" Convolve 7
done
check_kernel median median_gray_x16 median.cl medianfilter_rgba 3
check_kernel edge_conditions Smooth_Clamp smooth.cl Smooth_Branches 3

# The table, the comparison, the CSV.
cp "$repository/step1_naive/convolution.cl" my.cl
run 0 step1_naive --against my.cl --time-budget 0 --csv out.csv
expect "no row in the table" grep -q '^Convolve:my ' out
expect "no comparison" grep -qE \
  '^(Convolve(:my)? is [0-9.]+ times as fast as Convolve(:my)? \(|Convolve:my and Convolve: no difference was shown \()' out
expect "more than the pair in the CSV" test "$(awk -F, '!/^#/ { print $1 }' out.csv | paste -sd,)" == kernel,Convolve,Convolve:my
run 0 step1_naive --against my.cl --time-budget 0 --kernel Convolve,OpenMP
expect "--kernel chooses no OpenMP" grep -q '^OpenMP ' out

# A copy that is wrong: named, not timed; everything else is.
sed 's/input\[input_row + c\]/input[input_row + c + 1]/' "$repository/step2_unroll/convolution.cl" > wrong.cl
run 2 step2_unroll --against wrong.cl --time-budget 0 --csv out.csv
expect "the wrong copy is not named" grep -q '^step2_unroll: Convolve_Unroll:wrong, filter width 7: wrong at (0, 0)' err
expect "no row for the originals" test "$(grep -cE '^Convolve(_Unroll)?,' out.csv)" == 2
expect "a row for the wrong copy" eval '! grep -q "Unroll:wrong" out.csv'
expect "not said that there is nothing to compare" grep -q '^Convolve:wrong and Convolve are not compared' out

# What does not build names the reader's file and line, whatever the compiler was given.
{
  echo '// a comment of one line'
  sed 's/float sum/floot sum/' "$repository/step1_naive/convolution.cl"
} > broken.cl
line=$(grep -n floot broken.cl | cut -d: -f1)
run 1 step1_naive --against broken.cl
expect "not broken.cl:$line:3: error" grep -q "^broken.cl:$line:3: error: .*floot" err
expect "names a temporary file" eval "! grep -qE 'temp|input\.cl|<[a-z]' err"
# Other compilers call the text by other names.
for device in oclgrind llvmpipe; do
  command=(env RUSTICL_ENABLE=llvmpipe "$build/step1_naive")
  [[ $device != oclgrind ]] || command=(oclgrind "$build/step1_naive")
  "${command[@]}" --device "$device" --size 8x8 --verify-only > out 2> err || continue
  "${command[@]}" --device "$device" --size 8x8 --verify-only --kernel-file broken.cl > out 2> err
  expect "$device: not broken.cl:$line:3: error" grep -q "^broken.cl:$line:3: error: .*floot" err
done
mkdir folder
mv broken.cl "folder/with \$1 space.cl"
run 1 step1_naive --kernel-file "$PWD/folder/with \$1 space.cl"
expect "the path is not relative to here" grep -qF "folder/with \$1 space.cl:$line:3: error" err
expect "an absolute path" eval '! grep -qF "$PWD" err'

# Column-major: right on a square image.
run 0 step1_naive --size 48x48 --verify-only --against "$repository/step1_naive/swapped.cl"
expect "no Convolve:swapped" grep -q 'Convolve:swapped  *ok' out
expect "swapped.cl is more than Convolve with x and y swapped" test "$(diff \
  <(extract Convolve "$repository/step1_naive/convolution.cl") <(extract Convolve "$repository/step1_naive/swapped.cl") |
  grep -c '^>.*get_global_id')" == 2

echo "$checks checks, $failures failures"
((failures == 0))
