// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#include "CBytes.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
#include <wmmintrin.h>
#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#endif

/// The reflected Castagnoli polynomial.
#define POLYNOMIAL 0x82f63b78u

static uint32_t table[256];

__attribute__((constructor)) static void fill_table(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ ((crc & 1) ? POLYNOMIAL : 0);
        table[byte] = crc;
    }
}

static uint32_t by_table(uint32_t crc, const uint8_t *bytes, size_t length) {
    while (length--)
        crc = table[(crc ^ *bytes++) & 0xff] ^ (crc >> 8);
    return crc;
}

#if defined(__x86_64__)
/// The words of a third of a piece, at most: a piece is longer than nearly all lines.
#define MOST_WORDS 64
/// Shorter pieces are sooner done in one chain.
#define LEAST_WORDS 4

/// What a checksum is multiplied by when so many words follow: x to the power of 64 for each of
/// them, less the 33 that the multiplication and the instruction behind it bring.
static uint32_t factors[2 * MOST_WORDS + 1];

__attribute__((constructor)) static void fill_factors(void) {
    // One, in reflected bits.
    uint32_t power = 0x80000000u;
    for (int bit = 1; bit <= 64 * 2 * MOST_WORDS - 33; bit++) {
        power = (power >> 1) ^ ((power & 1) ? POLYNOMIAL : 0);
        if (bit % 64 == 31)
            factors[bit / 64 + 1] = power;
    }
}

static inline uint64_t word_at(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    return word;
}

__attribute__((target("sse4.2")))
static uint32_t by_instruction(uint32_t crc, const uint8_t *bytes, size_t length) {
    uint64_t wide = crc;
    for (; length >= 8; bytes += 8, length -= 8)
        wide = _mm_crc32_u64(wide, word_at(bytes));
    crc = (uint32_t)wide;
    // Three steps at most, each of which waits for the one before.
    if (length & 4) {
        uint32_t four;
        memcpy(&four, bytes, 4);
        crc = _mm_crc32_u32(crc, four);
        bytes += 4;
    }
    if (length & 2) {
        uint16_t two;
        memcpy(&two, bytes, 2);
        crc = _mm_crc32_u16(crc, two);
        bytes += 2;
    }
    return length & 1 ? _mm_crc32_u8(crc, *bytes) : crc;
}

/// The checksum as it is behind so many words of zeros.
__attribute__((target("sse4.2,pclmul")))
static inline uint64_t shifted(uint64_t crc, size_t words) {
    __m128i product = _mm_clmulepi64_si128(
        _mm_cvtsi64_si128((int64_t)crc), _mm_cvtsi64_si128((int64_t)factors[words]), 0);
    return _mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(product));
}

/// In three chains: each instruction waits for the one before for three cycles, in which two others
/// can begin. The chains are joined as if the words behind them were zeros.
__attribute__((target("sse4.2,pclmul")))
static uint32_t by_three_chains(uint32_t crc, const uint8_t *bytes, size_t length) {
    while (length >= 24 * LEAST_WORDS) {
        size_t words = length / 24;
        if (words > MOST_WORDS)
            words = MOST_WORDS;
        const uint8_t *second = bytes + 8 * words, *third = second + 8 * words;
        uint64_t a = crc, b = 0, c = 0;
        for (size_t at = 0; at < 8 * words; at += 8) {
            a = _mm_crc32_u64(a, word_at(bytes + at));
            b = _mm_crc32_u64(b, word_at(second + at));
            c = _mm_crc32_u64(c, word_at(third + at));
        }
        crc = (uint32_t)(shifted(a, 2 * words) ^ shifted(b, words) ^ c);
        bytes += 24 * words;
        length -= 24 * words;
    }
    return by_instruction(crc, bytes, length);
}

uint32_t a11y_crc32c(uint32_t crc, const void *bytes, size_t length) {
    if (__builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.2"))
        return ~by_three_chains(~crc, bytes, length);
    if (__builtin_cpu_supports("sse4.2"))
        return ~by_instruction(~crc, bytes, length);
    return ~by_table(~crc, bytes, length);
}
#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
uint32_t a11y_crc32c(uint32_t crc, const void *start, size_t length) {
    const uint8_t *bytes = start;
    crc = ~crc;
    for (; length >= 8; bytes += 8, length -= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        crc = __crc32cd(crc, word);
    }
    return ~by_table(crc, bytes, length);
}
#else
uint32_t a11y_crc32c(uint32_t crc, const void *bytes, size_t length) {
    return ~by_table(~crc, bytes, length);
}
#endif
