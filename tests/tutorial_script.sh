#!/bin/bash
# Which fault turns this test red alone: ./tutorial taking a command that it does not know, or refusing one in more than
# one line; as far as that needs no build.
source "$(dirname "$0")/checks.bash"

tutorial() { ends "$1" "$repository/tutorial" "${@:2}"; } # EXPECTED_STATUS ARGS
refuses() { # MESSAGE ARGS: in one line, before anything is installed or built
  tutorial 1 "${@:2}"
  expect "not one line on stderr: ${*:2}" test "$(wc -l < out),$(wc -l < err)" == 0,1
  expect "stderr does not say '$1': ${*:2}" grep -qE -- "$1" err
}

tutorial 0 help
expect "help is wider than 80 columns" test "$(wc -L < out)" -le 80
for command in '' frobnicate step xray diff 'diff 1 2 3' 'test --frobnicate' 'book x y'; do
  # shellcheck disable=SC2086  # a command with its arguments
  tutorial 1 $command
  expect "no usage: $command" grep -q '^usage:' err
done
for verb in run step xray asm diff new measure; do
  tutorial 0 $verb --help
  expect "$verb --help: not its own part" eval "grep -qE '^  $verb ' out && ! grep -qE '^  puzzle ' out"
done
refuses "no kernel 'nothing'" asm nothing
refuses "run does not know '--bogus'" run --bogus
refuses 'run: --device needs a value' run --all --device
refuses 'it takes --device alone' run --all --seed 5
refuses "no step '99'.* step1_naive .* step9_autotune" step 99
refuses "no step '../tests'" step ../tests
refuses "no step 'plots'" xray plots
# Through a link; from a folder that the tools behind it cannot work in; where nothing can be written.
ln -s "$repository/tutorial" link
ends 1 ./link step 99
expect "a link hides the steps" grep -q 'step1_naive .* step9_autotune' err
mkdir -p "a;b" copy/step1_naive
cp "$repository/tutorial" "a;b"
ends 1 "a;b/tutorial" help
expect "a path with a semicolon: $(< err)" grep -q '^tutorial: the path must not have' err
cp "$repository/tutorial" copy
touch copy/build copy/step1_naive/main.cpp
ends 1 copy/tutorial step 1
expect "no folder to build in: $(< err)" grep -q "^tutorial: cannot write to $work/copy/build\$" err

# A word that is nearly one; a step of the reader's.
ends 1 env TUTORIAL_PROGRAMS="$build" "$repository/tutorial" stpe
expect "not the nearest" grep -q "no command 'stpe'; the nearest is step$" err
mkdir new
cp -r "$repository"/{tutorial,kernels.csv,step2_unroll,studies} new
ends 0 new/tutorial new my_step
expect "not what comes next" grep -qxE " *./tutorial measure my_step .*" out
expect "another row" grep -qx 'My_Step,my_step,convolution.cl,,6,7,1,7' new/kernels.csv
expect "not the beginning of a step" \
  diff <(sed s/My_Kernel/My_Step/ new/studies/two_passes/new/main.cpp new/studies/two_passes/new/convolution.cl) <(cat new/my_step/{main.cpp,convolution.cl})
ends 1 new/tutorial new mine --liek 1
expect "no usage: new --liek" grep -q "^usage:" err
ends 0 new/tutorial new mine --like 2
expect "another row" grep -qx 'Mine,mine,convolution.cl,Convolve,6,7,1,2' new/kernels.csv
expect "not one row beside the first" test "$(diff new/step2_unroll/main.cpp new/mine/main.cpp | grep "^[<>]")" == $'<     {"Convolve_Unroll"},\n>     {"Mine"},'
expect "not Convolve twice" test "$(grep -c '^  output\[' new/mine/convolution.cl) $(grep -c 'void Mine(' new/mine/convolution.cl)" == '2 1'
for name in my_step stereo step1 Mine ../a "yours --like pipeline"; do
  # shellcheck disable=SC2086  # a name with an option
  ends 1 new/tutorial new $name
  expect "not one line: new $name" test "$(wc -l < err)" == 1
  expect "left: new $name" test ! -e new/yours
done

# What a system's archive has is installed, the rest named; without apt nothing is.
mkdir bin
cat > bin/stub << 'END_OF_STUB'
#!/bin/bash
case ${0##*/} in
  apt-cache) for package in "${@:2}"; do echo "$package:"; [[ $package == oclgrind ]] || echo '  Candidate: 1.0'; done ;;
  apt-get) echo "$*" >> "$(dirname "$0")/installed" ;;
  sudo) exec "$@" ;;
  dpkg-query) exit 1 ;;
esac
END_OF_STUB
chmod +x bin/stub
for tool in apt-cache apt-get sudo dpkg-query; do ln -s stub bin/$tool; done
ends 0 env "PATH=$work/bin:$PATH" "$repository/tutorial" install
expect "oclgrind is not named" grep -qx "Not among this system's packages: oclgrind. What needs them is left out. For Oclgrind see SETUP.md." out
expect "not installed: all the others" grep -q '^install .* pocl-opencl-icd .* liboclgrind-dev ' bin/installed
rm bin/*
for tool in dirname realpath grep; do ln -s "$(command -v $tool)" bin/$tool; done
ends 0 env "PATH=$work/bin" "$repository/tutorial" install
expect "not the page for other systems" grep -q '^Not Debian or Ubuntu.* SETUP.md ' out

# A kernel for sparse filters is verified with one; what is not verified is not called ok.
sed '/^command=/,$d' "$repository/tutorial" > functions.sh
mkdir -p results/pieces
cat > stub << 'END'
#!/bin/bash
case "$*" in
  --help) echo '  --filter NAME' ;;
  *motion-blur*Sparse,Tiles*) echo Tiles >> "$TUTORIAL_SKIPPED"; exit "$STATUS" ;;
  *) printf '%s\n' Tiles Sparse Tiles >> "$TUTORIAL_SKIPPED" ;;
esac
END
chmod +x stub
verify() { ends "$1" env STATUS="$2" bash -c 'source ./functions.sh && programs=. && verify stub'; }
verify 0 0
expect "not all but Tiles" grep -qx 'stub  *ok, but for Tiles' out
verify 1 2
expect "wrong with the sparse filter alone" grep -q 'stub  *FAILED' out

finish
