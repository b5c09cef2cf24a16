// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#include "bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct piece piece_of(const char *text) { return (struct piece){text, strlen(text)}; }

bool piece_is(struct piece piece, const char *text) {
  return piece.count == strlen(text) && memcmp(piece.at, text, piece.count) == 0;
}

struct piece bytes_all(const struct bytes *bytes) {
  /* An empty buffer has no memory yet, and NULL may not be counted from. */
  if (bytes->memory == NULL) return (struct piece){"", 0};
  return (struct piece){bytes->memory + bytes->first, bytes->end - bytes->first};
}

size_t bytes_count(const struct bytes *bytes) { return bytes->end - bytes->first; }

char *bytes_reserve(struct bytes *bytes, size_t more) {
  if (bytes->has_failed) return NULL;
  if (bytes->room - bytes->end >= more) return bytes->memory + bytes->end;
  size_t count = bytes_count(bytes);
  /* Moving pays when at least as much is gone as stays, so that a byte moves once on average. */
  if (bytes->first >= count && bytes->room - count >= more) {
    memmove(bytes->memory, bytes->memory + bytes->first, count);
  } else {
    size_t room = 2 * count + more;
    char *memory = malloc(room);
    if (memory == NULL) {
      bytes->has_failed = true;
      return NULL;
    }
    if (count > 0) memcpy(memory, bytes->memory + bytes->first, count);
    free(bytes->memory);
    bytes->memory = memory;
    bytes->room = room;
  }
  bytes->first = 0;
  bytes->end = count;
  return bytes->memory + count;
}

void bytes_append(struct bytes *bytes, struct piece piece) {
  if (piece.count == 0) return;
  char *end = bytes_reserve(bytes, piece.count);
  if (end == NULL) return;
  memcpy(end, piece.at, piece.count);
  bytes->end += piece.count;
}

void bytes_put(struct bytes *bytes, const char *text) { bytes_append(bytes, piece_of(text)); }

void bytes_put_number(struct bytes *bytes, long long number) {
  char digits[24];
  int count = snprintf(digits, sizeof digits, "%lld", number);
  bytes_append(bytes, (struct piece){digits, (size_t)count});
}

void bytes_drop(struct bytes *bytes, size_t count) {
  bytes->first += count;
  if (bytes->first == bytes->end) bytes->first = bytes->end = 0;
}

void bytes_clear(struct bytes *bytes) {
  bytes->first = bytes->end = 0;
  bytes->has_failed = false;
}

void bytes_free(struct bytes *bytes) {
  free(bytes->memory);
  *bytes = (struct bytes){0};
}
