#!/bin/bash
# Makes the counts in plots/xray/ and the pictures in plots/charts/xray/ anew, after a change of a kernel; then
# `./tutorial readme` shows them. Takes a while: the simulator runs each kernel instruction by instruction.
set -euo pipefail
cd "$(dirname "$0")/../.."

step_of() { awk -F, -v kernel="$1" '$1 == kernel { print $2 }' kernels.csv; }
# count KERNEL[,KERNEL...] ARGS: by the program of the last one's step.
count() { ./tutorial xray "$(step_of "${1##*,}")" --kernel "$1" "${@:2}"; }

# All kernels that the programs of these have.
for last in Convolve_Float4 Convolve_Fast; do
  ./tutorial xray "$(step_of $last)" --filter-width 7,16,19 --csv part-$last.csv
done
build/release/tutorial join plots/xray/ladder.csv part-Convolve_Float4.csv part-Convolve_Fast.csv
for group in 16x16 32x8; do
  count Convolve_Local --work-group $group --size 256x16 --filter-width 7,16 --csv plots/xray/group-$group.csv
done
for group in 16x16 32x8 32x4; do
  count Convolve_Local:tight,Convolve_Local,Convolve_Local_Read4 --work-group $group --size 256x16 \
    --filter-width 7 --csv plots/xray/read-$group.csv
done
./tutorial xray median --csv plots/xray/median.csv
./tutorial xray edge_conditions --csv plots/xray/edge_conditions.csv
count Convolve_Separable,Convolve_Separable_Shared --filter-width 7,31 --csv plots/xray/two_passes.csv
count Stereo_Def,Stereo_Block16,Stereo_Whole,Stereo_Running --size 32x16 --csv plots/xray/stereo.csv
count Convolve_Baked,Convolve_Baked16 --filter motion-blur --csv plots/xray/motion-blur.csv
count Convolve --size 64x64 --against step1_naive/swapped.cl --csv plots/xray/swapped.csv
fft() { count "$1" --filter-width "$2" --size "$3" --work-group 64x1 --csv "part-$1-$2.csv"; }
for a in 3:124x62 7:112x58 15:96x50 31:64x34; do fft Convolve_Fft,Convolve_Fft_Shared ${a%:*} ${a#*:}; done
for a in 3:224x126 7:224x122 15:224x114 31:192x98; do fft Convolve_Fft16 ${a%:*} ${a#*:}; done
build/release/tutorial join plots/xray/fft.csv part-Convolve_Fft*.csv
./tutorial xray 11 --kernel Convolve_Bytes,Convolve_Bytes16,Convolve_Bytes_Dot32 --csv plots/xray/bytes.csv
count Convolve --svg plots/charts/xray
