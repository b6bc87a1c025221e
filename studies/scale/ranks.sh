#!/usr/bin/env bash
# The rate of 1 to 16 ranks of one core each: strong scaling (one image), weak scaling (an image that grows with them).
#     studies/scale/ranks.sh ROWS SECONDS OUT.csv
# The images have 16384 columns and ROWS rows for each rank; strong scaling takes the largest. A round begins while the
# SECONDS are not over; the CSV has the median, the lowest and the highest rate of all rounds. The others are models:
#   predicted   n times the rate of one rank, by its stages alone; but all together at most what one process writes,
#               because the system lets only one at a time write to a file
#   uneven      the same with n ranks as slow as the slowest of n, drawn from all times of the stages that were seen
set -euo pipefail
rows=$1 seconds=$2 csv=$(realpath -m "$3")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
SCALE=$(realpath "${PROGRAMS:-build/release}")/scale
work=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work"' EXIT
# The cores in the order of their use: of two that share their arithmetic, the second one comes late.
CORES=$(lscpu -p=CPU,CORE | awk -F, '!/^#/ { print seen[$2]++, $1 }' | sort -n -k 1,2 | cut -d ' ' -f 2 | xargs)
export SCALE CORES POCL_MAX_PTHREAD_COUNT=1 POCL_CPU_MAX_CU_COUNT=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
counts=(1)
while ((counts[-1] * 2 <= $(wc -w <<< "$CORES") && counts[-1] < 16)); do counts+=($((counts[-1] * 2))); done
most=${counts[-1]}

run() { # RANKS ARGUMENTS: prints Gpixel/s; and ms of a row, alone: all stages, read, kernel, write
  # shellcheck disable=SC2016  # for the shell of each rank
  mpirun --map-by :oversubscribe -np "$1" bash -c 'cores=($CORES); exec taskset -c "${cores[OMPI_COMM_WORLD_RANK]}" "$SCALE" "$@"' - \
    --memory 4M --carriers 1 --output "$work/out.pgm" "${@:2}" > "$work/log"
  awk '/bands of/ { high = $4 }
    /ms alone/ { stages = ($4 + $6 + $8 + $10 + $12) / high " " $4 / high " " $8 / high " " $12 / high }
    /^measured/ { print $4, stages }' "$work/log"
}

for n in "${counts[@]}"; do
  run 1 --size "16384x$((rows * n))" --filter box --filter-width 1 > /dev/null
  mv "$work/out.pgm" "$work/$n.pgm"
done
for ((round = 0; round == 0 || SECONDS < seconds; round++)); do
  for width in 7 31; do
    for n in "${counts[@]}"; do
      echo "$round $width $n strong $(run "$n" --filter-width "$width" --input "$work/$most.pgm")"
      echo "$round $width $n weak $(run "$n" --filter-width "$width" --input "$work/$n.pgm")"
    done
  done
done | tee "$work/rounds" >&2

field() { # FIELD CONDITION: of the rounds, sorted
  awk -v field="$1" "$2 { print \$field }" "$work/rounds" | sort -g
}
middle() { awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] "," value[1] "," value[NR] }'; }
one() { # FIELD WIDTH: its median of the runs with one rank
  field "$1" "\$2 == $2 && \$3 == 1" | middle | cut -d , -f 1
}
rates() { field 5 "\$2 == $1 && \$3 == $2 && \$4 == \"$3\"" | middle; } # WIDTH RANKS KIND
kernel=$(sed -n "s/^device.*, //p" "$work/log" | head -n 1)
{
  "$SCALE" --size 16x16 --output "$work/out.pgm" --csv "$work/head.csv" --time-budget 0 > /dev/null
  grep -E '^# (platform|device|device_type|driver|opencl_c|commit):' "$work/head.csv"
  printf '%s\n' "# image: rings" "# size: 16384 x $((rows * most))" "# rounds: $(field 1 1 | uniq | wc -l); in Gpixel/s"
  echo kernel,filter_width,ranks,predicted,uneven,strong,strong_low,strong_high,weak,weak_low,weak_high
  for width in 7 31; do
    for n in "${counts[@]}"; do
      expected=$(field 6 "\$2 == $width" | awk -v n="$n" -v row="$(one 6 "$width")" -v write="$(one 9 "$width")" '
        { time[NR] = $1 }
        function rate(ms) { ms = ms / n > write ? ms / n : write; return 0.016384 / ms }
        END {
          for (i = 1; i <= NR; i++) slowest += time[i] * ((i / NR) ^ n - ((i - 1) / NR) ^ n)
          printf "%.3f,%.3f\n", rate(row), rate(slowest)
        }')
      echo "$kernel,$width,$n,$expected,$(rates "$width" "$n" strong),$(rates "$width" "$n" weak)"
    done
  done
} > "$csv"
