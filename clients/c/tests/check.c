// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Tests of liba11y against the real daemon, and against a bus that misbehaves.
 *
 * usage: A11YD_PROGRAM=PATH check NAME, or check without a name for the list of names
 */

#define _GNU_SOURCE

#include "check.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  void (*run)(void);
} checks[] = {
    {"announcements", check_announcements},
    {"refusals", check_refusals},
    {"nonsense", check_nonsense},
    {"without-handle", check_without_handle},
    {"path", check_path},
    {"posting", check_posting},
    {"flood", check_flood},
    {"entries", check_entries},
    {"slow-reader", check_slow_reader},
    {"signals", check_signals},
    {"restart", check_restart},
    {"publishing-over-restart", check_publishing_over_restart},
    {"post-over-restart", check_post_over_restart},
    {"silence", check_silence},
    {"descriptor", check_descriptor},
    {"oddities", check_oddities},
    {"threads", check_threads},
};

int main(int count, char **words) {
  /* A program that starts tests may have blocked signals for itself. */
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
    if (count < 2) {
      printf("%s\n", checks[i].name);
    } else if (strcmp(words[1], checks[i].name) == 0) {
      checks[i].run();
      return EXIT_SUCCESS;
    }
  }
  return count < 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
