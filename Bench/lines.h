// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// The announcement lines of a run, which come over and over.

#ifndef A11Y_BENCH_LINES_H
#define A11Y_BENCH_LINES_H

#include <stddef.h>

struct line {
    const char *bytes;
    size_t length;
};

/// Reads the file of lines.
void lines_load(const char *path);

/// The line with this number, without its newline.
struct line line_at(long number);

#endif
