#!/bin/bash
# The script ./tutorial itself: what it installs, builds and runs, and how it fails. Everything around
# it is a stand-in that writes down how it was called, so this takes seconds and changes no system.
#
#   tutorial_script.sh BUILD_DIR
#
# shellcheck disable=SC2016  # the dollars in single quotes belong to the stand-ins
set -uo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
failures=0
checks=0
# ctest's environment may choose a device; here the script under test does.
unset TUTORIAL_DEVICE

report_failure() {
  echo "FAILED: $*"
  cat "$work/out" "$work/err" | sed 's/^/  /' | tail -n 10
  failures=$((failures + 1))
}

# tutorial EXPECTED_STATUS ARGS: runs the copy's script from another folder.
tutorial() {
  local expected=$1 status
  shift
  checks=$((checks + 1))
  : > "$work/log"
  (cd / && PATH=$work/bin:$PATH "$work/copy/tutorial" "$@") > "$work/out" 2> "$work/err" < /dev/null
  status=$?
  ((status == expected)) || report_failure "exit status $status, not $expected: ./tutorial $*"
}

expect() { # WHAT COMMAND...
  local what=$1
  shift
  checks=$((checks + 1))
  "$@" > /dev/null 2>&1 || report_failure "$what"
}
says() { expect "stdout does not say: $1" grep -qE -- "$1" "$work/out"; }
complains() { expect "stderr does not say: $1" grep -qE -- "$1" "$work/err"; }
called() { expect "not called: $1" grep -qxE -- "$1" "$work/log"; }
not_called() { expect "called: $1" eval "! grep -qE -- '$1' '$work/log'"; }

# A copy of what the script reads, without a build.
mkdir -p "$work/copy/plots" "$work/bin"
cp -r "$repository"/{CMakeLists.txt,kernels.csv,tutorial,tools,step*/} "$work/copy"
for step in $("$repository/tools/steps.sh" own); do cp -r "$repository/$step" "$work/copy"; done
mapfile -t steps < <("$repository/tools/steps.sh" ladder)
last=${steps[-1]}
# Part II's kernel files are replaced by short ones, whose diffs are known.
rm "$work"/copy/step[789]_*/*.cl
while IFS=, read -r kernel number file _; do
  [[ $number == [789] && -n $file ]] || continue
  printf '%s\n' "// The story of $kernel." "" "// About the helper." "int help_$kernel(int a) { return a; }" "" \
    "// On $kernel." "__kernel void $kernel(" "    int a) {" "  a = help_$kernel(a);" "}" "" \
    >> "$work/copy/${steps[number - 1]}/$file"
done < "$repository/kernels.csv"

stand_in() { # FILE: a program that logs its name and arguments, then does what stdin says
  { echo '#!/bin/bash'; echo "echo \"\${0##*/} \$*\" >> '$work/log'"; cat; } > "$1"
  chmod +x "$1"
}

# --- help, usage errors, diff -----------------------------------------------------------------------

tutorial 0 help
expect "help is wider than 80 columns" eval "! grep -q '.\{81\}' '$work/out'"
for command in run test 'step N' 'xray N' 'diff N' 'diff K1 K2' 'kernel K' charts book devices --all --no-install; do
  says "$command"
done
tutorial 1
complains '^usage:'
for command in frobnicate 'step' 'xray' 'kernel' 'diff' 'diff 1 2 3' 'diff Convolve Convolve' 'charts a b c' 'test --frobnicate' \
  'run --device'; do
  # shellcheck disable=SC2086  # a command with its arguments
  tutorial 1 $command
  complains '^usage:'
done
tutorial 1 step 99
complains "no step '99'.*1 to ${#steps[@]}"
tutorial 1 step ../copy
tutorial 1 diff 1
complains 'step 1 is the first'
tutorial 1 diff 99
tutorial 1 diff Convolve No_Such_Kernel
complains 'Convolve_Unroll'
tutorial 1 charts /nonexistent-folder
complains '/nonexistent-folder'

for ((n = 2; n <= ${#steps[@]}; ++n)); do
  tutorial 0 diff "$n"
  says "^\+\+\+ ${steps[n - 1]}/main.cpp$"
done
tutorial 0 diff 3
says '^\+\+\+ Convolve_UnrollIf$'
tutorial 0 diff 3 host
expect "diff 3 host shows a kernel" eval "! grep -q '^+++ Convolve' '$work/out'"
tutorial 0 diff 3 kernels
expect "diff 3 kernels shows the host" eval "! grep -q main.cpp '$work/out'"
tutorial 0 diff Convolve Convolve_Unroll
says '^--- Convolve$'
expect "the kernels' names count as a difference" eval "! grep -qE '^[-+][^-+].*void ' '$work/out'"
# From one file to another; a kernel brings its helpers, and the comments that tell its story stay behind.
tutorial 0 diff Convolve_Def Convolve_Two
says '^\+// About the helper\.$'
says '^\+int help_Convolve_Two'
says '^-  float sum'
expect "the story is shown" eval "! grep -qE 'story|// On' '$work/out'"
# In the same file the old kernel's helpers still stand.
tutorial 0 diff Convolve_Two Convolve_Block
says '^ int help_Convolve_Two'
says '^\+int help_Convolve_Block'
tutorial 0 diff 7 kernels
expect "diff 7 shows other kernels than step 7's, or not in order" test \
  "$(sed -n 's/^+++ //p' "$work/out" | paste -sd ' ')" == \
  "$(awk -F, '$2 == 7 { print $1 }' "$repository/kernels.csv" | paste -sd ' ')"
# A step of one's own has a name, and is compared with the step that it began with.
tutorial 0 diff own_step
says '^--- step1_naive/main.cpp$'
says '^\+__kernel void Convolve_Separable_Rows'
says '^\+\+\+ Convolve_Separable$'
# What kernels.csv says must be there.
rm "$work/copy/${steps[7]}/fast.cl"
tutorial 1 diff Convolve Convolve_Fast
complains "Convolve_Fast: there is no file ${steps[7]}/fast.cl"
tutorial 1 diff 8
echo > "$work/copy/${steps[7]}/fast.cl"
tutorial 1 diff Convolve Convolve_Fast
complains "no kernel Convolve_Fast in ${steps[7]}/fast.cl"
sed -i '/^Convolve_Unroll,/s/,Convolve,/,,/' "$work/copy/kernels.csv"
tutorial 1 diff 2
complains 'which kernel Convolve_Unroll grew from'

# --- Packages ---------------------------------------------------------------------------------------

# Two packages are missing.
stand_in "$work/bin/dpkg-query" <<'END'
[[ ${*: -1} =~ ^(gnuplot-nox|oclgrind)$ ]] && exit 1
echo installed
END
for program in apt-get cmake ctest sudo; do
  stand_in "$work/bin/$program" <<< 'case $0 in *sudo) "$@" ;; esac'
done
tutorial 0 test
called 'apt-get update.*'
called 'apt-get install .*--no-install-recommends gnuplot-nox oclgrind'
says 'Installing: gnuplot-nox oclgrind'
expect "install before update" eval "grep -n apt-get '$work/log' | head -n 1 | grep -q update"
called 'cmake --preset ci'
called 'cmake --build --preset ci .*'
called 'ctest --preset ci'
((EUID)) || not_called sudo
tutorial 0 test --no-install
not_called 'apt-get|dpkg-query'
called 'ctest --preset ci'

if ((EUID == 0)) && command -v setpriv > /dev/null; then
  : > "$work/log"
  chmod 666 "$work/log"
  (cd / && PATH=$work/bin:$PATH setpriv --reuid 65534 --regid 65534 --clear-groups \
    "$work/copy/tutorial" test) > "$work/out" 2> "$work/err"
  called 'sudo apt-get update.*'
  called 'sudo .*apt-get install .*'
fi

stand_in "$work/bin/dpkg-query" <<< 'echo installed'
tutorial 0 test
not_called apt-get

# What fails is not passed over.
stand_in "$work/bin/ctest" <<< 'exit 8'
tutorial 8 test
stand_in "$work/bin/cmake" <<< '[[ $1 != --build ]]'
tutorial 1 test
not_called ctest
stand_in "$work/bin/cmake" <<< '[[ $1 == --build ]]'
tutorial 1 test
complains './tutorial run'
not_called 'cmake --build'
stand_in "$work/bin/cmake" < /dev/null

# --- run, step, devices, charts ---------------------------------------------------------------------

mkdir -p "$work/copy/build/release"
for step in "${steps[@]}"; do
  stand_in "$work/copy/build/release/$step" <<< "echo \"\${0##*/} has device '\$TUTORIAL_DEVICE'\" >> '$work/log'"
done
stand_in "$work/copy/tools/page.sh" <<< 'touch "$1/index.html"'
cp -r "$repository/plots/published" "$work/copy/plots"
# It writes what plots/measure.sh would.
stand_in "$work/copy/plots/measure.sh" <<END
echo "measure.sh in \$PWD" >> '$work/log'
mkdir -p "\$2"
printf '%s\n' '# device: stand-in' \
  kernel,filter_width,width,height,local_x,local_y,rounds,median_ms,low_ms,high_ms,min_ms,relative_percent,gpixels_per_s,max_error,clock,x_floor \
  Convolve,7,64,64,0,0,7,2,1,3,1,100,0.5,0,event,20 Convolve_Def,7,64,64,0,0,7,1,1,3,1,50.4,1,0,event,10 > "\$2/ladder.csv"
for width in {2..32}; do
  echo Convolve_Def_Local_UnrollAll,\$width,64,64,0,0,7,900,800,999,850,13098.25,0.001111,0,event,1200.25
done >> "\$2/ladder.csv"
END
stand_in "$work/bin/gnuplot" < /dev/null
# The studies beside the ladder.
for study in $("$repository/tools/steps.sh" own) median edge_conditions roofline pipeline; do
  mkdir -p "$work/copy/$study"
  touch "$work/copy/$study/main.cpp"
  stand_in "$work/copy/build/release/$study" < /dev/null
done
stand_in "$work/copy/build/release/devices" < /dev/null
stand_in "$work/copy/plots/charts.sh" <<< 'touch "$2/chart.svg"'

tutorial 0 run --device 'some GPU' --seed 5
for step in "${steps[@]}"; do
  called "$step --verify-only .*"
done
called "roofline --verify-only --size 101x67"
called "measure.sh $work/copy/build/release $work/copy/results short $last --seed 5"
called 'measure.sh in /'
called "$last has device 'some GPU'"
called 'charts.sh results /.*'
called 'dpkg-query .* pocl-opencl-icd'
not_called 'dpkg-query .* oclgrind'
says '^Convolve_Def .* 50 .* 1 +10\.00$'
says '^Not measured: [1-9]'
expect "no claims" test -f "$work/copy/results/claims.csv"
called "page.sh results"
expect "the last line is not the page" test "$(tail -n 1 "$work/out")" == "$work/copy/results/index.html"
expect "wider than 80 columns without the path" eval "! grep -v '$work' '$work/out' | grep -q '.\{81\}'"
expect "no charts" test -f "$work/copy/results/charts/chart.svg"
tutorial 0 run --all --no-install
not_called dpkg-query
called "measure.sh $work/copy/build/release $work/copy/results all $last"
tutorial 1 run --all --seed 5
complains 'run --all measures what the READMEs show'

tutorial 0 step 2 --size 3x3
called "${steps[1]} --size 3x3"
tutorial 0 step "$last"
called "$last "
tutorial 0 step roofline --filter-width 3
called "roofline --filter-width 3"
# A build that compiles says so in one line on stderr, one that has nothing to do is silent.
stand_in "$work/bin/cmake" <<< '[[ $1 != --build ]] || printf "[%s%%] Building CXX object\n" " 50" 100'
tutorial 0 step 2
expect "stderr is not the one line Building" test "$(< "$work/err")" == Building
expect "a step's stdout is not its program's alone" test ! -s "$work/out"
stand_in "$work/bin/cmake" <<< '[[ $1 != --build ]] || echo "[100%] Built target step2"'
tutorial 0 step 2
expect "a build without work is told" test ! -s "$work/err"
stand_in "$work/bin/cmake" < /dev/null
tutorial 0 devices
called "devices "
mkdir "$work/copy/xray"
stand_in "$work/copy/xray/xray.sh" <<< 'echo "xray.sh in $PWD" >> '"$work/log"
tutorial 0 xray 2 --warp 16
called 'dpkg-query .* liboclgrind-dev'
called "cmake --build --preset default .* --target ${steps[1]} xray"
called "xray.sh $work/copy/build/release ${steps[1]} --warp 16"
called 'xray.sh in /'
tutorial 0 xray "$last" --no-install
called "xray.sh $work/copy/build/release $last"
not_called dpkg-query
stand_in "$work/copy/tools/book.sh" < /dev/null
tutorial 0 book
called 'dpkg-query .* pandoc'
called "book.sh results ${steps[*]}"
says "$work/copy/results/book.html"
tutorial 0 charts
called "charts.sh $work/copy/results /.*"
mkdir -p "$work/copy/mine/out"
touch "$work/copy/mine/out/letter.txt"
(cd "$work/copy" && ln -s . here && cd mine && ../tutorial charts . out) > "$work/out" 2>&1
called "charts.sh $work/copy/mine /.*"
expect "no charts of the reader's folder" test -f "$work/copy/mine/out/chart.svg"
expect "a file of the reader's is gone" test -f "$work/copy/mine/out/letter.txt"

# A step that fails makes the whole fail, but the others still run and their results are shown.
stand_in "$work/copy/build/release/${steps[1]}" <<< 'echo "wrong at (3, 4)" >&2; exit 2'
tutorial 1 run
says "^${steps[1]} +FAILED"
says 'wrong at \(3, 4\)'
says "^${steps[2]} +ok"
says '^Convolve_Def +50'
complains 'something above failed'
tutorial 2 step 2
stand_in "$work/copy/build/release/${steps[1]}" < /dev/null
# Charts that cannot be drawn leave the old ones.
stand_in "$work/copy/plots/charts.sh" <<< 'exit 1'
tutorial 1 run
expect "the old charts are gone" test -f "$work/copy/results/charts/chart.svg"
stand_in "$work/copy/plots/charts.sh" <<< 'touch "$2/chart.svg"'
# Wrong kernels have no rows, and the others are shown; an interruption shows nothing.
stand_in "$work/copy/plots/measure.sh" <<< 'exit 2'
tutorial 1 run
says '^Convolve_Def +50'
complains 'something above failed'
stand_in "$work/copy/plots/measure.sh" <<< 'exit 130'
tutorial 1 run
complains 'results/ is as it was before'
expect "the old table is shown" eval "! grep -q '^Convolve_Def' '$work/out'"

echo "$checks checks, $failures failures"
((failures == 0))
