// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The two loops over bytes for which the processor has better means than a Swift loop.

#ifndef A11Y_BYTES_H
#define A11Y_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// CRC-32C (Castagnoli) of `length` bytes, going on from `crc` (0 to begin).
uint32_t a11y_crc32c(uint32_t crc, const void *_Nonnull bytes, size_t length);

/// The offset of the first `byte` in `length` bytes, or `length` where there is none.
static inline size_t a11y_find(const void *_Nonnull bytes, uint8_t byte, size_t length) {
    const void *hit = memchr(bytes, byte, length);
    return hit ? (size_t)((const uint8_t *)hit - (const uint8_t *)bytes) : length;
}

/// The offset of the first place where `text` stands in `length` bytes, or `length`.
size_t a11y_find_text(
    const void *_Nonnull bytes, size_t length, const void *_Nonnull text, size_t text_length);

#endif
