#!/bin/bash
# Does every exercise of the READMEs do what its answer says? Its commands run as they stand, in a copy of the repository,
# on PoCL; where the reader opens an editor, the commands at the start of the answer do the edit. Then the exit status of
# the last one, and what all of them print, must be as <!-- expect: STATUS REGEX --> says, every line of it.
#
# What only verifies results runs as it stands. What measures does so for a moment, on a small image and without
# optimisation; if that does not show what is expected, the exercise is done once more, as it stands.
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
(cd "$repository" && tar -c --exclude=./{build,results,plots,tests,.git} .) | tar -x -C copy
ln -s "$build/libxray.so" copy/build/release
: > out
: > err

# EFFORT is `small` or `full`. The options in front are for what the exercise does not name, those behind override it.
cat > run_program <<'END'
#!/bin/bash
name=${0##*/} before=() after=()
case "$name $* " in
  'devices '*) ;;
  *' --device oclgrind '*)
    # The size that is the X-ray's own.
    [[ $EFFORT != small || " $* " != *' --size 128x32 '* ]] || after+=(--size 64x16)
    ;;
  *' --verify-only '*) ;;
  *)
    before+=(--time-budget 0.3)
    if [[ $EFFORT == small ]]; then
      after+=(--time-budget 0)
      export TUTORIAL_BUILD_OPTIONS=-cl-opt-disable # most of the time would go into unrolling
      [[ " $*" == *' --input'* ]] || after+=(--size 64x48)
      [[ " $*" != *' --search-budget '* ]] || after+=(--search-budget 0.2)
    fi
    ;;
esac
exec "$(dirname "$0")/../real/$name" "${before[@]}" "$@" "${after[@]}"
END
chmod +x run_program
for program in "$build"/*; do
  name=${program##*/}
  [[ -f $program && -x $program && $name != *_test && $name != *.so ]] || continue
  ln -s "$program" "copy/build/real/$name"
  cp run_program "copy/build/release/$name"
done

# `./tutorial` builds before it runs. What the exercise has not changed is there. A step whose folder it has changed, or
# made, is compiled as in BUILD_DIR, a new one as step 1, but quickly: what differs, and what knows where its kernels are.
cat > bin/cmake <<'END'
#!/bin/bash
while (($#)) && [[ $1 != --target ]]; do shift; done
for name in "${@:2}"; do
  [[ -f $name/main.cpp ]] || continue
  base=$name
  [[ -d $REPOSITORY/$name ]] || base=step1_naive
  ln -sfn "$BUILD/$base" "build/real/$name"
  cp build/release/step1_naive "build/release/$name" 2> /dev/null
  ! diff -rq "$REPOSITORY/$base" "$name" > /dev/null || continue
  rm "build/real/$name"
  folder=$PWD objects=() link=$(< "$BUILD/CMakeFiles/$base.dir/link.txt")
  for source in "$name"/*.cpp; do
    file=${source##*/}
    ! cmp -s "$REPOSITORY/$base/$file" "$source" || grep -q KERNEL_FILE "$source" || continue
    [[ $file == main.cpp ]] || ! grep -q '^int main' "$source" || continue # that of another program
    compile=$(sed -n '/"command"/ { s/\\\(.\)/\1/g; s/^ *"command": "\(.*\)",$/\1/p }' "$BUILD/compile_commands.json" |
      grep -F -- " $REPOSITORY/$base/$file" |
      sed "s|$REPOSITORY/$base/|$PWD/$name/|g; s| -o [^ ]*| -O0 -o $PWD/build/$file.o|; s| -Werror||")
    (cd "$BUILD" && eval "$compile") || exit 1
    objects+=("$PWD/build/$file.o")
    link=$(sed "s| [^ ]*/$file\.o||" <<< "$link")
  done
  # In front of the libraries, which have the old ones.
  (cd "$BUILD" && eval "${link/ -o $base / ${objects[*]} -o $folder/build/real/$name }") || exit 1
done
END
echo '#!/bin/bash
echo installed' > bin/dpkg-query
chmod +x bin/*
export PATH=$work/bin:$PATH REPOSITORY=$repository BUILD=$build EDITOR=false
(cd copy && git init -q . && printf '/build/\n' >> .git/info/exclude && git add -A &&
  git -c user.name=test -c user.email=test commit -q -m copy) || exit 1

# --- The exercises ------------------------------------------------------------------------------------

# Each edit takes the place of the line of its $EDITOR, and must change something; blank lines separate the edits if there
# are several.
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
    /^ *\$EDITOR / {
      sub(/^ *\$EDITOR /, "")
      sub(/ *#.*/, "")
      print "before=$(cat " $0 ")"
      printf "%s", edit[++used]
      print "[[ $(cat " $0 ") != \"$before\" ]] || { echo The edit of " $0 " changes nothing; exit 99; }"
      next
    }
    { print }
    END { if (editors && n != editors) { print "for " editors " edits the answer has " n " blocks of commands" > "/dev/stderr"; exit 1 } }
  ' "$1/commands"
}

# What the commands need and is not installed, or was not built for want of a library.
missing() { # FOLDER
  local program
  if grep -qE 'oclgrind|tutorial xray' "$1/script"; then
    command -v oclgrind > /dev/null && [[ -f $build/libxray.so ]] || echo Oclgrind
  fi
  ! grep -qw objdump "$1/script" || command -v objdump > /dev/null || echo objdump
  for program in $(grep -oE 'build/release/[a-z0-9_]+' "$1/script" | sort -u); do
    [[ -e copy/$program ]] || echo "$program"
  done
}

# run FOLDER EFFORT: whether the exercise does what is expected.
run() {
  local status=0 pattern
  (cd copy && git checkout -q . && git clean -fdxq -e build)
  (cd copy && EFFORT=$2 timeout 120 bash < /dev/null "$1/script") > out 2>&1 || status=$?
  ((status == $(< "$1/status"))) || return 1
  while IFS= read -r pattern; do grep -qE -- "$pattern" out || return 1; done < "$1/patterns"
} 2> /dev/null # bash announces a crash

exercises=0 skipped=0
check() { # README FOLDER
  local name lacks
  name="$1: $(< "$2/title")"
  exercises=$((exercises + 1))
  # Only kernels of the reader's may be wrong on the way, and only diff may find differences.
  echo "set -o pipefail; trap 's=\$?; [[ \$s == 2 && \$BASH_COMMAND == *--against* || \$BASH_COMMAND == diff* ]] || exit \$s' ERR" > "$2/script"
  with_edits "$2" >> "$2/script" 2> err || { report_failure "$name: $(< err)"; return; }
  lacks=$(missing "$2" | paste -sd ' ')
  [[ -z $lacks ]] || { echo "$name: skipped, needs $lacks"; skipped=$((skipped + 1)); return; }
  checks=$((checks + 1))
  : > err
  SECONDS=0
  if run "$2" small; then
    echo "$name: as expected, $SECONDS s"
  elif run "$2" full; then
    echo "$name: as expected at its full size, $SECONDS s"
  else
    report_failure "$name: expected exit status $(< "$2/status") and '$(< "$2/patterns")' from: $(< "$2/commands")"
  fi
}

(($# > 0)) || mapfile -t files < <(cd "$repository" && grep -lx '## Exercises' -- */README.md)
(($# == 0)) || files=("$@")
for readme in "${files[@]}"; do
  folder=$work/exercises/$readme
  mkdir -p "$folder"
  report exercises --into "$folder" "$readme" > out || report_failure "$readme"
  for exercise in "$folder"/*/; do
    if [[ -d $exercise ]]; then check "$readme" "${exercise%/}"; else report_failure "$readme: no '### N. Title' below Exercises"; fi
  done
  expect "EXERCISES.md does not list $readme" grep -qF "]($readme#" "$repository/EXERCISES.md"
done
echo "$exercises exercises, $skipped skipped, $checks checks, $failures failures"
((failures == 0))
