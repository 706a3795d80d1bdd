/* SPDX-License-Identifier: MIT */
/* What the search headers ask of the compiler beyond C11, each with a plain fallback. */
#ifndef PUZZLED_SEARCH_MACROS_H
#define PUZZLED_SEARCH_MACROS_H

#if defined(__GNUC__) /* gcc and clang */
/* A kernel: must be inlined into its entry, where the domain is a constant. */
#define PZ_INLINE static inline __attribute__((always_inline))
/* An entry: everything that it calls is inlined, itself never. */
#define PZ_ENTRY static __attribute__((flatten, noinline, unused))
/* Kept out of the hot code, and legal to leave unused in a header. */
#define PZ_OUTLINE           static __attribute__((noinline, unused))
#define PZ_UNUSED            __attribute__((unused))
#define PZ_UNLIKELY(x)       __builtin_expect(!!(x), 0)
#define PZ_FALLTHROUGH       __attribute__((fallthrough))
#define PZ_PREFETCH(p)       __builtin_prefetch(p)
#define PZ_PRINTF(at, first) __attribute__((format(printf, at, first)))
#define PZ_POPCOUNT(x)       ((unsigned)__builtin_popcountll(x))
#define PZ_LOWEST_BIT(x)     ((unsigned)__builtin_ctzll(x)) /* of x, which is not 0 */
#else
#define PZ_INLINE  static inline
#define PZ_ENTRY   static
#define PZ_OUTLINE static
#define PZ_UNUSED
#define PZ_UNLIKELY(x) (x)
#define PZ_FALLTHROUGH ((void)0)
#define PZ_PREFETCH(p) ((void)(p))
#define PZ_PRINTF(at, first)
#define PZ_POPCOUNT(x)   pz_popcount(x)
#define PZ_LOWEST_BIT(x) pz_popcount(((x) & -(x)) - 1)
static inline unsigned pz_popcount(unsigned long long x)
{
	unsigned n = 0;

	for (; x != 0; x &= x - 1)
		n++;
	return n;
}
#endif

/* clang-format off */
/* X(0) X(1) ... X(63): as many as a state can have moves (PZ_MOVES_MAX). */
#define PZ_EACH_MOVE(X) \
	X(0)  X(1)  X(2)  X(3)  X(4)  X(5)  X(6)  X(7)  X(8)  X(9)  X(10) X(11) X(12) X(13) X(14) X(15) \
	X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) \
	X(32) X(33) X(34) X(35) X(36) X(37) X(38) X(39) X(40) X(41) X(42) X(43) X(44) X(45) X(46) X(47) \
	X(48) X(49) X(50) X(51) X(52) X(53) X(54) X(55) X(56) X(57) X(58) X(59) X(60) X(61) X(62) X(63)
/* clang-format on */

#endif
