// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#include "json.h"

#include <stdio.h>
#include <string.h>

/* A place in a text; it stays at the mistake where there is one. */
struct scan {
  const char *at, *end;
};

static bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

static int hex(char byte) {
  if (is_digit(byte)) return byte - '0';
  if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
  if (byte >= 'A' && byte <= 'F') return byte - 'A' + 10;
  return -1;
}

static void pass_blanks(struct scan *scan) {
  while (scan->at < scan->end && memchr(" \t\r\n", *scan->at, 4) != NULL) scan->at++;
}

static bool pass_byte(struct scan *scan, char byte) {
  if (scan->at == scan->end || *scan->at != byte) return false;
  scan->at++;
  return true;
}

/* The length of the UTF-8 character at a place; 0 where there is none. */
static size_t character_length(const char *at, const char *end) {
  const unsigned char *byte = (const unsigned char *)at;
  size_t left = (size_t)(end - at);
  if (byte[0] < 0x80) return 1;
  size_t length = byte[0] >= 0xf0 ? 4 : byte[0] >= 0xe0 ? 3 : 2;
  if (byte[0] < 0xc2 || byte[0] > 0xf4 || left < length) return 0;
  for (size_t i = 1; i < length; i++) {
    if (byte[i] < 0x80 || byte[i] > 0xbf) return 0;
  }
  /* Longer than need be, a surrogate, or beyond the last character. */
  if (byte[0] == 0xe0 && byte[1] < 0xa0) return 0;
  if (byte[0] == 0xed && byte[1] > 0x9f) return 0;
  if (byte[0] == 0xf0 && byte[1] < 0x90) return 0;
  if (byte[0] == 0xf4 && byte[1] > 0x8f) return 0;
  return length;
}

static bool pass_escape(struct scan *scan) {
  if (scan->at == scan->end) return false;
  if (*scan->at == 'u') {
    if (scan->end - scan->at < 5) return false;
    for (int i = 1; i <= 4; i++) {
      if (hex(scan->at[i]) < 0) return false;
    }
    scan->at += 5;
    return true;
  }
  if (memchr("\"\\/bfnrt", *scan->at, 8) == NULL) return false;
  scan->at++;
  return true;
}

static bool pass_string(struct scan *scan) {
  if (!pass_byte(scan, '"')) return false;
  while (scan->at < scan->end) {
    unsigned char byte = (unsigned char)*scan->at;
    if (byte == '"') {
      scan->at++;
      return true;
    }
    if (byte < 0x20) return false;
    if (byte == '\\') {
      scan->at++;
      if (!pass_escape(scan)) return false;
      continue;
    }
    size_t length = byte < 0x80 ? 1 : character_length(scan->at, scan->end);
    if (length == 0) return false;
    scan->at += length;
  }
  return false;
}

static bool pass_digits(struct scan *scan) {
  const char *start = scan->at;
  while (scan->at < scan->end && is_digit(*scan->at)) scan->at++;
  return scan->at > start;
}

static bool pass_number(struct scan *scan) {
  pass_byte(scan, '-');
  if (!pass_byte(scan, '0') && !pass_digits(scan)) return false;
  if (pass_byte(scan, '.') && !pass_digits(scan)) return false;
  if (pass_byte(scan, 'e') || pass_byte(scan, 'E')) {
    if (!pass_byte(scan, '+')) pass_byte(scan, '-');
    return pass_digits(scan);
  }
  return true;
}

static bool pass_word(struct scan *scan, const char *word) {
  size_t count = strlen(word);
  if ((size_t)(scan->end - scan->at) < count || memcmp(scan->at, word, count) != 0) return false;
  scan->at += count;
  return true;
}

static bool pass_value(struct scan *scan, int depth);

/* Members or elements up to the closing bracket; the opening one is passed. */
static bool pass_contents(struct scan *scan, int depth, char closing) {
  if (depth > json_depth) return false;
  pass_blanks(scan);
  if (pass_byte(scan, closing)) return true;
  do {
    pass_blanks(scan);
    if (closing == '}') {
      if (!pass_string(scan)) return false;
      pass_blanks(scan);
      if (!pass_byte(scan, ':')) return false;
      pass_blanks(scan);
    }
    if (!pass_value(scan, depth)) return false;
    pass_blanks(scan);
  } while (pass_byte(scan, ','));
  return pass_byte(scan, closing);
}

static bool pass_value(struct scan *scan, int depth) {
  if (pass_byte(scan, '{')) return pass_contents(scan, depth + 1, '}');
  if (pass_byte(scan, '[')) return pass_contents(scan, depth + 1, ']');
  if (scan->at == scan->end) return false;
  switch (*scan->at) {
  case '"': return pass_string(scan);
  case 't': return pass_word(scan, "true");
  case 'f': return pass_word(scan, "false");
  case 'n': return pass_word(scan, "null");
  default: return pass_number(scan);
  }
}

bool json_is_object(struct piece text, size_t *fault) {
  struct scan scan = {text.at, text.at + text.count};
  pass_blanks(&scan);
  bool is_object = scan.at < scan.end && *scan.at == '{' && pass_value(&scan, 0);
  if (is_object) pass_blanks(&scan);
  *fault = (size_t)(scan.at - text.at);
  return is_object && scan.at == scan.end;
}

bool json_next_member(struct piece *rest, struct piece *name, struct piece *value) {
  struct scan scan = {rest->at, rest->at + rest->count};
  pass_blanks(&scan);
  if (!pass_byte(&scan, '{') && !pass_byte(&scan, ',')) return false;
  pass_blanks(&scan);
  const char *start = scan.at;
  if (!pass_string(&scan)) return false;
  *name = (struct piece){start + 1, (size_t)(scan.at - start) - 2};
  pass_blanks(&scan);
  if (!pass_byte(&scan, ':')) return false;
  pass_blanks(&scan);
  start = scan.at;
  if (!pass_value(&scan, 1)) return false;
  *value = (struct piece){start, (size_t)(scan.at - start)};
  *rest = (struct piece){scan.at, (size_t)(scan.end - scan.at)};
  return true;
}

bool json_member(struct piece object, const char *name, struct piece *value) {
  struct piece found, its_value;
  while (json_next_member(&object, &found, &its_value)) {
    if (!piece_is(found, name)) continue;
    *value = its_value;
    return true;
  }
  return false;
}

bool json_integer(struct piece value, int64_t *integer) {
  size_t i = 0;
  bool is_negative = value.count > 0 && value.at[0] == '-';
  if (is_negative) i++;
  if (i == value.count) return false;
  int64_t result = 0;
  for (; i < value.count; i++) {
    if (!is_digit(value.at[i])) return false;
    int digit = value.at[i] - '0';
    if (result > (INT64_MAX - digit) / 10) return false;
    result = 10 * result + digit;
  }
  *integer = is_negative ? -result : result;
  return true;
}

static size_t put_character(char *text, unsigned long character) {
  if (character < 0x80) {
    text[0] = (char)character;
    return 1;
  }
  size_t length = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  for (size_t i = length - 1; i > 0; i--) {
    text[i] = (char)(0x80 | (character & 0x3f));
    character >>= 6;
  }
  text[0] = (char)((0xf00 >> length & 0xff) | character);
  return length;
}

/* The character that four hexadecimal digits name, or two such escapes together. */
static unsigned long escaped_character(struct scan *scan) {
  unsigned long unit = 0;
  for (int i = 0; i < 4; i++) unit = unit << 4 | (unsigned long)hex(*scan->at++);
  bool is_high = unit >= 0xd800 && unit < 0xdc00;
  if (is_high && scan->end - scan->at >= 6 && scan->at[0] == '\\' && scan->at[1] == 'u') {
    unsigned long low = 0;
    for (int i = 2; i < 6; i++) low = low << 4 | (unsigned long)hex(scan->at[i]);
    if (low >= 0xdc00 && low < 0xe000) {
      scan->at += 6;
      return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
    }
  }
  return unit >= 0xd800 && unit < 0xe000 ? 0xfffd : unit;
}

bool json_string(struct piece value, char *text, size_t room) {
  struct scan scan = {value.at, value.at + value.count};
  if (room == 0 || !pass_string(&scan) || scan.at != value.at + value.count) return false;
  scan = (struct scan){value.at + 1, value.at + value.count - 1};
  size_t count = 0;
  while (scan.at < scan.end && count + 5 <= room) {
    if (*scan.at != '\\') {
      size_t length = character_length(scan.at, scan.end);
      memcpy(text + count, scan.at, length);
      count += length;
      scan.at += length;
      continue;
    }
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char kind = scan.at[1];
    scan.at += 2;
    if (kind == 'u') {
      count += put_character(text + count, escaped_character(&scan));
    } else {
      text[count++] = meant[strchr(names, kind) - names];
    }
  }
  text[count] = 0;
  return true;
}

bool json_put_string(struct bytes *bytes, const char *text) {
  bytes_put(bytes, "\"");
  const char *end = text + strlen(text), *start = text;
  while (text < end) {
    unsigned char byte = (unsigned char)*text;
    if (byte >= 0x20 && byte != '"' && byte != '\\') {
      size_t length = byte < 0x80 ? 1 : character_length(text, end);
      if (length == 0) return false;
      text += length;
      continue;
    }
    bytes_append(bytes, (struct piece){start, (size_t)(text - start)});
    char escape[8];
    snprintf(escape, sizeof escape, byte < 0x20 ? "\\u%04x" : "\\%c", byte);
    bytes_put(bytes, escape);
    start = ++text;
  }
  bytes_append(bytes, (struct piece){start, (size_t)(text - start)});
  bytes_put(bytes, "\"");
  return true;
}

void json_put_on_one_line(struct bytes *bytes, struct piece text) {
  if (text.count == 0) return;
  char *place = bytes_reserve(bytes, text.count);
  if (place == NULL) return;
  memcpy(place, text.at, text.count);
  bytes->end += text.count;
  for (char *byte = place; byte < place + text.count; byte++) {
    if (*byte == '\n' || *byte == '\r') *byte = ' ';
  }
}
