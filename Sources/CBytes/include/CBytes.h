// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Loops over bytes for which C reaches instructions that a Swift loop does not.

#ifndef A11Y_BYTES_H
#define A11Y_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// CRC-32C (Castagnoli) of `length` bytes, continued from `crc` (0 to begin).
uint32_t a11y_crc32c(uint32_t crc, const void *_Nonnull bytes, size_t length);

/// Copies `length` bytes, nearly always few, to a place that does not overlap them.
static inline void a11y_copy(
    void *_Nonnull to, const void *_Nonnull from, size_t length) {
    uint8_t *target = (uint8_t *)to;
    const uint8_t *source = (const uint8_t *)from;
    // Copied from both ends: the copies overlap, so that the length needs no further branch.
    if (length > 32) {
        memcpy(target, source, length);
    } else if (length >= 16) {
        memcpy(target, source, 16);
        memcpy(target + length - 16, source + length - 16, 16);
    } else if (length >= 8) {
        memcpy(target, source, 8);
        memcpy(target + length - 8, source + length - 8, 8);
    } else if (length >= 4) {
        memcpy(target, source, 4);
        memcpy(target + length - 4, source + length - 4, 4);
    } else {
        for (size_t i = 0; i < length; i++)
            target[i] = source[i];
    }
}

/// The offset of the first `byte` in `length` bytes, or `length` where there is none.
static inline size_t a11y_find(const void *_Nonnull bytes, uint8_t byte, size_t length) {
    const void *hit = memchr(bytes, byte, length);
    return hit ? (size_t)((const uint8_t *)hit - (const uint8_t *)bytes) : length;
}

/// The number of scalars in `length` bytes of UTF-8.
static inline size_t a11y_scalars(const uint8_t *_Nonnull bytes, size_t length) {
    size_t count = 0;
    while (length > 0) {
        // As many bytes as a byte can count, so that vector instructions count many at a time.
        size_t piece = length < 255 ? length : 255;
        uint8_t of_piece = 0;
        for (size_t i = 0; i < piece; i++)
            of_piece += (bytes[i] & 0xc0) != 0x80;
        count += of_piece;
        bytes += piece;
        length -= piece;
    }
    return count;
}

/// The offset of the first digit, slash, or byte that `$`, `£`, `¥` or `€` begins with; or
/// `length`.
static inline size_t a11y_find_figure(const uint8_t *_Nonnull bytes, size_t length) {
#define A11Y_IS_FIGURE(byte) \
    (((uint8_t)((byte) - '/') <= '9' - '/') | ((byte) == '$') | ((byte) == 0xc2) | ((byte) == 0xe2))
    size_t i = 0;
    // Sixteen bytes without a branch, which one vector instruction compares.
    for (; i + 16 <= length; i += 16) {
        uint8_t found = 0;
        for (size_t j = 0; j < 16; j++)
            found |= A11Y_IS_FIGURE(bytes[i + j]);
        if (found)
            break;
    }
    while (i < length && !A11Y_IS_FIGURE(bytes[i]))
        i++;
    return i;
#undef A11Y_IS_FIGURE
}

/// Writes the digits of a number, and returns how many they are: twenty at most.
static inline size_t a11y_decimal(void *_Nonnull to, uint64_t number) {
    static const uint64_t powers[] = {
        0, 10u, 100u, 1000u, 10000u, 100000u, 1000000u, 10000000u, 100000000u, 1000000000u,
        10000000000u, 100000000000u, 1000000000000u, 10000000000000u, 100000000000000u,
        1000000000000000u, 10000000000000000u, 100000000000000000u, 1000000000000000000u,
        10000000000000000000u};
    static const char pairs[] =
        "0001020304050607080910111213141516171819"
        "2021222324252627282930313233343536373839"
        "4041424344454647484950515253545556575859"
        "6061626364656667686970717273747576777879"
        "8081828384858687888990919293949596979899";
    // The number of digits from the number of bits: 1233 / 4096 is the decimal logarithm of 2.
    unsigned length = (64 - (unsigned)__builtin_clzll(number | 1)) * 1233 >> 12;
    length += number >= powers[length];
    uint8_t *end = (uint8_t *)to + length;
    while (number >= 100) {
        uint64_t rest = number / 100;
        memcpy(end -= 2, pairs + 2 * (number - 100 * rest), 2);
        number = rest;
    }
    if (number >= 10)
        memcpy(end - 2, pairs + 2 * number, 2);
    else
        end[-1] = (uint8_t)('0' + number);
    return length;
}

/// Whether a JSON string has to escape any of eight bytes: controls, DEL, quotes, backslashes.
static inline uint64_t a11y_word_needs_escapes(uint64_t word) {
    const uint64_t ones = 0x0101010101010101u, highs = 0x8080808080808080u;
    uint64_t quote = word ^ ones * '"', slash = word ^ ones * '\\', del = word ^ ones * 127;
    return (((word - ones * 32) & ~word) | ((quote - ones) & ~quote) | ((slash - ones) & ~slash)
            | ((del - ones) & ~del)) & highs;
}

/// Whether a JSON string has to escape any of `length` bytes.
static inline int a11y_needs_escapes(const uint8_t *_Nonnull bytes, size_t length) {
    uint64_t found = 0, word;
    if (length >= 8) {
        for (size_t i = 0; i + 8 < length; i += 8) {
            memcpy(&word, bytes + i, 8);
            found |= a11y_word_needs_escapes(word);
        }
        // The last eight overlap those before, so that there is no rest.
        memcpy(&word, bytes + length - 8, 8);
        return (found | a11y_word_needs_escapes(word)) != 0;
    }
    // Padded with letters, which need no escape.
    word = 0x6161616161616161u;
    if (length >= 4) {
        uint32_t last;
        memcpy(&word, bytes, 4);
        memcpy(&last, bytes + length - 4, 4);
        word = (word & 0xffffffffu) | (uint64_t)last << 32;
    } else {
        for (size_t i = 0; i < length; i++)
            word = word << 8 | bytes[i];
    }
    return a11y_word_needs_escapes(word) != 0;
}

/// Copies `length` bytes between two quotes, for which there is room; not where a JSON string has
/// to escape any of them. Whether it has copied them.
static inline int a11y_quote(
    void *_Nonnull to, const uint8_t *_Nonnull from, size_t length) {
    if (a11y_needs_escapes(from, length))
        return 0;
    uint8_t *target = (uint8_t *)to;
    target[0] = '"';
    a11y_copy(target + 1, from, length);
    target[length + 1] = '"';
    return 1;
}

/// Whether `length` bytes are the same in both places.
static inline int a11y_equal(const void *_Nonnull a, const void *_Nonnull b, size_t length) {
    return memcmp(a, b, length) == 0;
}

/// Whether sixteen bytes or fewer are the same in both places; the length is a constant.
static inline __attribute__((always_inline)) int a11y_is(
    const void *_Nonnull a, const char *_Nonnull text, size_t length) {
    return __builtin_memcmp(a, text, length) == 0;
}

/// The number in front of a stored entry, if `{"seq":` and a comma are around it; else -1.
static inline int64_t a11y_seq(const uint8_t *_Nonnull line, size_t length) {
    if (length < 9 || !a11y_is(line, "{\"seq\":", 7))
        return -1;
    // Behind the last digit that is looked at there is another byte, and eighteen always fit.
    const uint8_t *digit = line + 7, *end = line + (length - 1 < 25 ? length - 1 : 25);
    int64_t number = 0;
    for (; digit < end && (uint8_t)(*digit - '0') <= 9; digit++)
        number = number * 10 + (*digit - '0');
    return digit > line + 7 && *digit == ',' ? number : -1;
}

/// The eight digits of the checksum that ends a stored line, if the line has one; else 0, which no
/// digits are.
static inline uint64_t a11y_stated(const uint8_t *_Nonnull line, size_t length) {
    const uint8_t *tail = line + length - 18;
    uint64_t digits;
    if (length <= 18 || !a11y_is(tail, ",\"crc\":\"", 8) || !a11y_is(tail + 16, "\"}", 2))
        return 0;
    memcpy(&digits, tail + 8, 8);
    return digits;
}

/// The length and four letters at either end, in one number: all letters of eight or fewer.
static inline uint64_t a11y_ends(const uint8_t *_Nonnull bytes, size_t length) {
    uint32_t first = 0, last = 0;
    if (length >= 4) {
        memcpy(&first, bytes, 4);
        memcpy(&last, bytes + length - 4, 4);
    } else {
        for (size_t i = 0; i < length; i++)
            first = first << 8 | bytes[i];
    }
    return ((uint64_t)first << 32 | last) + length;
}

/// The offset of the first place where `text` stands in `length` bytes, or `length`.
size_t a11y_find_text(
    const void *_Nonnull bytes, size_t length, const void *_Nonnull text, size_t text_length);

#endif
