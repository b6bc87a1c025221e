#!/bin/bash
# Makes the counts in plots/xray/ and the pictures in plots/charts/xray/ anew, after a change of a kernel; then
# `./tutorial readme` shows them. Takes a while: the simulator runs each kernel instruction by instruction.
set -euo pipefail
cd "$(dirname "$0")/.."

for step in 6 9; do ./tutorial xray $step --filter-width 7,16,19 --csv part-$step.csv; done
build/release/report join plots/xray/ladder.csv part-6.csv part-9.csv
for group in 16x16 32x8 64x4 256x1; do
  ./tutorial xray 5 --work-group $group --size 256x16 --filter-width 7,16 --kernel Convolve_Local --csv plots/xray/group-$group.csv
done
for group in 16x16 32x8 32x4; do
  ./tutorial xray 6 --work-group $group --size 256x16 --filter-width 7 \
    --kernel Convolve_Local:tight,Convolve_Local,Convolve_Local_Read4 --csv plots/xray/read-$group.csv
done
./tutorial xray median --csv plots/xray/median.csv
./tutorial xray edge_conditions --csv plots/xray/edge_conditions.csv
./tutorial xray own_step --filter-width 7,31 --csv plots/xray/own_step.csv
./tutorial xray stereo --size 32x16 --csv plots/xray/stereo.csv
./tutorial xray 9 --filter motion-blur --kernel Convolve_Baked,Convolve_Baked16 --csv plots/xray/motion-blur.csv
./tutorial xray 1 --size 64x64 --against step1_naive/swapped.cl --csv plots/xray/swapped.csv
fft() { ./tutorial xray 10 --kernel "$1" --filter-width "$2" --size "$3" --work-group 64x1 --csv "part-$1-$2.csv"; }
for a in 3:124x62 7:112x58 15:96x50 31:64x34; do fft Convolve_Fft,Convolve_Fft_Shared ${a%:*} ${a#*:}; done
for a in 3:224x126 7:224x122 15:224x114 31:192x98; do fft Convolve_Fft16 ${a%:*} ${a#*:}; done
build/release/report join plots/xray/fft.csv part-Convolve_Fft*.csv
./tutorial xray 11 --kernel Convolve_Bytes,Convolve_Bytes16,Convolve_Bytes_Dot32 --csv plots/xray/bytes.csv
./tutorial film Convolve --size 64x64 --against step1_naive/swapped.cl --svg plots/charts/xray
./tutorial film Convolve_Local --svg plots/charts/xray
./tutorial film Convolve_Block --work-group 8x4 --svg plots/charts/xray
./tutorial xray 7 --kernel Convolve_Block --work-group 8x4 --svg plots/charts/xray
./tutorial xray 5 --kernel Convolve_Local --svg plots/charts/xray
./tutorial xray 5 --work-group 16x16 --size 24x20 --kernel Convolve_Local --svg my-7.2                # figure-7.2.svg
./tutorial xray 6 --work-group 16x16 --size 40x40 --kernel Convolve_Local:tight,Convolve_Local --svg my-7.4 # figure-7.4*.svg
