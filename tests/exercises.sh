#!/bin/bash
# Does every exercise do what its answer says? Its commands run as they stand, with those at the start of the answer
# where the reader opens an editor, in a copy of the repository, on PoCL. Then the exit status of the last one, and
# what all of them print, must be as <!-- expect: STATUS REGEX --> says, every line of it.
#
#   exercises.sh BUILD_DIR EXERCISES.md...
#
# The programs are BUILD_DIR's, which read the original's kernels; only where an exercise edits a program, or a kernel
# where it stands, it is built in the copy. What only verifies results runs as it stands. What measures does so for a
# moment, on a small image and without optimisation; if that does not show what is expected, the exercise is done once
# more, as it stands.
source "$(dirname "$0")/programs.bash"
shift
export TUTORIAL_DEVICE='Portable Computing Language' EDITOR=false
"$build/${steps[0]}" --verify-only --size 8x8 > /dev/null 2>&1 || { echo "PoCL is not installed"; exit 77; }
command -v git > /dev/null || { echo "git is not installed"; exit 77; }

# --- A copy of the repository, with programs ----------------------------------------------------------

mkdir -p copy/build/release bin
(cd "$repository" && tar -c --exclude=./{build,results,plots,tests,.git} .) | tar -x -C copy
(cd copy && git init -q . && printf '/build/\n' >> .git/info/exclude && git add -A &&
  git -c user.name=test -c user.email=test commit -q -m copy) || exit 1

# Stands before each program. EFFORT is `small` or `full`. The options in front are for what the exercise does not
# name, those behind override it.
cat > program << 'END'
#!/bin/bash
name=${0##*/} before=() after=() folder=$BUILD
case "$name $* " in
  'report '* | 'devices '*) ;;
  *' --device oclgrind '*)
    # The size that is the X-ray's own, if the exercise has no other.
    [[ $EFFORT != small || " $* " != *' --size 128x32 '* || " $* " == *' --size '*' --size '* ]] || after+=(--size 64x16)
    ;;
  *' --verify-only '*) ;;
  *)
    before+=(--time-budget 0.3)
    if [[ $EFFORT == small ]]; then
      after+=(--time-budget 0)
      export TUTORIAL_BUILD_OPTIONS=-cl-opt-disable # most of the time would go into unrolling
      size=64x48
      [[ " $* " != *' --as-asked '* ]] || size=64x64 # the reader's kernel may be for square images only
      [[ " $*" == *' --input'* ]] || after+=(--size "$size")
      [[ " $*" != *' --search-budget '* ]] || after+=(--search-budget 0.2)
    fi
    ;;
esac
copy=$(dirname "$0")/../..
if [[ $(git -C "$copy" ls-files -m -- '*.cl'; git -C "$copy" ls-files -mo -- '*.[ch]pp' kernels.csv) && $name != report ]]; then
  folder=$copy/build/edited
  (cd "$copy" && "$REAL_CMAKE" --preset default -B build/edited -DCMAKE_CXX_FLAGS_RELEASE=-O0 &&
    "$REAL_CMAKE" --build build/edited --parallel 2 --target "$name") > "$copy/build/log" || { cat "$copy/build/log"; exit 1; }
fi
exec "$folder/$name" "${before[@]}" "$@" "${after[@]}"
END
for program in $(find "$build" -maxdepth 1 -type f -perm -u+x -printf '%f\n') my_step; do
  install program "copy/build/release/$program"
done
ln -sf "$build/libxray.so" copy/build/release
# ./tutorial builds and installs nothing, and neither does an exercise that calls CMake.
REAL_CMAKE=$(command -v cmake)
ln -s /bin/true bin/cmake
export PATH=$work/bin:$PATH BUILD=$build REAL_CMAKE TUTORIAL_PROGRAMS=build/release

# --- The exercises ------------------------------------------------------------------------------------

# run FOLDER EFFORT: whether the exercise does what is expected.
run() {
  local status=0 pattern
  (cd copy && git checkout -q . && git clean -fdxq -e build)
  (cd copy && EFFORT=$2 timeout --foreground 300 bash < /dev/null "$1/script") > out 2>&1 || status=$?
  ((status == $(< "$1/status"))) || return 1
  while IFS= read -r pattern; do grep -qE -- "$pattern" out || return 1; done < "$1/patterns"
} 2> /dev/null # bash announces a crash

for page in "$@"; do
  folder=$work/exercises/$page
  mkdir -p "$folder"
  report exercises --into "$folder" "$page" > out 2> err || report_failure "$page"
  for exercise in "$folder"/*/; do
    name="$page: $(< "$exercise/title")"
    needed=$(grep -oE 'oclgrind|tutorial xray|\bobjdump|Smooth_Image|release/convolution_peers' "$exercise/script")
    if { [[ $needed =~ oclgrind|xray ]] && { [[ ! -f $build/libxray.so ]] || other_simulator; }; } || [[ $needed == *peers* && ! -f $build/convolution_peers ]] ||
      { [[ $needed == *objdump* ]] && ! command -v objdump > /dev/null; } ||
      { [[ $needed == *_Image* ]] && "$build/edge_conditions" --size 8x8 --kernel Smooth_Image --verify-only | grep -q skipped; }; then
      echo "$name: skipped, it needs what is not installed"
      continue
    fi
    checks=$((checks + 1)) SECONDS=0
    # On the way diff may find differences, and a kernel may be wrong where the page expects one that is.
    tolerated="\$BASH_COMMAND == diff*"
    if [[ $(< "$exercise/status") == 2 ]] || grep -qw wrong "$exercise/patterns"; then
      tolerated+=" || \$s == 2 && \$BASH_COMMAND == *--against*"
    fi
    sed -i "1i set -o pipefail; trap 's=\$?; [[ $tolerated ]] || exit \$s' ERR" "$exercise/script"
    run "$exercise" small || run "$exercise" full ||
      report_failure "$name: expected exit status $(< "$exercise/status") and '$(< "$exercise/patterns")' from: $(< "$exercise/script")"
    echo "$name: $SECONDS s"
  done
  expect "EXERCISES.md does not list $page" grep -qF "]($page#" "$repository/EXERCISES.md"
done
finish
