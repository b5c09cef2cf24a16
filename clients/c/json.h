// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/*
 * JSON as far as this library needs it: whether a text is one object, and the members of its top.
 *
 * Nothing is read beyond the end of a piece, whatever stands in it.
 */
#ifndef A11Y_JSON_H
#define A11Y_JSON_H

#include "bytes.h"

#include <stdint.h>

/* The deepest nesting, that of the bus; the outermost object is 1. */
enum { json_depth = 32 };

/* Whether a text is one strict JSON object; if not, `fault` is the place of the mistake. */
bool json_is_object(struct piece text, size_t *fault);

/* Takes the next member of an object off `rest`, which begins as the whole object; false at the
   end, or where it is none. The name is as it stands there, without its quotes. */
bool json_next_member(struct piece *rest, struct piece *name, struct piece *value);

/* The first member of this name. */
bool json_member(struct piece object, const char *name, struct piece *value);

bool json_integer(struct piece value, int64_t *integer);

/* Decodes a string into a text that ends with 0, as much as there is room for. */
bool json_string(struct piece value, char *text, size_t room);

/* Appends a text as a JSON string; false where it is no UTF-8. */
bool json_put_string(struct bytes *bytes, const char *text);

/* Appends an object or its inner part, with line breaks made blanks: outside of strings, where
   alone they may stand, they mean the same. */
void json_put_on_one_line(struct bytes *bytes, struct piece text);

#endif
