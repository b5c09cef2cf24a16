// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A TOML text as a flat list of what it sets, in the order of the file, read by toml++.
///
/// Settings and rules are checked in Swift, where the words of a complaint and the nearest valid
/// name are at home. What stands here is only what a checker needs: which table, which key, what
/// kind of value, and where in the file.

#ifndef A11Y_CXX_TOML_H
#define A11Y_CXX_TOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    A11Y_TOML_TABLE = 1,
    A11Y_TOML_ARRAY = 2,
    A11Y_TOML_STRING = 3,
    A11Y_TOML_INTEGER = 4,
    A11Y_TOML_FLOAT = 5,
    A11Y_TOML_BOOLEAN = 6,
    /// A date, a time, or both; nothing of ours takes one.
    A11Y_TOML_TIME = 7,
};

/// What one text may have, so that reading it takes some milliseconds. People write far less.
enum {
    /// Parts of a key such as `a.b.c`.
    A11Y_TOML_PARTS = 32,
    /// Tables and lists within each other.
    A11Y_TOML_LEVELS = 32,
    /// Bytes of a name with those of the tables that it stands in.
    A11Y_TOML_NAME = 256,
    /// Tables, and values of keys and lists, counted by the marks before and between them.
    A11Y_TOML_VALUES = 8192,
};

/// A value, and where it starts in the file (lines and columns from 1, columns in characters).
typedef struct {
    uint8_t kind;
    uint32_t line;
    uint32_t column;
    /// A string's bytes (UTF-8, not terminated).
    const char *_Nullable string;
    size_t length;
    /// An integer, or a boolean as 0 or 1.
    int64_t integer;
    double number;
} a11y_toml_value;

/// One line of the list: a key with its value, or the head of a table.
///
/// A table is listed before what is in it, so that an empty one is seen too. A table of an array
/// of tables has its place in the array for a path: the second `[[rule]]` is listed with path ""
/// and key "rule[1]", its keys with path "rule[1]".
typedef struct {
    const char *_Nonnull path;
    size_t path_length;
    const char *_Nonnull key;
    size_t key_length;
    /// Where the name of the key or of the table starts; of a table in an array, its brackets.
    uint32_t line;
    uint32_t column;
    a11y_toml_value value;
    /// The values in an array. Arrays and tables within it are named by their kind alone.
    const a11y_toml_value *_Nullable items;
    size_t item_count;
} a11y_toml_entry;

/// Where and why a text is not read.
typedef struct {
    uint32_t line;
    uint32_t column;
    /// It has more than a text may have; otherwise it is no TOML.
    bool is_too_large;
    const char *_Nonnull words;
} a11y_toml_fault;

typedef struct a11y_toml a11y_toml;

/// Reads a text, or fails; which of the two, `a11y_toml_error` tells. NULL without memory.
a11y_toml *_Nullable a11y_toml_read(const char *_Nonnull text, size_t length);
void a11y_toml_free(a11y_toml *_Nonnull toml);

/// The fault of the text, or NULL. It lasts as long as the reading.
const a11y_toml_fault *_Nullable a11y_toml_error(const a11y_toml *_Nonnull toml);

/// The list. Lasts as long as the reading; NULL where it is empty.
const a11y_toml_entry *_Nullable a11y_toml_entries(
    const a11y_toml *_Nonnull toml, size_t *_Nonnull count);

#ifdef __cplusplus
}
#endif

#endif
