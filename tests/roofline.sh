#!/bin/bash
# The program roofline as a user runs it, and the column "x floor" of the steps: is every floor what its
# definition says? It is recomputed here from what the CSVs say about the device. No rate and no time is
# expected to have any value.
#
#   roofline.sh BUILD_DIR
#
# shellcheck disable=SC2016  # the dollars in single quotes are awk's
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/programs.bash" "$1"
roofline=$build/roofline
step=$build/${steps[-1]}

# gives STATUS COMMAND...: the command must end like this; its output stays in `out` and `err`.
gives() {
  local expected=$1 status
  shift
  checks=$((checks + 1))
  timeout 300 "$@" > out 2> err < /dev/null
  status=$?
  ((status == expected)) || report_failure "exit status $status, not $expected: $*"
}

refuses() { # PATTERN COMMAND...: exit status 1 and one line on stderr, which matches
  local pattern=$1
  shift
  gives 1 "$@"
  expect "not one line on stderr: $*" test "$(wc -l < err)" == 1
  expect "stderr does not say '$pattern': $*" grep -qE -- "$pattern" err
}

# --- The ceilings and the floors ------------------------------------------------------------------

gives 0 "$roofline" --size 65x43 --filter-width 1,2,7,32 --time-budget 0 --csv floors.csv
for kernel in $(sed -n 's/^__kernel void \([A-Za-z0-9_]*\)(.*/\1/p' "$repository/roofline/roofline.cl") \
  MultiplyAdd_float MultiplyAdd_float4 MultiplyAdd_float16 CachedRead_float CachedRead_float4 CachedRead_float16; do
  case $kernel in
    name | Copy_Nontemporal_*) ;;  # a macro's parameter; what not every compiler has
    *) expect "no rate of $kernel" grep -qE "^$kernel +[0-9.]+ G" out ;;
  esac
done
expect "no ridge" grep -q '^ridge' out
expect "no row for 32x32" grep -qE '^ *32x32 +[0-9]' out
check_floors() { # FILE: every row of roofline's CSV follows from its head
  awk -F, '
    function off(a, b) { return a > 1.001 * b || b > 1.001 * a }
    /^# multiply_adds_per_s: / { sub(/.*: /, ""); compute = $0; next }
    /^# copy_bytes_per_s: / { sub(/.*: /, ""); copy = $0; next }
    /^# MultiplyAdd/ { sub(/.*: /, ""); if ($0 > best_compute + 0) best_compute = $0 + 0; next }
    /^# Copy/ { sub(/.*: /, ""); if ($0 > best_copy + 0) best_copy = $0 + 0; next }
    /^#/ { next }
    !columns { for (i = 1; i <= NF; ++i) at[$i] = i; columns = NF; next }
    {
      ++rows
      n = $at["filter_width"]; w = $at["width"]; h = $at["height"]
      compute_ms = 1e3 * w * h * n * n / compute
      memory_ms = 1e3 * 4 * ((w + n - 1) * (h + n - 1) + w * h) / copy
      floor = compute_ms > memory_ms ? compute_ms : memory_ms
      if (NF != columns || w != 65 || h != 43 || off(compute_ms, $at["compute_ms"]) ||
          off(memory_ms, $at["memory_ms"]) || off(floor, $at["floor_ms"]) ||
          $at["bound"] != (compute_ms >= memory_ms ? "compute" : "memory") ||
          off(w * h / floor / 1e6, $at["gpixels_per_s"])) exit bad = 1
    }
    END { exit bad || rows != 4 || off(compute, best_compute) || off(copy, best_copy) }' "$1"
}
expect "floors.csv" check_floors floors.csv
# Does that see anything?
for edit in 's/^\(# multiply_adds_per_s: \)/\19/' 's/^\(# copy_bytes_per_s: \)/\19/' 's/,compute,/,memory,/' \
  's/^7,65,43,\([^,]*,[^,]*\),/7,65,43,\1,9/' '/^7,/d'; do
  sed "$edit" floors.csv > spoiled.csv
  expect "not noticed: $edit" eval '! check_floors spoiled.csv'
done

gives 0 "$roofline" --verify-only --size 33x21
expect "--verify-only measures" eval '! grep -qE "ceiling|floor|ridge" out'
expect "--verify-only does not say what it verified" grep -q '^all 1[01].* verified' out

# A kernel that does not do its work must not become a ceiling.
sed 's/a3 = MULTIPLY_ADD(a3, factor, addend);/ /' "$repository/roofline/roofline.cl" > lazy.cl
gives 2 "$roofline" --kernel-file lazy.cl --size 33x21 --csv lazy.csv
expect "does not name the wrong kernel" grep -q 'MultiplyAdd_float4: wrong' err
expect "a wrong ceiling is written" test ! -e lazy.csv

# --- The steps ------------------------------------------------------------------------------------

gives 0 "$step" --size 65x43 --filter-width 2,9 --time-budget 0 --csv step.csv --kernel Convolve,OpenMP,Convolve_Def
expect "no column" grep -qE '^kernel .* x floor$' out
expect "not one line of ceilings" test "$(grep -c '^ceilings .*multiply-adds/s.*B/s copy$' out)" == 1
check_x_floor() { # FILE: x_floor times the floor is the median, in every row of a kernel
  awk -F, '
    /^# multiply_adds_per_s: / { sub(/.*: /, ""); compute = $0; next }
    /^# copy_bytes_per_s: / { sub(/.*: /, ""); copy = $0; next }
    /^#/ { next }
    /^kernel,/ { if ($NF != "x_floor") exit bad = 1; next }
    {
      ++rows
      if ($1 == "OpenMP" && $NF == "") next
      n = $2; w = $3; h = $4
      a = w * h * n * n / compute
      b = 4 * ((w + n - 1) * (h + n - 1) + w * h) / copy
      product = 1e3 * $NF * (a > b ? a : b)
      if ($NF <= 0 || product > 1.001 * $8 || $8 > 1.001 * product) exit bad = 1
    }
    END { exit bad || rows != 6 || !(compute > 0 && copy > 0) }' "$1"
}
expect "x_floor of step.csv" check_x_floor step.csv
for edit in 's/^\(# multiply_adds_per_s: \).*/\11000/' '/^# copy_bytes/d' 's/^\(Convolve_Def,9.*,\)[^,]*$/\11/' \
  's/^\(Convolve_Def,9.*,\)[^,]*$/\1/' 's/,x_floor$/,x/'; do
  sed "$edit" step.csv > spoiled.csv
  expect "not noticed: $edit" eval '! check_x_floor spoiled.csv'
done
gives 0 "$step" --size 65x43 --filter-width 2 --verify-only --kernel Convolve
expect "--verify-only measures the ceilings" eval '! grep -q ceilings out'
for study in median edge_conditions; do
  [[ -x $build/$study ]] || continue
  gives 0 "$build/$study" --size 33x21 --time-budget 0 --csv study.csv
  expect "$study is compared with a convolution's floor" eval '! grep -qE "floor|ceilings" out'
  refuses 'is not a convolution' "$roofline" --results study.csv --filter-width 3
done

# --- A step's CSV read back -----------------------------------------------------------------------

# shown KERNEL: its distance from the floor as printed; the same from the CSV, as it would be printed.
shown() { awk -v kernel="$1" '$1 == kernel { print $4 }' out; }
recorded() { awk -F, -v kernel="$1" '$1 == kernel && $2 == 9 { printf "%.3g\n", $NF }' step.csv; }
gives 0 "$roofline" --results step.csv --filter-width 9
for kernel in Convolve Convolve_Def; do
  expect "$kernel: $(shown $kernel) shown, $(recorded $kernel) recorded" test "$(shown $kernel)" == "$(recorded $kernel)"
done
expect "no other width" eval '! grep -q "^filter 2 " out'
expect "which of the two binds" grep -qE '^Convolve .* (compute|memory)$' out
# Without the recorded ceilings, those of now count, if it is the same device.
grep -vE '^# (multiply_add|copy_|cached_|local_bytes)' step.csv > old.csv
gives 0 "$roofline" --results old.csv --filter-width 2:9 --time-budget 0
expect "does not say where the ceilings are from" grep -q 'measured now' out
expect "no row for width 2" grep -q '^filter 2 x 2' out
sed 's/^# device: .*/# device: Another/' old.csv > other.csv
refuses "other.csv.*another device: 'Another'" "$roofline" --results other.csv --filter-width 9
sed '/^# device: /d' old.csv > other.csv
refuses 'another device' "$roofline" --results other.csv --filter-width 9
# What was measured before there was this column.
for data in "$repository"/plots/data/*/ladder.csv; do
  sed "s/^# device: .*/$(grep '^# device: ' step.csv | sed 's/[&/\]/\\&/g')/" "$data" > old.csv
  gives 0 "$roofline" --results old.csv --time-budget 0
  expect "no Convolve from $data" grep -qE '^Convolve +[0-9]' out
done

# --- With the counts of an X-ray -------------------------------------------------------------------

# Made up, so that another column is the largest for each row.
cat > xray.csv <<'END'
# program: made up
kernel,filter_width,multiply_adds,input_loads,input_bytes,tap_loads,tap_bytes,local_loads,local_bytes,stores
Convolve,2,4,9e6,16,4,16,5,20,1
Convolve,9,1e6,81,324,81,324,0,0,1
Convolve_Def,9,81,100,6400,25,400,10,1e6,1
Convolve_Fast,9,60,1,4,1,4,0,0,1
END
gives 0 "$roofline" --results step.csv --xray xray.csv --filter-width 2,9 --csv model.csv
check_model() { # FILE: each row follows from the CSV of the step and the counts above
  awk -F, '
    function off(a, b) { return a > 1.001 * b || b > 1.001 * a }
    function max(a, b) { return a > b ? a : b }
    FILENAME != last { last = FILENAME; ++file }
    /^# / { split($0, pair, ": "); if (file == 1) rate[substr(pair[1], 3)] = pair[2]; next }
    /^kernel,/ { next }
    file == 1 { median[$1, $2] = $8; next }
    file == 2 { for (i = 3; i <= 9; ++i) count[$1, $2, i] = $i; next }
    {
      ++rows
      kernel = $1 SUBSEP $2
      ms = 1e3 * $3 * $4
      a = ms * count[kernel, 3] / rate["multiply_adds_per_s"]
      l = ms * max((count[kernel, 4] + count[kernel, 6] + count[kernel, 8]) / rate["cached_loads_per_s"],
                   (count[kernel, 5] + count[kernel, 7]) / rate["cached_bytes_per_s"] + \
                   count[kernel, 9] / rate["local_bytes_per_s"])
      m = 4e3 * (($3 + $2 - 1) * ($4 + $2 - 1) + $3 * $4) / rate["copy_bytes_per_s"]
      most = max(max(a, l), m)
      if (NF != 11 || off(a, $5) || off(l, $6) || off(m, $7) || off(most, $9) ||
          $8 != (most == l ? "loads" : most == a ? "arithmetic" : "memory") ||
          off(median[kernel], $10) || off(median[kernel] / most, $11)) exit bad = 1
      bound[$8]
    }
    END { exit bad || rows != 3 || !("loads" in bound && "arithmetic" in bound) }' step.csv xray.csv "$1"
}
expect "model.csv" check_model model.csv
expect "no table" grep -qE '^Convolve_Def .* loads +[0-9.]+ +[0-9.e-]+$' out
expect "a kernel that was not counted or not measured" eval '! grep -qE "^(OpenMP|Convolve_Fast)" out model.csv'
for edit in 's/,arithmetic,/,loads,/' 's/^\(Convolve,9,65,43,[^,]*,\)/\19/' '/^Convolve_Def,/d' 's/,[^,]*$/,7/'; do
  sed "$edit" model.csv > spoiled.csv
  expect "not noticed: $edit" eval '! check_model spoiled.csv'
done
grep -v '^# cached_' step.csv | sed 's/^# device: .*/# device: Another/' > old.csv
refuses 'no ceilings for loads.*another device' "$roofline" --results old.csv --xray xray.csv --filter-width 9
refuses 'none of these kernels' "$roofline" --results step.csv --xray <(sed 's/^Con/Other/' xray.csv) --filter-width 9
refuses "no column 'multiply_adds'" "$roofline" --results step.csv --xray step.csv --filter-width 9
refuses '--results' "$roofline" --xray xray.csv

# --- What cannot be read --------------------------------------------------------------------------

refuses 'missing.csv' "$roofline" --results missing.csv
refuses 'cannot be read' "$roofline" --results .
refuses 'can be 2, 9' "$roofline" --results step.csv --filter-width 3
refuses '--csv' "$roofline" --results step.csv --filter-width 9 --csv out.csv
expect "a CSV is written" test ! -e out.csv
: > bad.csv
refuses 'bad.csv: no measurements' "$roofline" --results bad.csv
head -c 3000 "$roofline" > bad.csv
refuses 'bad.csv' "$roofline" --results bad.csv
sed 's/^Convolve,9,65,/Convolve,9,x,/' step.csv > bad.csv
refuses "bad.csv:[0-9]+: width must be .*'x'" "$roofline" --results bad.csv --filter-width 9
sed 's/^# copy_bytes_per_s: .*/# copy_bytes_per_s: fast/' step.csv > bad.csv
refuses "bad.csv: copy_bytes_per_s must be .*'fast'" "$roofline" --results bad.csv --filter-width 9

echo "$checks checks, $failures failures"
((failures == 0))
