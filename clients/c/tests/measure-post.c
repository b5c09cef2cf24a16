// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Measures the time that a11y_post takes of its caller, event by event as it is taken.
 *
 * usage: measure-post PATH [EVENTS]
 *
 * Events come in bursts that find room, each with an answer behind it that is not timed.
 */

#define _POSIX_C_SOURCE 200809L

#include "a11y.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { burst = 1000 };

static double nanoseconds_now(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

int main(int count, char **words) {
  long events = count > 2 ? atol(words[2]) : 1000000;
  a11y *bus = a11y_open(count > 1 ? words[1] : NULL, "org.example.Flood");
  if (bus == NULL) {
    fprintf(stderr, "%s\n", a11y_last_error(NULL));
    return EXIT_FAILURE;
  }
  static const char event[] = "{\"type\":\"announcement\",\"text\":\"Message 42 was sent to Anna\","
                              "\"window\":\"main\",\"priority\":\"low\"}";
  double spent = 0, processor = 0;
  for (long sent = 0; sent < events; sent += burst) {
    double start = nanoseconds_now(CLOCK_MONOTONIC);
    double processor_start = nanoseconds_now(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < burst; i++) {
      if (a11y_post(bus, event) != 0) {
        fprintf(stderr, "%s\n", a11y_last_error(bus));
        return EXIT_FAILURE;
      }
    }
    processor += nanoseconds_now(CLOCK_THREAD_CPUTIME_ID) - processor_start;
    spent += nanoseconds_now(CLOCK_MONOTONIC) - start;
    if (a11y_publish(bus, "{\"type\":\"resume\"}") <= 0) {
      fprintf(stderr, "%s\n", a11y_last_error(bus));
      return EXIT_FAILURE;
    }
  }
  a11y_close(bus);
  double each = 1e3 * (double)events;
  printf("a11y_post: %.2f µs each, %.2f µs of the processor.\n", spent / each, processor / each);
  return EXIT_SUCCESS;
}
