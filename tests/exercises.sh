#!/bin/bash
# Does every exercise of the READMEs do what its answer says? Its commands run as they stand, in a copy of the repository,
# on PoCL; where the reader opens an editor, the commands at the start of the answer do the edit. Then the exit status of
# the last one, and what all of them print, must be as <!-- expect: STATUS REGEX --> says. The first attempt only verifies
# results, of small images; if that does not show what is expected, a second one measures on small images, and a third does
# all as it stands. Exercises that need a GPU are checked for their form only.
#
#   exercises.sh BUILD_DIR [README...]
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/programs.bash" "$1"
shift
export TUTORIAL_DEVICE='Portable Computing Language'
"$build/${steps[0]}" --verify-only --size 8x8 > /dev/null 2>&1 || { echo "PoCL is not installed"; exit 77; }
command -v git > /dev/null || { echo "git is not installed"; exit 77; }

# --- A copy of the repository in which nothing is installed or configured ---------------------------

mkdir -p copy/build/{release,real} bin
(cd "$repository" && tar -c --exclude=./build --exclude=./results --exclude=./.git .) | tar -x -C copy
ln -s "$build/libxray.so" copy/build/release
: > out
: > err

# EFFORT is `all`, for what the exercise says and a time budget where it names none; or the size of the test card, to which
# the first two attempts are bound; in the simulator only the first one is, to a smaller one.
cat > run_program <<'END'
#!/bin/bash
program=$(dirname "$0")/../real/${0##*/}
help=$("$program" --help) before=() after=()
if [[ " $* " == *' --device oclgrind '* ]]; then
  [[ $EFFORT != 64x48 ]] || after+=(--size 64x16)
else
  [[ $help != *--time-budget* ]] || before+=(--time-budget 0.05)
  [[ $help != *--search-budget* ]] || before+=(--search-budget 1)
  if [[ $EFFORT != all ]]; then
    [[ $help != *--size* || " $*" == *' --input'* ]] || after+=(--size "$EFFORT")
    [[ $help != *--time-budget* ]] || after+=(--time-budget 0)
    [[ $help != *--search-budget* ]] || after+=(--search-budget 0.2)
    [[ $help != *--verify-only* || $EFFORT == 256x256 ]] || after+=(--verify-only)
  fi
fi
exec "$program" "${before[@]}" "$@" "${after[@]}"
END
chmod +x run_program
for program in "$build"/*; do
  name=${program##*/}
  [[ -f $program && -x $program && $name != *_test && $name != *.so ]] || continue
  ln -s "$program" "copy/build/real/$name"
  cp run_program "copy/build/release/$name"
done

# `./tutorial` builds before it runs. What the exercise has not changed is there; a step whose folder it has changed, or made,
# is compiled as in BUILD_DIR, a new one as step 1.
cat > bin/cmake <<'END'
#!/bin/bash
while (($#)) && [[ $1 != --target ]]; do shift; done
for name in "${@:2}"; do
  [[ -f $name/main.cpp ]] || continue
  base=$name
  [[ -d $REPOSITORY/$name ]] || base=step1_naive
  ln -sfn "$BUILD/$base" "build/real/$name"
  cp build/release/step1_naive "build/release/$name" 2> /dev/null
  if ! diff -rq "$REPOSITORY/$base" "$name" > /dev/null; then
    rm "build/real/$name"
    compile=$(sed -n '/"command"/ { s/\\\(.\)/\1/g; s/^ *"command": "\(.*\)",$/\1/p }' "$BUILD/compile_commands.json" |
      grep -F -- " $REPOSITORY/$base/main.cpp" |
      sed "s|$REPOSITORY/$base/|$PWD/$name/|g; s| -o [^ ]*| -o $PWD/build/$name.o|; s| -Werror||")
    link=$(sed "s|[^ ]*/main.cpp.o|$PWD/build/$name.o|; s| -o $base | -o $PWD/build/real/$name |" "$BUILD/CMakeFiles/$base.dir/link.txt")
    (cd "$BUILD" && eval "$compile" && eval "$link") || exit 1
  fi
done
END
echo '#!/bin/bash
echo installed' > bin/dpkg-query
chmod +x bin/*
export PATH=$work/bin:$PATH REPOSITORY=$repository BUILD=$build EDITOR=false
(cd copy && git init -q . && printf '/build/\n' >> .git/info/exclude && git add -A &&
  git -c user.name=test -c user.email=test commit -q -m copy) || exit 1

# --- The exercises ------------------------------------------------------------------------------------

# Each edit takes the place of the line of its $EDITOR; blank lines separate the edits if there are several.
with_edits() { # FOLDER
  awk -v folder="$1" '
    BEGIN {
      while ((getline line < (folder "/commands")) > 0) editors += line ~ /^ *\$EDITOR /
      close(folder "/commands")
      n = 1
      while ((getline line < (folder "/edits")) > 0)
        if (line == "" && editors > 1 && edit[n] != "") ++n
        else edit[n] = edit[n] line "\n"
      if (edit[n] == "") --n
    }
    /^ *\$EDITOR / { printf "%s", edit[++used]; next }
    { print }
    END { if (editors && n != editors) { print "for " editors " edits the answer has " n " blocks of commands" > "/dev/stderr"; exit 1 } }
  ' "$1/commands"
}

# run FOLDER EFFORT: whether the exercise does what is expected.
run() {
  local status=0
  (cd copy && git checkout -q . && git clean -fdxq -e build)
  (cd copy && EFFORT=$2 timeout 120 bash < /dev/null "$1/script") > out 2>&1 || status=$?
  ((status == $(< "$1/status"))) && grep -qE -- "$(< "$1/pattern")" out
} 2> /dev/null # bash announces a crash

exercises=0 skipped=0
check() { # README FOLDER
  local needs program name
  name="$1: $(< "$2/title")"
  needs=$(< "$2/needs")
  exercises=$((exercises + 1))
  with_edits "$2" > "$2/script" 2> err || { report_failure "$name: $(< err)"; return; }
  case $needs in
    'a GPU'*) skipped=$((skipped + 1)); return ;;
    *Oclgrind*) command -v oclgrind > /dev/null && [[ -f $build/libxray.so ]] || { skipped=$((skipped + 1)); return; } ;;
  esac
  # The programs of peers/ are built only where their libraries are.
  for program in $(grep -oE 'build/release/[a-z_]+' "$2/script" | sort -u); do
    [[ -e copy/$program ]] || { skipped=$((skipped + 1)); return; }
  done
  checks=$((checks + 1))
  : > err
  SECONDS=0
  if run "$2" 64x48 || run "$2" 256x256 || run "$2" all; then
    echo "$name: as expected, $SECONDS s"
  else
    report_failure "$name: expected exit status $(< "$2/status") and '$(< "$2/pattern")' from: $(< "$2/script")"
  fi
}

(($# > 0)) || mapfile -t files < <(cd "$repository" && grep -lx '## Exercises' -- */README.md)
(($# == 0)) || files=("$@")
for readme in "${files[@]}"; do
  folder=$work/exercises/$readme
  mkdir -p "$folder"
  (cd "$repository" && awk -v folder="$folder" -f tools/exercises.awk "$readme") > out || report_failure "$readme"
  for exercise in "$folder"/*/; do
    if [[ -d $exercise ]]; then check "$readme" "${exercise%/}"; else report_failure "$readme: no '### N. Title' below Exercises"; fi
  done
done
# The table of all of them.
(($# > 0)) || expect "EXERCISES.md does not list $exercises exercises" \
  test "$(grep -c '^| \[' "$repository/EXERCISES.md")" == "$exercises"
echo "$exercises exercises, $skipped not for this device, $checks checks, $failures failures"
((failures == 0))
