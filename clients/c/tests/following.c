// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/* Entries as they come, and a bus that goes, comes back, or misbehaves. */

#define _GNU_SOURCE

#include "check.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

void check_entries(void) {
  struct bus bus;
  bus_make(&bus);
  a11y *app = opened(&bus);
  int64_t seq = a11y_announce(app, "a", NULL);
  const char *answer = a11y_explain(app, seq);
  REQUIRE(answer != NULL && answer[0] == '{' && strstr(answer, "\"entry\":") != NULL);

  /* A whole request is understood as well as its fields; marks are passed over. */
  static const char whole[] = "{\"id\":3,\"op\":\"subscribe\",\"from\":\"start\",\"state\":true}";
  REQUIRE(a11y_subscribe(app, whole) == 0);
  for (int64_t i = 1; i <= seq; i++) REQUIRE(number(next(app), "{\"seq\":") == i);
  while (a11y_next(app, 0) != NULL) {
  }
  double start = seconds_now();
  REQUIRE(a11y_next(app, 200) == NULL);
  REQUIRE(seconds_now() - start > 0.19);

  /* Entries that came while an answer was awaited make the descriptor readable. */
  a11y *other = opened(&bus);
  seq = a11y_announce(other, "b", NULL);
  REQUIRE(a11y_announce(app, "c", NULL) > seq);
  struct pollfd ready = {.fd = a11y_descriptor(app), .events = POLLIN};
  int found = 0;
  while (found < 2) {
    REQUIRE(poll(&ready, 1, patience_ms) == 1);
    for (const char *line = a11y_next(app, 0); line != NULL; line = a11y_next(app, 0)) {
      found += strstr(line, "\"text\":\"b\"}") != NULL;
      found += strstr(line, "\"text\":\"c\"}") != NULL;
    }
  }
  a11y_close(other);
  a11y_close(app);
  bus_remove(&bus);
}

void check_slow_reader(void) {
  struct bus bus;
  bus_make(&bus);
  a11y *app = opened(&bus);
  REQUIRE(a11y_subscribe(app, NULL) == 0);
  char text[1024];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = 0;

  /* Three times as much as is kept, while each publication awaits its answer. */
  int64_t last = 0;
  for (int i = 0; i < 3 * A11Y_ENTRIES_BYTES / (int)sizeof text; i++) {
    last = a11y_announce(app, text, NULL);
    REQUIRE(last > 0);
  }

  int64_t before = number(next(app), "{\"seq\":");
  while (before < last) {
    int64_t seq = number(next(app), "{\"seq\":");
    REQUIRE(seq == before + 1);
    before = seq;
  }
  REQUIRE(strcmp(a11y_last_error(app), "") == 0);
  a11y_close(app);
  bus_remove(&bus);
}

static volatile sig_atomic_t rings;

static void ring(int number) {
  (void)number;
  rings++;
}

void check_signals(void) {
  struct bus bus;
  bus_make(&bus);
  a11y *app = opened(&bus);
  REQUIRE(a11y_subscribe(app, "{\"filter\":{\"types\":[]}}") == 0);
  struct sigaction action = {.sa_handler = ring};
  REQUIRE(sigaction(SIGALRM, &action, NULL) == 0);

  struct itimerval once = {.it_value = {.tv_usec = 50000}};
  setitimer(ITIMER_REAL, &once, NULL);
  REQUIRE(a11y_next(app, -1) == NULL && rings == 1);

  /* Calls that await an answer go on. */
  struct itimerval often = {.it_value = {.tv_usec = 5000}, .it_interval = {.tv_usec = 5000}};
  setitimer(ITIMER_REAL, &often, NULL);
  for (int i = 0; i < 200; i++) REQUIRE(a11y_announce(app, "a", NULL) > 0);
  setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
  a11y_close(app);
  bus_remove(&bus);
}

/* A bus that goes. */

void check_restart(void) {
  struct bus bus;
  bus_make(&bus);
  a11y *app = opened(&bus);
  REQUIRE(a11y_subscribe(app, "{\"filter\":{\"types\":[\"announcement\"]}}") == 0);
  REQUIRE(a11y_connection(app) == 1);
  for (int round = 1; round <= 3; round++) {
    int64_t before = a11y_announce(app, "before", NULL);
    REQUIRE(before > 0 && number(next(app), "{\"seq\":") == before);
    bus_kill(&bus);

    REQUIRE(a11y_next(app, patience_ms) == NULL);
    REQUIRE(a11y_connection(app) == 0);
    REQUIRE(has_error(app, "has gone"));
    REQUIRE(a11y_next(app, 100) == NULL);
    REQUIRE(strcmp(a11y_last_error(app), "") == 0);
    REQUIRE(a11y_publish(app, "{\"type\":\"resume\"}") <= 0 && has_error(app, "Cannot reach"));
    REQUIRE(a11y_post(app, "{\"type\":\"resume\"}") < 0);

    bus_start(&bus);
    a11y *other = opened(&bus);
    int64_t meanwhile = a11y_announce(other, "meanwhile", NULL);
    a11y_close(other);
    REQUIRE(a11y_next(app, patience_ms) == NULL);
    REQUIRE(a11y_connection(app) == round + 1);
    REQUIRE(number(next(app), "{\"seq\":") == meanwhile);
  }
  a11y_close(app);
  bus_remove(&bus);
}

void check_publishing_over_restart(void) {
  struct bus bus;
  bus_make(&bus);
  a11y *app = opened(&bus);
  REQUIRE(a11y_subscribe(app, "{\"filter\":{\"types\":[\"announcement\"]}}") == 0);
  for (int round = 1; round <= 5; round++) {
    /* The bus may go before it has given out the entry. */
    int64_t first = a11y_announce(app, "first", NULL);
    bus_kill(&bus);
    bus_start(&bus);
    int64_t second = a11y_announce(app, "second", NULL);
    REQUIRE(first > 0 && second > first && a11y_connection(app) == round + 1);
    int64_t seqs[2];
    int nothing = 0;
    for (int count = 0; count < 2;) {
      const char *line = a11y_next(app, patience_ms);
      if (line != NULL) {
        seqs[count++] = number(line, "{\"seq\":");
        /* The return of the bus is told before the first entry that it has given since. */
        if (count == 2) REQUIRE(nothing == 1);
      } else {
        nothing++;
      }
    }
    while (a11y_next(app, 0) != NULL) {
    }
    REQUIRE(seqs[0] == first && seqs[1] == second);
  }
  a11y_close(app);
  bus_remove(&bus);
}

void check_post_over_restart(void) {
  struct bus bus;
  bus_make(&bus);
  a11y *app = opened(&bus);
  bus_kill(&bus);
  bus_start(&bus);
  /* The first post finds out, and goes over a new connection. */
  REQUIRE(a11y_post(app, "{\"type\":\"announcement\",\"text\":\"over\"}") == 0);
  REQUIRE(a11y_publish(app, "{\"type\":\"resume\"}") > 0);
  char *log = bus_log(&bus);
  REQUIRE(strstr(log, "\"over\"") != NULL);
  free(log);
  a11y_close(app);
  bus_remove(&bus);
}

/* A bus that misbehaves. */

static const char hello_ok[] = "{\"id\":1,\"ok\":{}}\n";

/* Plays a bus on a thread, so that a call can await it. */
struct play {
  int listener;
  void (*act)(int listener);
};

static void *run_play(void *argument) {
  struct play *play = argument;
  play->act(play->listener);
  return NULL;
}

static pthread_t begin_play(struct play *play) {
  pthread_t thread;
  REQUIRE(pthread_create(&thread, NULL, run_play, play) == 0);
  return thread;
}

static void act_silence(int listener) {
  int client = stage_accept(listener, "hello");
  stage_say(client, hello_ok);
  stage_hear(client, "publish");
  stage_hear(client, "ping");
  stage_say(client, "{\"id\":2,\"ok\":{\"seq\":9}}\n{\"id\":3,\"ok\":{\"seq\":10}}\n");
  close(client);
}

void check_silence(void) {
  struct bus bus;
  int listener = stage_make(&bus);
  struct play play = {listener, act_silence};
  pthread_t thread = begin_play(&play);
  a11y *app = opened(&bus);

  double start = seconds_now();
  REQUIRE(a11y_announce(app, "a", NULL) <= 0 && has_error(app, "did not answer"));
  double waited = seconds_now() - start;
  REQUIRE(waited > A11Y_ANSWER_MS / 1000.0 - 0.1 && waited < A11Y_ANSWER_MS / 1000.0 + 20);
  /* The late answer is not taken for the answer to the next request. */
  REQUIRE(a11y_publish(app, "{\"type\":\"ping\"}") == 10);
  REQUIRE(pthread_join(thread, NULL) == 0);
  a11y_close(app);

  /* Nobody accepts now. */
  start = seconds_now();
  REQUIRE(a11y_open(bus.path, "a") == NULL && has_error(NULL, "did not answer"));
  REQUIRE(seconds_now() - start < A11Y_ANSWER_MS / 1000.0 + 20);
  close(listener);
  bus_remove(&bus);
}

static void act_together(int listener) {
  int client = stage_accept(listener, "hello");
  stage_say(client, hello_ok);
  stage_hear(client, "subscribe");
  stage_say(client, "{\"id\":2,\"ok\":{\"cursor\":\"ab:4\"}}\n");
  stage_hear(client, "publish");
  stage_say(client, "{\"seq\":5}\n{\"id\":3,\"ok\":{\"seq\":6}}\n");
  /* The client hangs up. */
  char byte;
  REQUIRE(read(client, &byte, 1) == 0);
  close(client);
}

void check_descriptor(void) {
  struct bus bus;
  int listener = stage_make(&bus);
  struct play play = {listener, act_together};
  pthread_t thread = begin_play(&play);
  a11y *app = opened(&bus);
  struct pollfd ready = {.fd = a11y_descriptor(app), .events = POLLIN};

  REQUIRE(a11y_subscribe(app, NULL) == 0);
  REQUIRE(poll(&ready, 1, 0) == 0);
  REQUIRE(a11y_announce(app, "a", NULL) == 6);
  /* Nothing is left in the socket, and the entry is waiting. */
  REQUIRE(poll(&ready, 1, patience_ms) == 1);
  REQUIRE(number(next(app), "{\"seq\":") == 5);
  REQUIRE(poll(&ready, 1, 0) == 0);
  a11y_close(app);
  REQUIRE(pthread_join(thread, NULL) == 0);
  close(listener);
  bus_remove(&bus);
}

static void act_oddly(int listener) {
  int client = stage_accept(listener, "hello");
  char *long_line = malloc(3000000);
  REQUIRE(long_line != NULL);
  memset(long_line, 'z', 3000000 - 2);
  long_line[2999998] = '\n';
  long_line[2999999] = 0;
  stage_say(client, "\n");
  stage_say(client, hello_ok);
  stage_hear(client, "subscribe");
  stage_say(client, "{\"later\":1}\n{\"id\":77,\"ok\":{}}\n");
  stage_say(client, "{\"id\":2,\"ok\":{\"cursor\":\"ab:4\"}}\n");
  stage_say(client, "{\"later\":\"");
  stage_say(client, long_line);
  free(long_line);
  stage_say(client, "{\"mark\":\"gap\",\"from\":5,\"to\":6,\"reason\":\"retention\"}\n");
  stage_say(client, "{\"seq\":7,\"event\":{}}\n{\"seq\":8,");
  stage_say(client, "\"event\":{}}\n");
  stage_say(client, "{\"bye\":{\"code\":\"quota.exceeded\",\"msg\":\"too much\"}}\n");
  stage_say(client, "{\"seq");
  close(client);

  client = stage_accept(listener, "hello");
  stage_hear(client, "\"from\":\"ab:8\",\"mode\":\"latest\"}");
  stage_say(client, "{\"id\":3,\"ok\":{}}\n");
  stage_say(client, "{\"id\":4,\"err\":{\"code\":\"cursor.future\",\"last\":7}}\n");
  stage_hear(client, "\"from\":\"ab:7\"");
  stage_say(client, "{\"id\":5,\"err\":{\"code\":\"cursor.epoch\",\"epoch\":\"cd\"}}\n");
  stage_hear(client, "\"from\":\"start\"");
  stage_say(client, "{\"id\":6,\"ok\":{\"cursor\":\"cd:0\"}}\n{\"seq\":1}\nnonsense\n");
  /* The client hangs up. */
  char byte;
  REQUIRE(read(client, &byte, 1) == 0);
  close(client);
}

void check_oddities(void) {
  struct bus bus;
  int listener = stage_make(&bus);
  struct play play = {listener, act_oddly};
  pthread_t thread = begin_play(&play);
  a11y *app = opened(&bus);

  REQUIRE(a11y_subscribe(app, "{\"from\":\"now\",\"mode\":\"latest\",\"state\":true}") == 0);
  REQUIRE(number(next(app), "{\"seq\":") == 7);
  REQUIRE(number(next(app), "{\"seq\":") == 8);
  REQUIRE(a11y_next(app, patience_ms) == NULL);
  REQUIRE(has_error(app, "entries 5 to 6") && has_error(app, "quota.exceeded, too much"));
  REQUIRE(a11y_next(app, patience_ms) == NULL && a11y_connection(app) == 2);
  REQUIRE(number(next(app), "{\"seq\":") == 1);
  REQUIRE(a11y_next(app, patience_ms) == NULL && a11y_connection(app) == 0);
  REQUIRE(has_error(app, "entries 8 to 8") && has_error(app, "another log"));
  REQUIRE(has_error(app, "no JSON"));
  REQUIRE(pthread_join(thread, NULL) == 0);
  a11y_close(app);
  close(listener);
  bus_remove(&bus);
}

/* Threads. */

static const struct bus *shared;

static void *work(void *argument) {
  int marker = *(int *)argument;
  char text[32];
  a11y *app = opened(shared);
  snprintf(text, sizeof text, "thread %d", marker);
  REQUIRE(a11y_subscribe(app, "{\"filter\":{\"types\":[\"announcement\"]}}") == 0);
  for (int i = 0; i < 200; i++) {
    REQUIRE(a11y_announce(app, text, NULL) > 0);
    REQUIRE(a11y_post(app, "{\"type\":\"resume\"}") == 0);
    REQUIRE(a11y_announce(app, "", NULL) <= 0 && has_error(app, "event.text"));
    REQUIRE(a11y_publish(NULL, text) <= 0 && has_error(NULL, "a11y_publish"));
  }
  int own = 0;
  while (own < 200) own += strstr(next(app), text) != NULL;
  a11y_close(app);
  return NULL;
}

void check_threads(void) {
  struct bus bus;
  bus_make(&bus);
  shared = &bus;
  pthread_t threads[4];
  int markers[4];
  for (int i = 0; i < 4; i++) {
    markers[i] = i;
    REQUIRE(pthread_create(&threads[i], NULL, work, &markers[i]) == 0);
  }
  for (int i = 0; i < 4; i++) REQUIRE(pthread_join(threads[i], NULL) == 0);
  bus_remove(&bus);
}
