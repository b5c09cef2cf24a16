// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#include "CBytes.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
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
__attribute__((target("sse4.2")))
static uint32_t by_instruction(uint32_t crc, const uint8_t *bytes, size_t length) {
    uint64_t wide = crc;
    for (; length >= 8; bytes += 8, length -= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        wide = _mm_crc32_u64(wide, word);
    }
    crc = (uint32_t)wide;
    while (length--)
        crc = _mm_crc32_u8(crc, *bytes++);
    return crc;
}

uint32_t a11y_crc32c(uint32_t crc, const void *bytes, size_t length) {
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
