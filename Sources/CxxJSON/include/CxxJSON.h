// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Strict JSON of one line as a flat list of tokens, read by simdjson.
///
/// Tokens point into the line, so that a value is copied as it came and decoded only if its meaning
/// is asked for. The checks that simdjson leaves to its caller are made here: duplicate keys, lone
/// surrogates, U+0000, depth, and every number and string, even if none is read.

#ifndef A11Y_CXX_JSON_H
#define A11Y_CXX_JSON_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes behind a line that simdjson looks at; reading sets them to zero.
#define A11Y_JSON_PADDING 64

/// The deepest nesting that is accepted; the outermost object is 1.
#define A11Y_JSON_DEPTH 32

enum {
    A11Y_JSON_OBJECT = 1,
    A11Y_JSON_ARRAY = 2,
    A11Y_JSON_STRING = 3,
    A11Y_JSON_NUMBER = 4,
    A11Y_JSON_TRUE = 5,
    A11Y_JSON_FALSE = 6,
    A11Y_JSON_NULL = 7,
};

/// One value, or the key before a value.
typedef struct {
    /// The offset of its text in the line; a string's behind its quote.
    uint32_t start;
    /// The length of its text as written; a string's without its quotes.
    uint32_t length;
    /// The index of the first token that is no part of this value.
    uint32_t end;
    uint8_t kind;
    /// Whether a string has a backslash in it.
    uint8_t escaped;
} a11y_json_token;

typedef struct a11y_json_reader a11y_json_reader;

/// A reader with room for lines of `capacity` bytes, or NULL without memory.
a11y_json_reader *_Nullable a11y_json_reader_new(size_t capacity);
void a11y_json_reader_free(a11y_json_reader *_Nonnull reader);

/// Reads one line that holds one object. Returns NULL, or the fault in plain words.
///
/// The line stays as it is; the A11Y_JSON_PADDING bytes behind it are overwritten.
///
/// The tokens are the reader's and last until its next call. The first is the object; behind an
/// object's token come key, value, key, value, behind an array's its values.
const char *_Nullable a11y_json_read(
    a11y_json_reader *_Nonnull reader, uint8_t *_Nonnull line, size_t length,
    const a11y_json_token *_Nullable *_Nonnull tokens, size_t *_Nonnull count);

/// Writes the text that an escaped, already checked string stands for; never longer than it.
size_t a11y_json_unescape(const uint8_t *_Nonnull string, size_t length, uint8_t *_Nonnull into);

/// The index of the value that an object has under a name, or 0 where it has none.
///
/// A name that is written with escapes is not recognised; `escaped` is set where there is one.
static inline uint32_t a11y_json_member(
    const a11y_json_token *_Nonnull tokens, const uint8_t *_Nonnull line, uint32_t object,
    const uint8_t *_Nonnull name, uint32_t length, uint8_t *_Nonnull escaped) {
    uint32_t end = tokens[object].end;
    for (uint32_t key = object + 1; key < end; key = tokens[key + 1].end) {
        *escaped |= tokens[key].escaped;
        if (tokens[key].length == length && memcmp(line + tokens[key].start, name, length) == 0)
            return key + 1;
    }
    return 0;
}

#ifdef __cplusplus
}
#endif

#endif
