#!/bin/bash
# Which fault turns this test red alone: a floor that does not follow from the ceilings.
# No rate and no time is expected to have any value.
source "$(dirname "$0")/programs.bash"
roofline=$build/roofline
comma_locale
gives() { ends "$1" "${commas[@]}" "${@:2}"; } # STATUS COMMAND...

# --- The ceilings and the floors ------------------------------------------------------------------

gives 0 "$roofline" --size 65x43 --filter-width 1,7,32 --time-budget 0 --csv floors.csv
for kernel in MultiplyAdd_float{,4,16} Copy_float{4,16} CachedRead_float{,4,16} LocalRead_float4; do
  expect "no rate of $kernel" grep -qE "^$kernel +[0-9.]+ G" out
done
expect "no row for 32x32" grep -qE '^ *32x32 +2\.862e\+06 ' out
# 65 x 43 pixels: 49 multiply-adds each; (71 x 49 + 65 x 43) * 4 bytes.
expect "the work at 7 x 7" grep -q '^7,65,43,136955,25096,' floors.csv
# Each time is work over rate, in columns that are found by their place: the floor is the longer one.
expect "a floor that does not follow from the ceilings" env LC_ALL=C awk -F, '
  function near(a, b) { return a < 1.001 * b && b < 1.001 * a }
  /^[0-9]/ { ok += near($6 * $11 * 1e6, $4) && near($7 * $13 * 1e6, $5) && $8 == ($6 > $7 ? $6 : $7) && $9 == ($6 > $7 ? "compute" : "memory") }
  END { exit ok != 3 }' floors.csv

# A kernel that does not do its work must not become a ceiling.
sed 's/a3 = MULTIPLY_ADD(a3, factor, addend);/ /' "$repository/common/roofline.cl" > lazy.cl
gives 2 "$roofline" --kernel-file lazy.cl --size 33x21 --csv lazy.csv
expect "does not name the wrong kernel" grep -q 'MultiplyAdd_float4: wrong' err
expect "a wrong ceiling is written" test ! -e lazy.csv
gives 0 "$build/edge_conditions" --size 33x21 --time-budget 0
expect "edge_conditions is compared with a convolution's floor" eval '! grep -qE "floor|ceilings" out'

finish
