# What the tests of the programs begin with: checks.bash, and
#   steps   the steps of the ladder, in order
# Without an OpenCL device the test is skipped.
# shellcheck shell=bash source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/checks.bash"
export LC_ALL=C
# OpenCL drivers never free all that they allocate. Oclgrind is loaded first, and frees its images by another size.
export ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0:new_delete_type_mismatch=0:${ASAN_OPTIONS-}

# require_built PROGRAM: without it no test has anything to say.
require_built() {
  [[ -x $1 ]] || { echo "FAILED: there is no program $1: the build has failed, or it was not built"; exit 1; }
}

# report VERB ARGUMENTS...: what the program that reads results says.
report() { (cd "$repository" && "$build/tutorial" "$@"); }
mapfile -t steps < <(report steps ladder)
require_built "$build/${steps[0]}"
"$build/devices" > /dev/null 2>&1 || (($? != 1)) || { echo "no OpenCL device"; exit 77; }

# kernels_where CONDITION: the kernels for whose row in kernels.csv the awk expression CONDITION is true,
# with commas between them. It may use step (what in_kernels_csv gives) and file.
kernels_where() {
  awk -F, "NR > 1 && \$3 != \"\" { step = \$2; file = \$3; if ($1) print \$1 }" "$repository/kernels.csv" |
    paste -sd,
}

# in_kernels_csv FOLDER: what kernels.csv calls this step, for the condition above: a number, or "FOLDER".
in_kernels_csv() {
  if [[ $1 =~ ^step([0-9]+)_ ]]; then echo "${BASH_REMATCH[1]}"; else echo "\"$1\""; fi
}

# interpreted PROGRAM ARGUMENTS...: on Oclgrind, if it is installed.
interpreted() {
  "$repository/tests/interpreted.sh" "$@"
}
# serve PROGRAM: from then on `served ARGUMENTS...` is `interpreted PROGRAM --verify-only ARGUMENTS... > out 2> err`: on
# Oclgrind in one process for all runs, see served.cpp. It ends with the script, which holds its stdin. Without the
# policy the program would begin anew.
serve() {
  served=$1
  [[ ! ${ON_DEVICE-} ]] && command -v oclgrind > /dev/null || return 0
  export OMP_WAIT_POLICY=passive
  # shellcheck disable=SC2016
  coproc server { exec "$repository/tests/interpreted.sh" sh -c 'LD_PRELOAD="$0:$LD_PRELOAD" exec "$@"' \
    "$build/tests/libserved.so" "$1" --verify-only 2> serving; }
}
served() {
  local answer
  # shellcheck disable=SC2048,SC2086  # several words
  if [[ ! ${server_PID-} ]]; then interpreted "$served" --verify-only $* > out 2> err; return; fi
  echo "$*" >&"${server[1]}"
  read -r answer <&"${server[0]}" || { cat serving && answer=1; }
  return "$answer"
}
# The same on the device.
unoptimised() { ON_DEVICE=1 interpreted "$@"; }

# passes COMMAND...: it must succeed, without a compiler's warning or an access beyond a buffer.
passes() {
  checks=$((checks + 1))
  "$@" > out 2> err || report_failure "exit status $?: $*"
  ! grep -vE '^(MESA|=== Rusticl)' err | grep -qE '^Invalid|warning' || report_failure "on stderr: $*"
  echo "${*#"$build/"}: $(tail -n 1 out)"
}

# settings PROGRAM FILE: how the tests run the kernels of a step's file. Those of convolution.cl compute a pixel in each
# work-item, all others a block, or there is a checks.bash in the step's folder, which knows better. It sets
#   path, kernels  the folder of the step, and the kernels that kernels.csv lists for the file
#   block          a block, as options; blocks and sizes: other blocks, and images that these do not fit
#   filters        files of filters that are verified, too
#   kind           sparse: for filters most of whose taps are 0; tiles: transforms of tiles
#   constant_taps  anything if the compiler sees the taps
#   runs           for mutants: the first is for all, the others are for those that it has missed
#   every          of the mutants, only each so many-th, unless a test asks for all
#   verified       options of the one run that verifies, unless a test asks for all
#   simulated_at   options and image sizes under Oclgrind; `-`: not there
#   forms          macros of the processors for which the file has forms, the newest first
#   elsewhere      options on the second implementation; `-`: not there
# shellcheck disable=SC1091
settings() {
  local step file=$2
  step=$(in_kernels_csv "$1")
  path=$repository/$(report step "${step//\"/}")
  kernels=$(kernels_where "step == $step && file == \"$file\"")
  block=() blocks='' sizes='' filters='' kind='' constant_taps='' every=1 verified=() forms=()
  simulated_at=(--kernel "$kernels" --filter-width 1,4,7) simulated_sizes='17x5 18x17' elsewhere=(--filter-width 1,2,3,4,7,8,17,32)
  # Filters that leave three taps over, or one, two, none; several blocks.
  runs=('--filter-width 7 --size 9x8' '--filter-width 5,6,8 --size 5x3' '--filter-width 3 --size 33x18')
  if [[ $file == convolution.cl ]]; then
    ! grep -q get_local_id "$path/$file" || runs=("${runs[@]/%/ --work-group 4x2}")
  else
    elsewhere=("${simulated_at[@]}" --block 16x2)
    simulated_at=("${elsewhere[@]}" --block-group 2x4) simulated_sizes='17x5 33x9'
    # Rows of the image that are ragged or whole vectors; groups that reach beyond it; rows beyond the sixteenth.
    if [[ $file == *16.cl ]]; then
      block=(--block 16x2) blocks='16x1 48x5 64x16' sizes='36x17 48x16'
      runs=('--filter cross.txt --block 32x2 --size 35x5' '--filter cross.txt --block 32x2 --block-group 3x5 --size 48x6'
        '--filter column.txt --block 16x16 --size 15x16')
    else
      block=(--block 4x2) blocks='4x1 8x5 16x7 4x16' sizes='22x17 24x16'
      runs=('--filter-width 5 --block 8x2 --size 11x5' '--filter-width 5 --block 8x2 --block-group 3x5 --size 20x6')
    fi
  fi
  [[ ! -f $path/checks.bash ]] || source "$path/checks.bash"
}
