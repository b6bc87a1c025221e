#!/usr/bin/env bash
# How much faster more ranks are, one core each: strong scaling (one image), weak scaling (an image that grows).
#     studies/scale/ranks.sh ROWS SECONDS OUT.csv
# The images have 16384 columns, and ROWS rows for each rank; strong scaling takes the largest one. Speed-ups are over
# one rank, in the same round: their median, lowest and highest. A round begins while the SECONDS are not over.
# Predicted from the stages of one rank alone: n ranks are n times as fast, until one of them always writes, because
# the system lets only one process at a time write to a file.
set -euo pipefail
rows=$1 seconds=$2 csv=$(realpath -m "$3")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
SCALE=$(realpath "${PROGRAMS:-build/release}")/scale
work=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work"' EXIT
# The cores in the order of their use: of two that share their arithmetic, the second one comes late.
CORES=$(lscpu -p=CPU,CORE | awk -F, '!/^#/ { print seen[$2]++, $1 }' | sort -n -k 1,2 | cut -d ' ' -f 2 | xargs)
export SCALE CORES POCL_MAX_PTHREAD_COUNT=1 POCL_CPU_MAX_CU_COUNT=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
counts=(1)
while ((counts[-1] * 2 <= $(wc -w <<< "$CORES") && counts[-1] < 16)); do counts+=($((counts[-1] * 2))); done
most=${counts[-1]}

run() { # RANKS ARGUMENTS: prints Gpixel/s; and ms of a row, alone: all stages, read, kernel, write
  # shellcheck disable=SC2016  # for the shell of each rank
  mpirun -np "$1" bash -c 'cores=($CORES); exec taskset -c "${cores[OMPI_COMM_WORLD_RANK]}" "$SCALE" "$@"' - \
    --memory 4M --lanes 1 --output "$work/out.pgm" "${@:2}" > "$work/log"
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

kernel=$(sed -n "s/^device.*, //p" "$work/log" | head -n 1)
middle() { sort -g | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] "," value[1] "," value[NR] }'; }
of() { # WIDTH RANKS KIND: the speed-up
  awk -v key="$1 $2 $3" '$3 == 1 { one[$1, $2, $4] = $5 }
    $2 " " $3 " " $4 == key { print $5 / one[$1, $2, $4] }' "$work/rounds" | middle
}
{
  "$SCALE" --size 16x16 --output "$work/out.pgm" --csv "$work/head.csv" --time-budget 0 > /dev/null
  grep -E '^# (platform|device|device_type|driver|opencl_c|commit):' "$work/head.csv"
  echo "# size: 16384 x $((rows * most))"
  echo "# rounds: $(cut -d " " -f 1 "$work/rounds" | sort -u | wc -l); each rank has one core, in weak scaling $rows rows; rate: Gpixel/s, strong"
  echo "# image: rings"
  echo kernel,filter_width,ranks,predicted,strong,strong_low,strong_high,weak,weak_low,weak_high,rate
  for width in 7 31; do
    limit=$(awk -v width="$width" '$2 == width && $3 == 1 { print $6 / $9 }' "$work/rounds" | middle)
    for n in "${counts[@]}"; do
      rate=$(awk -v key="$width $n strong" '$2 " " $3 " " $4 == key { print $5 }' "$work/rounds" | middle)
      predicted=$(awk -v n="$n" -v limit="${limit%%,*}" 'BEGIN { print (n < limit ? n : limit) }')
      echo "$kernel,$width,$n,$predicted,$(of "$width" "$n" strong),$(of "$width" "$n" weak),${rate%%,*}"
    done
  done
} > "$csv"
