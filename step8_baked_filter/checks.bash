# How the tests run the kernels of this step: see `settings` in tests/programs.bash.
# shellcheck shell=bash disable=SC2034
constant_taps=yes
case $file in
  baked16.cl)
    kind=sparse
    elsewhere=(--kernel "$kernels" --filter motion-blur --filter-width 7 --block 16x2)
    simulated_at=("${elsewhere[@]}" --block-group 2x4)
    ;;
  *)
    runs=('--filter-width 5 --block 8x2 --size 11x5' '--filter-width 8 --block 8x2 --block-group 3x5 --size 20x6'
      '--filter column.txt --block 4x16 --size 4x16')
    ;;
esac
