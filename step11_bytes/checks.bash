# How the tests run the kernels of this step: see `settings` in tests/programs.bash.
# shellcheck shell=bash disable=SC2034
# The simulator does not know instructions of NVIDIA's, so all runs are on the device if that is one of their GPUs. What
# the host gives these kernels is checked everywhere: matrices of taps by launch_test.cpp, pairs with dot32.cl.
if [[ $file == dot.cl || $file == matrix.cl ]]; then
  "$build/$1" --verify-only --kernel "$kernels" --filter-width 1 --size 8x8 > out 2> err
  ! grep "skipped: needs NVIDIA's" out || exit 77
  export ON_DEVICE=1
  elsewhere=(-) simulated_at=(-)
fi
# Filters whose sums are below 0, between the limits, and above 255; the taps of the second add up to 0.
printf '%s\n' '-3 0 0' '0 0 0' '0 3.7 0' > limits.txt
printf '%s\n' '-1 0 1' '-2 0 2' '-1 0 1' > edges.txt
filters='limits.txt edges.txt'
case $file in
  dot.cl)
    constant_taps=yes
    runs=('--filter-width 5 --block 8x2 --size 11x5' '--filter limits.txt --block 8x2 --block-group 3x5 --size 20x6'
      '--filter-width 7 --block 8x2 --size 13x8')
    ;;
  matrix.cl) # tiles of 128 x 16 outputs, whatever is asked; several of them, and rows that are ragged or whole vectors
    block=() blocks='' sizes=''
    runs=('--filter-width 5 --size 137x17' '--filter limits.txt --size 144x19' '--filter-width 10,18 --size 270x35')
    ;;
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
