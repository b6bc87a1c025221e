# How the tests run the kernels of this step: see `settings` in tests/programs.bash.
# shellcheck shell=bash disable=SC2034
# The simulator does not know instructions of NVIDIA's. What the host gives these kernels, pairs and matrices of taps,
# the tests of dot32.cl and bytes_test.cpp check.
if [[ $file == dot.cl || $file == matrix.cl ]]; then
  echo "$kernels: for NVIDIA's GPUs alone, where ./tutorial run verifies it"
  exit 77
fi
# A filter whose sums are below 0, between the limits, and above 255.
printf '%s\n' '-3 0 0' '0 0 0' '0 3.7 0' > limits.txt
case $file in
  bytes.cl)
    constant_taps=yes
    runs=('--filter-width 5 --block 8x2 --size 11x5' '--filter limits.txt --block 8x2 --block-group 3x5 --size 20x6')
    ;;
  bytes16.cl)
    runs=('--filter-width 5 --block 32x2 --size 35x5' '--filter limits.txt --block 32x2 --block-group 3x5 --size 48x6'
      '--filter-width 18 --block 16x16 --size 15x16')
    ;;
  dot32.cl)
    block=(--block 32x2) blocks='32x1 64x5 64x16' sizes='68x17 96x16'
    runs=('--filter-width 5 --block 64x2 --size 67x5' '--filter limits.txt --block 32x2 --block-group 3x5 --size 96x6'
      '--filter-width 18 --block 32x16 --size 31x16')
    simulated_at=(--kernel "$kernels" --filter-width 1,4,7 "${block[@]}" --block-group 2x4) simulated_sizes='17x5 67x9'
    forms=(VNNI __AVX512BW__ __AVX2__)
    elsewhere=(-) # no vectors of 32 there
    ;;
esac
