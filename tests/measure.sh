#!/bin/bash
# Which fault turns this test red alone: measuring that loses a complete piece, keeps a half one, measures what is up to
# date, or mixes devices. The programs are stand-ins that write down how they were called.
#
#   measure.sh BUILD_DIR
#
# shellcheck source-path=SCRIPTDIR
source "$(dirname "$0")/checks.bash"

measure() { # EXPECTED_STATUS EXTENT [ARGS]
  : > "$work/log"
  ends "$1" plots/measure.sh programs results "${@:2}"
}
called() { expect "not called: $1" grep -qxE -- "$1" "$work/log"; }
calls() { expect "$(wc -l < "$work/log") calls, not $1" test "$(wc -l < "$work/log")" == "$1"; }
says() { expect "not said: $1" grep -qE -- "$1" "$work"/{out,err}; }
rows() { expect "not $1 rows of $2" test "$(grep -c "^$2,"  results/ladder.csv)" == "$1"; }

# A copy of what is read, in a folder whose name has a blank.
mkdir -p "$work/a copy/"{plots/xray,programs,build,bin} && cd "$work/a copy" || exit 1
cp "$repository"/{kernels.csv,tutorial} .
ln -s /bin/true bin/cmake
cp "$repository"/plots/measure* plots
cp "$repository"/plots/xray/ladder.csv plots/xray
for folder in "$repository"/{step*,studies/{own_step,stereo,edge_conditions},background/roofline,median}/; do
  mkdir "$(basename "$folder")" && touch "$(basename "$folder")/"{main.cpp,convolution.cl,block.cl,median.cl,roofline.cl}
done

# Writes one row of the program's own kernel and one of the baseline. At filter width $FAIL_AT it ends with $FAIL_WITH.
cat > programs/program <<'END_OF_PROGRAM'
#!/bin/bash
name=${0##*/} arguments=$* width=0 csv= kernel=${0##*/}
while (($#)); do
  case $1 in
    --csv) csv=$2 ;;
    --filter-width) width=$2 ;;
    --filter) width=5 ;;
    --winners) printf '%s\n' '# winners' filter_width,kernel "$width,Convolve_Block" > "$2" ;;
    --kernel) [[ $2 != Convolve_Image ]] || kernel=Convolve_Image ;;
  esac
  shift
done
[[ $csv ]] || exit 0
printf '%s\n' "# device: ${DEVICE-some CPU}" "# device_type: ${TYPE-CPU}" "# driver: 1.0" \
  "# "{multiply_adds,copy_bytes,cached_loads,cached_bytes,local_bytes}"_per_s: 1" \
  kernel,filter_width,width,height,median_ms "Convolve,$width,8,8,1" > "$csv"
[[ $csv == */probe.csv ]] || echo "$name $arguments" >> "$WORK/log"
if [[ $csv != */probe.csv && $width == "${FAIL_AT-}" ]]; then
  case $FAIL_WITH in
    INT) kill -INT 0 ;;
    KILL) kill -KILL $$ ;;
    SLEEP) echo $$ > "$WORK/pid"; sleep 60 ;;
    *) echo "wrong at (1, 2)" >&2; exit "$FAIL_WITH" ;;
  esac
fi
echo "$kernel,$width,8,8,1" >> "$csv"
END_OF_PROGRAM
chmod +x programs/program
export WORK=$work
for program in step{1_naive,6_float4,8_baked_filter,9_autotune,10_fft} median median_work_groups edge_conditions pipeline roofline own_step stereo; do
  cp programs/program "programs/$program"
done
cp programs/program plots/occupancy.sh
ln -s "$build/report" programs/report

# All: a CSV under each name by which the charts and the READMEs look for it.
measure 0 all
says 'Not measured: peers.csv'
for name in $(cd "$repository/plots/data/pocl-epyc" && ls -- *.csv); do
  [[ $name =~ ^(peers|median_opencv) ]] || expect "no $name" test -s "results/$name"
done
called 'step10_fft --size 512x512 .* --filter-width 7 --winners .*'
rows 31 Convolve
rows 31 step10_fft
expect "nothing to send" tar -tzf results/device.tar.gz some-CPU/ladder.csv

# The short one measures pieces of that one, so it finds all up to date and takes nothing from the ladder.
cp results/ladder.csv "$work/before.csv"
measure 0 short
calls 0
expect "short has changed the ladder" cmp results/ladder.csv "$work/before.csv"

# A changed program or kernel file: only the pieces that need it are measured, and no other widths are shown beside
# them.
for changed in programs/step10_fft step7_register_block/block.cl; do
  touch "$changed"
  measure 0 short
  calls 5
done
called 'step10_fft .* --filter-width 3 .*'
rows 5 step10_fft
rows 31 step6_float4

# An interruption, as by Ctrl-C, and a program that is killed: what was complete is kept, what was half is not.
for end in INT KILL 1; do
  touch step6_float4/convolution.cl
  cp results/ladder.csv "$work/before.csv"
  : > "$work/log"
  FAIL_AT=16 FAIL_WITH=$end setsid --wait plots/measure.sh programs results short > "$work/out" 2> "$work/err"
  if [[ $end == INT ]]; then
    expect "the old results are gone" cmp results/ladder.csv "$work/before.csv"
  else
    expect "$end: old results are shown as new" test ! -e results/ladder.csv
    says "ladder-1, 16 x 16: exit status ${end/KILL/137}"
  fi
  done_before=$(grep -c step6 "$work/log")
  measure 0 short
  [[ $end == INT ]] && calls $((5 - done_before + 1)) || calls 1
  rows 5 step6_float4
done

# A wrong kernel has no row, and the others are kept; it is told as long as it is wrong.
touch step10_fft/convolution.cl
for _ in first second; do
  FAIL_AT=7 FAIL_WITH=2 measure 2 short
  says 'wrong at \(1, 2\)'
  rows 4 step10_fft
done
calls 0
touch step10_fft/convolution.cl
measure 0 short

# An empty ladder, from a disk that was full, is written anew; one that cannot be written is not shown in its old form.
: > results/ladder.csv
measure 0 short
rows 5 step10_fft
part=$(dirname results/pieces/*/ladder.csv)/ladder.csv.part
mkdir "$part"
measure 1 short
says 'cannot write .*ladder.csv.part'
expect "an old ladder is shown as new" test ! -e results/ladder.csv
rmdir "$part"

# A list of the kernels as another system's editor leaves it; and a row that is none.
sed -i 's/$/\r/' kernels.csv
measure 0 short
rows 5 step10_fft
sed -i '3s/,.*//' kernels.csv
ends 1 programs/report steps ladder
says 'kernels.csv:3: 1 fields, but 8 columns'
cp "$repository/kernels.csv" .

# The reader's arguments have pieces of their own.
measure 0 short --seed 5 --input '$HOME/a photo.jpg'
called 'step10_fft .* --seed 5 --input \$HOME/a photo.jpg --filter-width 7 .*'
measure 0 short
calls 0

# A filter in a file has one width; another version of it is another filter.
echo 1 > "$work/a filter"
measure 0 short --filter "$work/a filter"
called 'step10_fft .* --filter .*/a filter --filter-width 5 .*'
calls 3
touch "$work/a filter"
measure 0 short --filter "$work/a filter"
calls 2

# One run at a time.
(flock 9; : > "$work/locked"; sleep 2) 9> results/.lock &
until [[ -e $work/locked ]]; do sleep 0.05; done
measure 1 short
says '^Another run is measuring into results\.$'
wait

# Two runs of the whole; one that is ended ends its programs. So do the tests.
ln -s ../programs build/release
printf '#!/bin/bash\necho $$ > "$WORK/pid"; sleep 60\n' > bin/ctest
chmod +x bin/ctest
export PATH=$PWD/bin:$PATH
touch step6_float4/convolution.cl
for command in run test; do
  rm -f "$work/pid"
  FAIL_AT=7 FAIL_WITH=SLEEP ./tutorial $command --no-install > "$work/first" 2>&1 &
  until [[ -s $work/pid ]]; do sleep 0.05; done
  if [[ $command == run ]]; then
    ends 1 ./tutorial run --no-install
    says "^tutorial: another run is measuring into $PWD/results\$"
  fi
  kill -TERM $!
  wait $!
  for _ in {1..50}; do [[ ! -e /proc/$(< "$work/pid") ]] || sleep 0.1; done
  expect "a program goes on after $command" test ! -e "/proc/$(< "$work/pid")"
done
measure 0 short

# Another device's results stay, in a folder of their own, and so do its pieces.
DEVICE=other TYPE=GPU measure 0 short
expect "the first device's results are gone" grep -qx '# device: some CPU' results/some-CPU/ladder.csv
measure 0 short
calls 0
expect "not the results of the device that was measured last" grep -qx '# device: some CPU' results/ladder.csv

finish
