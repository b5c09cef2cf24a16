/* SPDX-FileCopyrightText: The a11yd authors */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Measures the time that a11y_post takes of its caller.
 *
 * usage: A11YD_SOCKET=PATH measure-post [EVENTS]
 *
 * Events that find no room are counted and not timed apart: an app that posts faster than the bus
 * takes pays for those, too.
 */

#define _POSIX_C_SOURCE 200809L

#include "a11y.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double nanoseconds_now(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

int main(int count, char **words) {
  long events = count > 1 ? atol(words[1]) : 1000000;
  a11y *bus = a11y_open(NULL, "org.example.Flood");
  if (bus == NULL) {
    fprintf(stderr, "%s\n", a11y_last_error(NULL));
    return EXIT_FAILURE;
  }
  static const char event[] = "{\"type\":\"announcement\",\"text\":\"Message 42 was sent to Anna\","
                              "\"window\":\"main\",\"priority\":\"low\"}";
  long refused = 0;
  double start = nanoseconds_now(CLOCK_MONOTONIC);
  double processor_start = nanoseconds_now(CLOCK_THREAD_CPUTIME_ID);
  for (long i = 0; i < events; i++) refused += a11y_post(bus, event) != 0;
  double processor = nanoseconds_now(CLOCK_THREAD_CPUTIME_ID) - processor_start;
  double spent = nanoseconds_now(CLOCK_MONOTONIC) - start;
  a11y_close(bus);
  double each = 1e3 * (double)events;
  printf("a11y_post: %.2f µs each, %.2f µs of the processor; %ld events, %ld without room.\n",
         spent / each, processor / each, events, refused);
  return EXIT_SUCCESS;
}
