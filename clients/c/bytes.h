// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/* Bytes in a row that grow at the end and are taken from the front. */
#ifndef A11Y_BYTES_H
#define A11Y_BYTES_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* A piece of a text that belongs to somebody else. */
struct piece {
  const char *at;
  size_t count;
};

/* All zeros are an empty buffer. Without memory it has failed, and stays as it is until it is
   cleared, so that a line is put together without a look at each step. */
struct bytes {
  char *memory;
  size_t first, end, room;
  bool has_failed;
};

struct piece piece_of(const char *text);
bool piece_is(struct piece piece, const char *text);

/* The bytes that are there. */
struct piece bytes_all(const struct bytes *bytes);
size_t bytes_count(const struct bytes *bytes);

/* Makes room behind the end; NULL without memory. */
char *bytes_reserve(struct bytes *bytes, size_t more);
void bytes_append(struct bytes *bytes, struct piece piece);
void bytes_put(struct bytes *bytes, const char *text);
void bytes_put_number(struct bytes *bytes, long long number);
/* Takes bytes from the front. */
void bytes_drop(struct bytes *bytes, size_t count);
void bytes_clear(struct bytes *bytes);
void bytes_free(struct bytes *bytes);

#endif
