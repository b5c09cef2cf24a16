// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/* A daemon of a test's own, and a bus that says what a test lets it say. */
#ifndef TESTS_BUS_H
#define TESTS_BUS_H

#include "a11y.h"

#include <stdbool.h>
#include <sys/types.h>

/* Long enough for a busy machine; a test that waits so long has lost something. */
enum { patience_ms = 30000 };

struct bus {
  char directory[32];
  char path[64];
  pid_t daemon;
};

/* Makes a directory, and starts the daemon that A11YD_PROGRAM names in it. */
void bus_make(struct bus *bus);
void bus_start(struct bus *bus);
/* Ends the daemon as a power cut would. */
void bus_kill(struct bus *bus);
/* Ends the daemon and removes the directory. */
void bus_remove(struct bus *bus);

/* A socket in a directory of its own on which nobody accepts yet. */
int stage_make(struct bus *bus);
/* The next client; it has said a line with these words. */
int stage_accept(int listener, const char *words);
/* Waits for a line with these words. */
void stage_hear(int client, const char *words);
void stage_say(int client, const char *text);

/* The text of the file that the daemon writes its log to; the caller frees it. */
char *bus_log(const struct bus *bus);

/* A handle of an app on the bus. */
a11y *opened(const struct bus *bus);
/* The next entry, which must come. */
const char *next(a11y *bus);
/* The number behind these words in a line. */
long long number(const char *line, const char *words);
/* Whether the errors of a handle have these words in them. */
bool has_error(a11y *bus, const char *words);
double seconds_now(void);

/* Ends the program with a sentence if something is not as it should be. */
void require(int is_true, const char *expression, const char *file, int line);
#define REQUIRE(expression) require((expression) != 0, #expression, __FILE__, __LINE__)

#endif
