#!/usr/bin/env bash
# A program's kernels under Oclgrind, which interprets them and watches every access: bounds, data races,
# uninitialised memory, and misuse of the API. Oclgrind's exit status is the program's own, so its log decides.
# usage: oclgrind.sh BUILD_DIR PROGRAM [FILE | ARGUMENTS]   FILE: the kernels that the step adds in it
#        oclgrind.sh BUILD_DIR            does it find what it is there for?
source "$(dirname "$0")/programs.bash"
command -v oclgrind > /dev/null || { echo "Oclgrind is not installed"; exit 77; }

# The shim must come before the library that Oclgrind itself preloads, so it is added within.
# Optimisation is off, because it would hide a sum that was never set to 0.
# Small images, because every access is interpreted; not multiples of a work-group of 16 x 16, or of the 32 x 8 pixels
# of one with blocks.
watched() { # PROGRAM ARGUMENTS...
  require_built "$build/$1"
  rm -f log
  oclgrind --data-races --uniform-writes --uninitialized --check-api --local-mem-size 65536 --build-options -cl-opt-disable \
    --log log --max-errors 1000000 sh -c 'LD_PRELOAD="$0:$LD_PRELOAD" exec "$@"' "$build/tests/liboclgrind_shim.so" \
    "$build/$1" --verify-only --device oclgrind "${@:2}" > out 2> err
  status=$?
  # Oclgrind 21.10 takes whatever read_imagef returns for uninitialised.
  awk -v RS= '!(/^Uninitialized/ && /Kernel: [A-Za-z]*_Image/) { print $0 "\n" }' log > findings
}

if (($# > 1)); then
  arguments=("${@:3}") simulated_sizes='17x5 18x17'
  if [[ ${3-} == *.cl ]]; then
    settings "$2" "$3"
    arguments=("${simulated_at[@]}")
    [[ ${arguments[*]} != - ]] || { echo "not on the simulator, see checks.bash of the step"; exit 77; }
  fi
  for size in $simulated_sizes; do
    watched "$2" "${arguments[@]}" --size "$size"
    expect "status $status" test "$status" == 0
    expect "a kernel is skipped" eval '! grep skipped out'
    expect "found by Oclgrind, in $(grep -c '^[IURWD]' findings) places: $(head -n 20 findings)" test ! -s findings
    expect "the API is misused" eval "! grep Oclgrind err"
  done
fi

# finds FINDING PROGRAM KERNEL FILE SED_EXPRESSION: with the expression applied to the kernel, Oclgrind says FINDING.
finds() {
  sed "/^__kernel .*void $3(/,/^}/ { $5 }" "$repository/$4" > broken.cl
  expect "changes nothing: $5" eval "! cmp -s '$repository/$4' broken.cl"
  watched "$2" --size 17x5 --kernel "$3" --kernel-file broken.cl
  expect "not found: $1 with $5" grep -aq "$1" findings
}

if (($# == 1)); then
  convolve_local=(step5_local_memory Convolve_Local step5_local_memory/convolution.cl)
  finds 'data race' "${convolve_local[@]}" '/barrier(/d'
  # Each of its barriers: mutations.sh does not notice all, as its work-items run one after the other.
  for barrier in 'all sums are there' 'everybody has read' 'all outputs are there'; do
    finds 'data race' two_passes Convolve_Separable_Shared studies/two_passes/convolution.cl "/$barrier/d"
  done
  # Two work-items write the same value to the same place; the second of these is mistake 2 of HISTORY.md.
  finds 'Write-write data race' "${convolve_local[@]}" \
    's/output\[y \* output_width + x\] = sum/output[y * output_width + x \/ 2] = 0.25f/'
  finds 'Write-write data race' edge_conditions Smooth_Clamp studies/edge_conditions/smooth.cl 's/output\[.*\] =/output[centre] =/'
  finds 'Uninitialized' "${convolve_local[@]}" 's/float sum = 0.0f/float sum/'
  finds 'Invalid read' "${convolve_local[@]}" 's/input\[(group_y + tile_y)/input[1000 + (group_y + tile_y)/'
  finds 'Invalid write' "${convolve_local[@]}" 's/output\[y \* output_width/output[-9999999 + y * output_width/'
fi
finish
