// Kernels that do one thing only, as fast as the device can: what a convolution kernel is compared
// with. ceilings.cpp launches them; its constants say what is said here about counts. Step 11 has
// products of bytes besides.

// One multiply-add. fma() is one instruction where there is one for it; where there is none, it is
// a slow function, and what a convolution gets is a multiplication and an addition.
#ifdef FP_FAST_FMAF
#define MULTIPLY_ADD(a, b, c) fma(a, b, c)
#else
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#endif

// --- Multiply-adds ------------------------------------------------------------------------------

// A CPU begins two multiply-adds in a clock and has each result after four or five, so there are
// twelve chains of them that know nothing of each other. With factor and addend they fit into 16
// registers.
#define LINK(a) a = MULTIPLY_ADD(a, factor, addend)
#define TWELVE_CHAINS                                                                       \
  LINK(a0), LINK(a1), LINK(a2), LINK(a3), LINK(a4), LINK(a5), LINK(a6), LINK(a7), LINK(a8), \
      LINK(a9), LINK(aa), LINK(ab);

// Eight links of each chain a turn of the loop, so that counting the turns costs little. The
// starting values differ from chain to chain, from lane to lane and between work-items, factor and
// addend come from the host, and the sum is stored: there is nothing that a compiler could leave
// out.
//
// On a CPU the loop counts from the work-item's own number: PoCL would run a loop that is the same
// for the whole group turn by turn for all its work-items, and move their sums through memory every
// time.
#if defined(__x86_64__) || defined(__aarch64__)
#define FIRST_TURN (int)get_local_id(0)
#else
#define FIRST_TURN 0
#endif
#define MULTIPLY_ADD_KERNEL(name, type, lanes, sum_of)                                            \
  __kernel void name(                                                                             \
      __global float* output, const __global float* input, const int turns,                       \
      const float factor_argument) {                                                              \
    const type factor = factor_argument;                                                          \
    const type addend = input[0];                                                                 \
    const type first = addend + (float)(get_local_id(0) % 16) + lanes;                            \
    type a0 = first, a1 = first + 1.0f, a2 = first + 2.0f, a3 = first + 3.0f, a4 = first + 4.0f,  \
         a5 = first + 5.0f, a6 = first + 6.0f, a7 = first + 7.0f, a8 = first + 8.0f,              \
         a9 = first + 9.0f, aa = first + 10.0f, ab = first + 11.0f;                               \
    for (int turn = FIRST_TURN; turn < turns + FIRST_TURN; turn++) {                              \
      TWELVE_CHAINS TWELVE_CHAINS TWELVE_CHAINS TWELVE_CHAINS TWELVE_CHAINS TWELVE_CHAINS         \
          TWELVE_CHAINS TWELVE_CHAINS                                                             \
    }                                                                                             \
    const type sum = ((a0 + a1) + (a2 + a3)) + ((a4 + a5) + (a6 + a7)) + ((a8 + a9) + (aa + ab)); \
    output[get_global_id(0)] = sum_of(sum);                                                       \
  }

#define SUM_OF_1(v) (v)
#define SUM_OF_4(v) ((v.x + v.y) + (v.z + v.w))
#define SUM_OF_8(v) (SUM_OF_4(v.s0123) + SUM_OF_4(v.s4567))
#define SUM_OF_16(v) (SUM_OF_8(v.s01234567) + SUM_OF_8(v.s89abcdef))

MULTIPLY_ADD_KERNEL(MultiplyAdd_float, float, 0.0f, SUM_OF_1)

MULTIPLY_ADD_KERNEL(MultiplyAdd_float4, float4, (float4)(0.0f, 1.0f, 2.0f, 3.0f), SUM_OF_4)

MULTIPLY_ADD_KERNEL(
    MultiplyAdd_float8, float8, (float8)(0.0f, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f), SUM_OF_8)

MULTIPLY_ADD_KERNEL(
    MultiplyAdd_float16, float16,
    (float16)(0.0f, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f, 8.0f, 9.0f, 10.0f, 11.0f, 12.0f, 13.0f, 14.0f, 15.0f),
    SUM_OF_16)

// --- Global memory ------------------------------------------------------------------------------

__kernel void Copy_float4(__global float4* output, const __global float4* input) {
  const int i = get_global_id(0);
  output[i] = input[i];
}

__kernel void Copy_float16(__global float16* output, const __global float16* input) {
  const int i = get_global_id(0);
  output[i] = input[i];
}

// A CPU's ordinary store first fetches the cache line that it is going to overwrite: a third
// transfer for every two. A non-temporal store goes around the caches and saves it. OpenCL C
// has no such store, so these two kernels exist only where the compiler has one.
#if defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)

__kernel void Copy_Nontemporal_float4(__global float4* output, const __global float4* input) {
  const int i = get_global_id(0);
  __builtin_nontemporal_store(input[i], &output[i]);
}

__kernel void Copy_Nontemporal_float16(__global float16* output, const __global float16* input) {
  const int i = get_global_id(0);
  __builtin_nontemporal_store(input[i], &output[i]);
}

#endif
#endif

// --- Reads --------------------------------------------------------------------------------------

// The nearest cache: 16 KiB of global memory, which stay there, and seven elements more. Eight
// reads a turn of the loop, each into a sum of its own, so that none waits for another. Every turn
// reads eight elements that the last one did not, and neighbours read neighbouring elements.
#define CACHED_READ_KERNEL(name, type, sum_of)                                              \
  __kernel void name(__global float* output, const __global type* input, const int turns) { \
    const int item = get_local_id(0);                                                       \
    type s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;                                        \
    type s4 = 0.0f, s5 = 0.0f, s6 = 0.0f, s7 = 0.0f;                                        \
    for (int position = item; position < item + 8 * turns; position += 8) {                 \
      const __global type* next = input + ((16384 / (int)sizeof(type) - 1) & position);     \
      s0 += next[0];                                                                        \
      s1 += next[1];                                                                        \
      s2 += next[2];                                                                        \
      s3 += next[3];                                                                        \
      s4 += next[4];                                                                        \
      s5 += next[5];                                                                        \
      s6 += next[6];                                                                        \
      s7 += next[7];                                                                        \
    }                                                                                       \
    const type sum = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));                     \
    output[get_global_id(0)] = sum_of(sum);                                                 \
  }

CACHED_READ_KERNEL(CachedRead_float, float, SUM_OF_1)

CACHED_READ_KERNEL(CachedRead_float4, float4, SUM_OF_4)

CACHED_READ_KERNEL(CachedRead_float16, float16, SUM_OF_16)
