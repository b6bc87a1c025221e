#!/usr/bin/env bash
# Breaks the kernels that are new in a step's convolution.cl, in a copy, by one mistake at a time, and sees
# the program notice: a check that cannot fail proves nothing. Part II's files: mutations_blocks.sh.
# usage: mutations.sh BUILD_DIR STEP
#
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/programs.bash" "$1"
program=$build/$2
require_built "$program"
kernel_file=$repository/$2/convolution.cl
new=$(kernels_where "step == $(in_kernels_csv "$2") && file == \"convolution.cl\"")

# The functions to break. A label may say after a colon how the kernel is launched. A kernel NAME_... above NAME is its
# helper; kernel_of says which kernel is wrong when a function is broken.
mapfile -t kernels < <(tr ',' '\n' <<< "$new" | sed 's/:.*//' | sort -u)
helpers=()
declare -A kernel_of=()
for name in "${kernels[@]}"; do
  kernel_of[$name]=$name
  while read -r helper; do
    helpers+=("$helper")
    kernel_of[$helper]=$name
  done < <(awk -f "$repository/tools/kernel_text.awk" "$kernel_file" | sed "/^$name\$/,\$d" | grep "^${name}_")
done

run() { # KERNELS
  interpreted "$program" --verify-only --size 21x19 --filter-width 7 --kernel "$1" --kernel-file broken.cl > out 2> err
  status=$?
} 2> /dev/null # bash announces a crash

# A wrong pixel or a write outside of the output, named with its kernel.
is_named() {
  ((status == 2)) && grep -Eq "$1,.*(wrong at \([0-9]+, [0-9]+\): expected .*, got |outside)" err
}

declare -A noticed=()
# mistake SED_EXPRESSION NAME...: makes the mistake in all of these functions that have the place for it, and runs their
# kernels together.
mistake() {
  local mutation=$1 name changed=()
  shift
  cp "$kernel_file" broken.cl
  for name in "$@"; do
    sed "/^__kernel void $name(/,/^}/ { $mutation }" broken.cl > more_broken.cl
    cmp -s broken.cl more_broken.cl || changed+=("$name")
    mv more_broken.cl broken.cl
  done
  ((${#changed[@]} > 0)) || return
  run "$(for name in "${changed[@]}"; do echo "${kernel_of[$name]}"; done | paste -sd,)"
  for name in "${changed[@]}"; do
    checks=$((checks + 1))
    # A crash says nothing about the others, so each gets a run of its own.
    if ! is_named "${kernel_of[$name]}"; then
      run "${kernel_of[$name]}"
      # A kernel that crashes (139: a float4 read from an odd address) has been noticed as well.
      ((status == 139)) || is_named "${kernel_of[$name]}" ||
        report_failure "not noticed (exit status $status): $name with $mutation"
    fi
    noticed[$name]=$((${noticed[$name]-0} + 1))
  done
}

for mutation in \
  's/^\( *output\[.*\] = \)/\1 1.0001f * /' \
  's/^\( *output\[\)/\11 + /' \
  's/for (int r = 0;/for (int r = 1;/' \
  's/\(int x = get_global_id(0)\)/\1 + 1/' \
  's/\(int y = get_global_id(1)\)/\1 - 1/' \
  's/\[input_row + c\]/[input_row + c + 1]/' \
  's/\[tile_row + c\]/[tile_row + c + 1]/' \
  's/filter_width - 1;$/filter_width - 2;/' \
  's/for (int c = 0;/for (int c = 1;/' \
  's/for (int t = 0;/for (int t = 1;/' \
  's/for (int v = 0;/for (int v = 1;/' \
  's/\(vload[0-9]*([^,]*, \)/\11 + /' \
  '/output/ s/\(vstore[0-9]*([^,]*, \)/\11 + /' \
  '/output/ s/\(vstore[0-9]*(\)/\11.0001f * /' \
  's/\<input + /input + 1 + /' \
  's/\<output + /output + 1 + /' \
  's/^\( *\)\(output\[y \* output_width + x\]\)/\1if (x != 5 || y != 7) \2/' \
  's/^\( *\)\(output\[\)/\1if (y != 0) \2/'; do
  mistake "$mutation" "${kernels[@]}"
  # A helper's kernel must not be wrong for another reason.
  for name in "${helpers[@]}"; do mistake "$mutation" "$name"; done
done

for name in "${kernels[@]}" "${helpers[@]}"; do
  echo "$name: ${noticed[$name]-0} mistakes noticed"
  ((${noticed[$name]-0} >= 4)) || report_failure "too few mistakes are known for $name"
done
echo "$checks mistakes, $failures failures"
((failures == 0 && checks > 0))
