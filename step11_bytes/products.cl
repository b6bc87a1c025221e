// Ceilings of this step, as those of common/lab/roofline.cl, whose host launches these kernels too:
// products of bytes, by instructions without a name in OpenCL C. Where a compiler has none, there
// is no kernel. There are eight chains that know nothing of each other, each a sum to which
// products of pixels and taps are added.
#define EIGHT_SUMS LINK(s0) LINK(s1) LINK(s2) LINK(s3) LINK(s4) LINK(s5) LINK(s6) LINK(s7)
#define EIGHT_LINKS \
  EIGHT_SUMS EIGHT_SUMS EIGHT_SUMS EIGHT_SUMS EIGHT_SUMS EIGHT_SUMS EIGHT_SUMS EIGHT_SUMS

// 32 products of 16 bits, summed in pairs and added: vpdpwssd, as in dot32.cl, or vpmaddwd and
// vpaddd, twice where vectors have half the width. Without `volatile` and the empty instruction a
// compiler would see eight equal sums of equal products. PoCL 5 and 6, which have clang 16 to 18,
// die of this kernel.
#if defined(VNNI) && defined(__AVX512BW__)
#define BYTES_OF_A_VECTOR 64
#define LINK(sum) __asm__ volatile("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(pixels), "v"(taps));
#elif defined(__AVX512BW__) && __clang_major__ < 16
#define BYTES_OF_A_VECTOR 64
#define LINK(sum)                      \
  __asm__ volatile("" : "+v"(pixels)); \
  sum += (ints)__builtin_ia32_pmaddwd512(pixels, taps);
#elif defined(__AVX2__) && __clang_major__ < 16
#define BYTES_OF_A_VECTOR 32
#define HALF_LINK(sum)                 \
  __asm__ volatile("" : "+x"(pixels)); \
  sum += (ints)__builtin_ia32_pmaddwd256(pixels, taps);
#define LINK(sum) HALF_LINK(sum) HALF_LINK(sum)
#endif

#ifdef LINK
typedef short shorts __attribute__((vector_size(BYTES_OF_A_VECTOR)));
typedef int ints __attribute__((vector_size(BYTES_OF_A_VECTOR)));

__kernel void MultiplyAdd_pairs(
    __global float* output, const __global float* input, const int turns, const float factor) {
  shorts pixels, taps;
  for (int i = 0; i < (int)(sizeof(shorts) / sizeof(short)); i++) {
    pixels[i] = 2.0f * input[0];
    taps[i] = factor;
  }
  const ints none = __builtin_astype(taps ^ taps, ints);
  ints s0 = none, s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  const int item = get_local_id(0);  // as in the reads of roofline.cl
  for (int turn = item; turn < item + turns; turn++) {
    EIGHT_LINKS
  }
  const ints sums = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
  int sum = 0;
  for (int i = 0; i < (int)(sizeof(ints) / sizeof(int)); i++) {
    sum += sums[i];
  }
  output[get_global_id(0)] = sum;
}
#undef LINK
#endif

// A product of a matrix of 16 x 32 bytes and one of 32 x 8, by 32 work-items together: 128 products
// for each. A tap of 16 bits takes two, so half of them count.
#if defined(MATRICES)
#define LINK(sum)                                                          \
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0, %1, %2, %3}, " \
      "{%4, %4, %4, %4}, {%5, %5}, {%0, %1, %2, %3};"                      \
      : "+r"(sum.s0), "+r"(sum.s1), "+r"(sum.s2), "+r"(sum.s3)             \
      : "r"(taps), "r"(pixels));

__kernel void MultiplyAdd_matrices(
    __global float* output, const __global float* input, const int turns, const float factor) {
  const uint pixels = 0x01010101u * (uchar)(2.0f * input[0]);
  const uint taps = 0x01010101u * (uchar)(char)factor;
  int4 s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
  for (int turn = 0; turn < turns; turn++) {
    EIGHT_LINKS
  }
  const int4 sums = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
  output[get_global_id(0)] = 0.5f * ((sums.x + sums.y) + (sums.z + sums.w));
}
#undef LINK
#endif
