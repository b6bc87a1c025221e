#!/bin/bash
# plots/measure.sh: what it measures, what it keeps after an interruption, and what it never loses. The programs are
# stand-ins that write down how they were called.
#
#   measure.sh BUILD_DIR
set -uo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
checks=0

expect() { # WHAT COMMAND...
  local what=$1
  shift
  checks=$((checks + 1))
  "$@" > /dev/null 2>&1 || {
    echo "FAILED: $what"
    tail -n 5 "$work/out" "$work/log" | sed 's/^/  /'
    failures=$((failures + 1))
  }
}
measure() { # EXPECTED_STATUS ARGS
  local expected=$1 status
  shift
  : > "$work/log"
  (cd "$work/reader" && "$work/copy/plots/measure.sh" "$work/programs" "$work/results" "$1" step9_autotune "${@:2}") > "$work/out" 2>&1
  status=$?
  expect "exit status $status, not $expected: measure.sh $*" test "$status" == "$expected"
}
# Ends it at filter width 16, as Ctrl-C does: all processes of the terminal get the signal.
interrupt() {
  STOP_AT=16 setsid --wait "$work/copy/plots/measure.sh" "$work/programs" "$work/results" short step9_autotune > "$work/out" 2>&1
}
called() { expect "not called: $1" grep -qxE -- "$1" "$work/log"; }
calls() { expect "$(wc -l < "$work/log") calls, not $1" test "$(wc -l < "$work/log")" == "$1"; }
says() { expect "not said: $1" grep -qE -- "$1" "$work/out"; }
rows() { expect "$1 rows" test "$(grep -c '^Convolve,' "$work/results/ladder.csv")" == "$1"; }

mkdir -p "$work/copy/plots/xray" "$work/programs" "$work/reader" "$work/copy/step1_naive"
cp "$repository/kernels.csv" "$work/copy"
cp "$repository/plots/measure.sh" "$work/copy/plots"
cp "$repository/plots/xray/ladder.csv" "$work/copy/plots/xray"
mkdir "$work/copy/tools"
cp "$repository/tools/steps.sh" "$work/copy/tools"
touch "$work/copy/step1_naive/convolution.cl" "$work/log"

# Writes one row. It fails at filter width $FAIL_AT, as with a wrong kernel.
cat > "$work/program" <<'END'
#!/bin/bash
name=${0##*/} arguments=$* width=0 csv=
while (($#)); do
  case $1 in
    --csv) csv=$2 ;;
    --filter-width) width=$2 ;;
  esac
  shift
done
if [[ ${csv##*/} != probe.csv ]]; then
  [[ $width != "${STOP_AT-none}" ]] || kill -INT 0
  echo "$name $arguments in $PWD" >> "$WORK/log"
fi
printf '%s\n' "# device: ${DEVICE-some CPU}" "# device_type: ${TYPE-CPU}" \
  "# options: --filter-width $width --csv $csv --seed 1" \
  "# copy_bytes_per_s: $((width == 7 ? 90 : 10))" "# copy_type: at $width" kernel,filter_width,median_ms > "$csv"
[[ $width != "${FAIL_AT-}" ]] || { echo "wrong at (1, 2)" >&2; exit 2; }
echo "Convolve,$width,1" >> "$csv"
END
chmod +x "$work/program"
export WORK=$work
for program in step1_naive step6_float4 step8_baked_filter step9_autotune median median_work_groups edge_conditions \
  pipeline roofline $("$repository/tools/steps.sh" own); do
  cp "$work/program" "$work/programs/$program"
done
cp "$work/program" "$work/copy/plots/occupancy.sh"

# The short one is the ladder, in the reader's folder, with the reader's arguments.
measure 0 short --input photo.jpg
unfinished=$work/results/unfinished
called "step9_autotune --size 512x512 .* --input photo.jpg --filter-width 7 --winners $unfinished/search.csv --csv $unfinished/ladder/07.part in $work/reader"
calls 6
rows 6
expect "the options of all pieces" \
  grep -qx '# options: --seed 1 --filter-width 3,7,8,16,19,20' "$work/results/ladder.csv"
expect "not the highest ceiling" grep -qx '# copy_bytes_per_s: 90' "$work/results/ladder.csv"
expect "not its type" grep -qx '# copy_type: at 7' "$work/results/ladder.csv"
expect "something is unfinished" test ! -e "$unfinished"

# An interruption loses neither the old results nor the new pieces.
cp "$work/results/ladder.csv" "$work/before.csv"
interrupt
expect "the old results are gone" cmp "$work/results/ladder.csv" "$work/before.csv"
measure 0 short
says 'Going on: 3 pieces'
calls 3
rows 6
# A changed kernel is measured anew from the first width on.
interrupt
echo '// changed' >> "$work/copy/step1_naive/convolution.cl"
measure 0 short
calls 6

# A wrong kernel is said, and the others are kept.
FAIL_AT=8 measure 2 short
says 'wrong at \(1, 2\)'
rows 5

# A reader's own last step need not search.
cp "$work/program" "$work/programs/step10_own"
(cd "$work/reader" && "$work/copy/plots/measure.sh" "$work/programs" "$work/own" short step10_own) > "$work/out" 2>&1
called "step10_own .* --filter-width 7 --csv .*"

# All: a CSV under each name by which the charts and the READMEs look for it.
measure 0 all
says 'Not measured: peers.csv'
for name in blocks chapter7-600x400 chapter7-4096x4096 coalescing edge_conditions-1920x1080 edge_conditions-7680x4320 \
  ladder median median_work_groups model motion-blur occupancy pipeline roofline work-group-16x16 work-group-32x8; do
  expect "no $name.csv" test -f "$work/results/$name.csv"
done
# Every file that a README shows is one that is measured.
while IFS= read -r file; do
  expect "nothing makes $file" grep -qE "plan[a-z_]* ${file%.csv} |/$file" \
    <(cat "$repository/plots/measure.sh"; "$repository/tools/steps.sh" own | sed 's/^/plan /; s/$/ /')
done < <(grep -ohE 'data/[a-z0-9-]+/[A-Za-z0-9_-]+\.csv' "$repository"/*/README.md "$repository/README.md" |
  sed 's|.*/||' | sort -u)

# Another device's results stay, in a folder of their own.
DEVICE=other TYPE=GPU measure 0 short
called 'step9_autotune --size 4096x4096 .*'
expect "the first device's results are gone" grep -qx '# device: some CPU' "$work/results/some-CPU/ladder.csv"
expect "the second device's results are missing" grep -qx '# device: other' "$work/results/ladder.csv"

echo "$checks checks, $failures failures"
((failures == 0))
