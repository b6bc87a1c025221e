#!/bin/bash
# Which fault turns this test red alone: measuring that loses a complete piece, keeps a half one, measures what is up to
# date, or mixes devices. The programs are stand-ins that write down how they were called.
source "$(dirname "$0")/checks.bash"

measure() { # EXPECTED_STATUS EXTENT [ARGS]
  : > "$work/log"
  ends "$1" plots/measure.sh programs results "${@:2}"
}
called() { expect "not called: $1" grep -qxE -- "$1" "$work/log"; }
calls() { expect "$(wc -l < "$work/log") calls, not $1" test "$(wc -l < "$work/log")" == "$1"; }
measures() { measure 0 short "${@:2}"; calls "$1"; } # PIECES [ARGS]: that many are not up to date
says() { expect "not said: $1" grep -qE -- "$1" "$work"/{out,err}; }
rows() { expect "not $1 rows of $2" test "$(grep -c "^$2," results/ladder.csv)" == "$1"; }
edit() { printf '%s\n' "# $RANDOM" >> "$1"; }

# A copy of what is read, in a folder whose name has a blank.
mkdir -p "$work/a copy/"{plots,programs,bin,step6_float4,step7_register_block} && cd "$work/a copy" || exit 1
for folder in "$repository"/{step*,studies/{two_passes,stereo}}/; do
  mkdir -p "$(basename "$folder")" && touch "$(basename "$folder")/"{main,convolution,block}.c{pp,l}
done
cp "$repository"/{kernels.csv,tutorial} .
cp "$repository"/plots/*.{csv,sh} plots
ln -s "$repository"/plots/{data,published,xray} plots
ln -s "$repository/tools" .

# Writes a row of the program's own and the reference CPU's at this width, and, as programs do, what it was made of:
# step 10's reads step 7's kernels, too. At filter width $FAIL_AT it does $FAIL_WITH.
cat > programs/program <<'END_OF_PROGRAM'
#!/bin/bash
name=${0##*/} arguments=$* width=3 csv= kernel=${0##*/}
while (($#)); do
  case $1 in
    --csv) csv=$2 ;;
    --filter-width) width=$2 ;;
    --filter) width=5 ;;
    --winners) [[ $width == "${NO_WINNERS-}" ]] || printf '%s\n' '# winners' filter_width,kernel "$width,Convolve_Block" > "$2" ;;
    --kernel) [[ $2 != Convolve_Image ]] || kernel=Convolve_Image ;;
  esac
  shift
done
if [[ ! $csv ]]; then
  [[ $name != "${WRONG-}" ]] || exit 2
  exit 0
fi
reference=plots/data/pocl-epyc/ladder.csv
{
  sed -n '/^#/p' "$reference" | sed "s/^# device: .*/# device: ${DEVICE-some CPU}/; s/^# device_type: .*/# device_type: ${TYPE-CPU}/; s/^# driver: .*/# driver: ${DRIVER-1.0}/"
  grep '^kernel,' "$reference"
  grep -E "^(Convolve|Convolve_Block16),$width," "$reference"
} > "$csv"
[[ $csv != */probe.csv ]] || exit 0
printf 'kernel,filter_width,rounds_ms\n%s,%s,1\n' "$kernel" "$width" > "${csv%.csv}.rounds.csv"
echo "$name ${TUTORIAL_BUILD_OPTIONS-} $arguments" >> "$WORK/log"
note() { # FNV-1a
  local byte hash=$((0xcbf29ce484222325))
  for byte in $(od -An -v -tu1 "$1"); do hash=$(((hash ^ byte) * 0x100000001b3)); done
  printf '%016x %s\n' "$hash" "$PWD/$1" >> "$TUTORIAL_INPUTS"
}
[[ ! -f $name/convolution.cl ]] || note "$name/convolution.cl"
[[ $name != step10_fft ]] || note step7_register_block/block.cl
if [[ $width == "${FAIL_AT-}" ]]; then
  case $FAIL_WITH in
    INT) kill -INT 0 ;;
    KILL) kill -KILL $$ ;;
    SLEEP) echo $$ > "$WORK/pid"; sleep 60 ;;
    EDIT) echo '// while it is measured' >> "$name/convolution.cl" ;;
    *) echo "wrong at (1, 2)" >&2; exit "$FAIL_WITH" ;;
  esac
fi
sed -n "s/^Convolve,$width,/$kernel,$width,/p" "$reference" >> "$csv"
END_OF_PROGRAM
chmod +x programs/program
export WORK=$work
for program in step*/ two_passes stereo median median_work_groups edge_conditions pipeline roofline byte_peers scale; do
  cp programs/program "programs/${program%/}"
done
cp programs/program plots/occupancy.sh
ln -s "$build/tutorial" programs/report

# All: a CSV under each name by which the charts and the READMEs look for it.
measure 0 all
says '^Not measured: peers, '
for name in $(cd "$repository/plots/data/pocl-epyc" && ls -- *.csv) ladder.rounds.csv; do
  [[ $name =~ ^(peers|median_opencv|devices) ]] || expect "no $name" test -s "results/$name"
done
called 'step10_fft  --size 512x512 .* --filter-width 7 --winners .*'
called 'step6_float4 -cl-opt-disable --size 64x64 .*'
called 'step6_float4  --size 512x512 --time-budget [0-9]+ --kernel OpenMP,Convolve,.* --filter-width 32 .*'
expect "Part I has Convolve_Image" test "$(grep -c 'size 512x512 .*Convolve_Image' "$work/log")" == 31
rows 31 Convolve
rows 31 step10_fft
expect "nothing to send" tar -tzf results/device.tar.gz some-CPU/ladder.csv some-CPU/ladder.rounds.csv

# The short one measures pieces of that one, so it finds all up to date and takes nothing from the ladder.
cp -r results "$work/before"
rm results/device.tar.gz
measures 0
expect "nothing to send of a short run" test -s results/device.tar.gz
expect "short has changed the results" diff -x device.tar.gz -x pieces -r "$work/before/" results

# What results/ shows is of one image, driver, set of build options and device; what another has measured comes back.
# An accelerator is measured as a GPU.
for other in '' DRIVER=2.0 TUTORIAL_BUILD_OPTIONS=-x 'DEVICE=other TYPE=accelerator'; do
  : > "$work/log"
  [[ $other ]] && size=() || size=(--size 64x64)
  # shellcheck disable=SC2086  # several words
  ends 0 env $other plots/measure.sh programs results short "${size[@]}"
  calls 11
  expect "of another run: $(ls results)" test "$(cd results && echo *.csv)" == \
    "edge_conditions-1920x1080.csv edge_conditions-1920x1080.rounds.csv ladder.csv ladder.rounds.csv search.csv"
done
called 'step6_float4  --size 4096x4096 .*'
expect "results of two devices" test "$(grep -h '^# device: ' results/*.csv | sort -u)" == '# device: other'
measures 0
expect "what was measured is gone" diff -x device.tar.gz -x pieces -r "$work/before/" results

# A changed program or kernel file: only the pieces that need it are measured, the run says why, and no other widths are
# shown beside them. Only the content counts: not the time of a file, and not a clock that was set back.
for changed in programs/step10_fft step7_register_block/block.cl; do
  touch "$changed"
  measures 0
  cp -p "$changed" "$work/old"
  edit "$changed"
  find results -exec touch -d tomorrow {} +
  measures 5
  says "^why: $changed changed: ladder$"
done
called 'step10_fft  .* --filter-width 3 .*'
rows 5 step10_fft
rows 31 step6_float4
mv "$work/old" step7_register_block/block.cl
measures 5

# A kernel that is edited while it is measured is measured again.
edit step6_float4/convolution.cl
FAIL_AT=7 FAIL_WITH=EDIT measure 2 short
measures 3 # 3, 4 and 7, which had read the old text

# Other arguments in the plan.
sed -i '/^ladder,CPU,step10_fft/s/512x512/256x256/' plots/measurements.csv
measures 5
says '^why: the plan changed: ladder$'

# An interruption, as by Ctrl-C, and a program that is killed: what was complete is kept, what was half is not, and the
# run says so.
for end in INT KILL 1; do
  edit step6_float4/convolution.cl
  cp results/ladder.csv "$work/before.csv"
  : > "$work/log"
  FAIL_AT=16 FAIL_WITH=$end ends "$([[ $end == INT ]] && echo 1 || echo 2)" plots/measure.sh programs results short
  if [[ $end == INT ]]; then
    expect "the old results are gone" cmp results/ladder.csv "$work/before.csv"
    calls 4
  else
    rows 4 step6_float4
    rows 5 step10_fft
    says "exit status ${end/KILL/137}"
    says '^ladder: step6_float4, 16 x 16: not measured$'
  fi
  measures "$([[ $end == INT ]] && echo 2 || echo 1)"
  rows 5 step6_float4
done

# A wrong kernel has no row, and the others are kept; it is told as long as it is wrong.
edit step10_fft/convolution.cl
for _ in first second; do
  FAIL_AT=7 FAIL_WITH=2 measure 2 short
  says 'wrong at \(1, 2\)'
  rows 4 step10_fft
done
calls 0
edit step10_fft/convolution.cl
measure 0 short

# A piece of which a part was lost is made anew; a search that found nothing in its time is no failure.
for broken in '' 'kernel,filter_width'$'\n''x'; do
  printf %s "$broken" > "$(grep -l 256x256 results/pieces/*/ladder-2/07/command | xargs dirname)/rows.csv"
  NO_WINNERS=7 measures 1
  rows 5 step10_fft
  expect "not the other searches" test "$(grep -c Block results/search.csv)" == 4
done

# An empty ladder, from a disk that was full, is written anew; one that cannot be written is not shown in its old form.
: > results/ladder.csv
measure 0 short
rows 5 step10_fft
mkdir results/ladder.csv.part
measure 1 short
says 'cannot write .*ladder.csv'
expect "an old ladder is shown as new" test ! -e results/ladder.csv

# A list of the kernels as another system's editor leaves it; and a row that is none.
sed -i 's/$/\r/' kernels.csv
measure 0 short
rows 5 step10_fft
sed -i '3s/,.*//' kernels.csv
ends 1 programs/report steps ladder
says 'kernels.csv:3: 1 fields, but 8 columns'
cp "$repository/kernels.csv" .

# The reader's arguments and files have pieces of their own, whatever their names; another version of a file is another
# file, also if it is an older one.
long=$work/$(printf 'x%.0s' {1..200})/$(printf 'x%.0s' {1..200})
mkdir -p "$long"
echo 1 > "$work/it's \$HOME.jpg"
echo 2 > "$work/older"
touch -d yesterday "$work/older"
for input in "$work/it's \$HOME.jpg" "$work/its-\$HOME.jpg" "$work/фото" "$work/файл" "$long/photo"; do
  [[ -f $input ]] || echo 1 > "$input"
  measures 11 --seed 5 --input "$input"
  measures 0 --seed 5 --input "$input"
done
mv "$work/older" "$work/it's \$HOME.jpg"
measures 11 --seed 5 --input "$work/it's \$HOME.jpg"
called "step10_fft .* --seed 5 --input $work/it's \\\$HOME.jpg --filter-width 7 .*"

# A filter in a file has one width.
echo 1 > "$work/a filter"
measure 0 short --filter "$work/a filter"
called 'step10_fft  .* --filter .*/a filter --filter-width 5 .*'
calls 3

# A run of the whole, with a wrong kernel, and with a converter that writes nothing.
cat > bin/gnuplot <<'END'
#!/bin/bash
echo '</svg>' > "$(sed -E "s/.*out='([^']*)'.*/\1/" <<< "$2")"
END
cat > bin/pandoc <<'END'
#!/bin/bash
while (($#)); do [[ $1 != --output || ${FAIL-} ]] || echo page > "$2"; shift; done
END
printf '#!/bin/bash\necho $$ > "$WORK/pid"; sleep 60\n' > bin/ctest
chmod +x bin/*
export PATH=$PWD/bin:$PATH TUTORIAL_PROGRAMS=programs
ends 0 ./tutorial run --no-install
expect "no page" grep -qx page results/index.html
ends 1 env FAIL=1 ./tutorial run --no-install
expect "the last page is lost" grep -qx page results/index.html
ends 1 env WRONG=step2_unroll ./tutorial run --no-install
says '^step2_unroll  *FAILED$'

# A step of one's own, alone.
for arguments in '' '--size 64x64 --seed 5'; do
  # shellcheck disable=SC2086  # several words
  ends 0 ./tutorial measure two_passes $arguments
  called "two_passes  --filter-width [0-9,]+ --csv $PWD/results/two_passes/two_passes.csv ?$arguments"
  expect "no chart of two_passes" rm results/two_passes/two_passes.svg
done

# Two runs of the whole; one that is ended ends its programs. So do the tests.
edit step6_float4/convolution.cl
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

# What the programs themselves note: the commit, whoever owns the clone, and what they read.
if "$build/devices" > /dev/null 2>&1; then
  export TUTORIAL_INPUTS=$work/inputs GIT_TEST_ASSUME_DIFFERENT_OWNER=1
  ends 0 "$build/step1_naive" --size 8x8 --time-budget 0 --csv "$work/real.csv"
  ! git -C "$repository" -c safe.directory='*' rev-parse > /dev/null 2>&1 || expect "no commit" grep -qE '^# commit: [0-9a-f]{12}(-dirty)?$' "$work/real.csv"
  for file in "$build/step1_naive" "$repository/"{step1_naive/convolution,background/roofline/roofline}.cl; do
    expect "not noted: $file" grep -qxE "[0-9a-f]{16} $file" "$work/inputs"
  done
fi
finish
