// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/* Announcements, events and posts, and all that can be wrong with them. */

#define _GNU_SOURCE

#include "check.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void check_announcements(void) {
  struct bus bus;
  bus_make(&bus);
  a11y *app = opened(&bus);
  REQUIRE(a11y_subscribe(app, "{\"filter\":{\"types\":[\"announcement\"]}}") == 0);

  int64_t first = a11y_announce(app, "Tab\t, quote \", \\, bell \a, \x7f, “ß𝄞”", NULL);
  int64_t second = a11y_announce(app, "Now", "\n{ \"priority\" : \"high\" ,\r\n\"window\":\"w\" }");
  int64_t third = a11y_announce(app, "Plain", " { } ");

  REQUIRE(first > 0 && second > first && third > second);
  const char *line = next(app);
  REQUIRE(number(line, "\"seq\":") == first);
  REQUIRE(strstr(line, "Tab\\u0009, quote \\\", \\\\, bell \\u0007, \x7f, “ß𝄞”\"}") != NULL);
  REQUIRE(strstr(next(app), "\"text\":\"Now\",\"priority\":\"high\"") != NULL);
  REQUIRE(strstr(next(app), "\"text\":\"Plain\"}") != NULL);
  REQUIRE(strcmp(a11y_last_error(app), "") == 0);
  a11y_close(app);
  bus_remove(&bus);
}

void check_refusals(void) {
  struct bus bus;
  bus_make(&bus);
  a11y *app = opened(&bus);

  REQUIRE(a11y_announce(app, "", NULL) <= 0);
  REQUIRE(has_error(app, "field.invalid"));
  REQUIRE(has_error(app, "event.text"));
  REQUIRE(has_error(app, "empty string"));
  REQUIRE(a11y_announce(app, "a", "{\"priority\":\"urgent\"}") <= 0);
  REQUIRE(has_error(app, "got \"urgent\""));
  REQUIRE(a11y_publish(app, "{\"type\":\"nonsense\"}") <= 0 && has_error(app, "type.unknown"));
  REQUIRE(a11y_publish(app, "{}") <= 0 && has_error(app, "field.missing"));
  REQUIRE(a11y_explain(app, 1000000) == NULL && has_error(app, "seq.unknown"));
  REQUIRE(a11y_subscribe(app, "{\"from\":7}") < 0 && has_error(app, "field from"));
  REQUIRE(a11y_subscribe(app, NULL) == 0);
  REQUIRE(a11y_subscribe(app, NULL) < 0 && has_error(app, "already"));
  REQUIRE(a11y_announce(app, "a", "{\"colour\":\"red\"}") > 0 && has_error(app, "event.colour"));
  REQUIRE(a11y_announce(app, "a", NULL) > 0);
  REQUIRE(strcmp(a11y_last_error(app), "") == 0);
  a11y_close(app);
  bus_remove(&bus);
}

void check_nonsense(void) {
  struct bus bus;
  bus_make(&bus);
  a11y *app = opened(&bus);
  static const char *const broken[] = {
      NULL, "", " ", "null", "[]", "7", "{", "}", "{}{}", "{\"a\":1}}", "{\"a\"}", "{\"a\":01}",
      "{\"a\":\"\n\"}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}", "{\"a\":tru}", "{\"a\":1,}",
      "{\"a\":\"\xc0\x80\"}", "{\"a\":\"\xed\xa0\x80\"}", "{\"a\":\"\xff\"}",
      "{\"a\":\"\xe2\x82\"}", "{'a':1}", "{\"a\":-}", "{\"a\":1.}", "{\"a\":1e}", "\xef\xbb\xbf{}",
      "{\"a\":\"", "{\"a\":\"\\",
  };
  for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
    REQUIRE(a11y_publish(app, broken[i]) <= 0 && has_error(app, "JSON"));
    REQUIRE(a11y_post(app, broken[i]) < 0 && has_error(app, "JSON"));
    if (broken[i] == NULL) continue;
    REQUIRE(a11y_announce(app, "a", broken[i]) <= 0 && has_error(app, "JSON"));
    REQUIRE(a11y_subscribe(app, broken[i]) < 0 && has_error(app, "JSON"));
  }
  REQUIRE(a11y_announce(app, "\xff", NULL) <= 0 && has_error(app, "UTF-8"));
  REQUIRE(a11y_announce(app, "cut \xe2\x82", NULL) <= 0 && has_error(app, "UTF-8"));
  REQUIRE(a11y_announce(app, NULL, NULL) <= 0 && has_error(app, "NULL"));

  /* Lines that the bus cannot read are refused without an id; the answer is known all the same. */
  double start = seconds_now();
  static const char *const unread[] = {
      "{\"type\":\"announcement\",\"text\":\"a\",\"text\":\"b\"}",
      "{\"type\":\"announcement\",\"text\":\"\\ud800\"}",
      "{\"type\":\"announcement\",\"text\":\"\\u0000\"}",
      "{\"type\":\"announcement\",\"text\":\"a\",\"ttl_ms\":1e999}",
      "{\"a\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}",
  };
  for (size_t i = 0; i < sizeof unread / sizeof unread[0]; i++) {
    REQUIRE(a11y_post(app, "{\"type\":\"nonsense\"}") == 0);
    REQUIRE(a11y_publish(app, unread[i]) <= 0 && has_error(app, "json.invalid"));
    REQUIRE(a11y_announce(app, "a", NULL) > 0);
  }
  REQUIRE(seconds_now() - start < A11Y_ANSWER_MS / 1000.0);

  char *text = malloc(A11Y_REQUEST_BYTES + 1);
  REQUIRE(text != NULL);
  memset(text, 'a', A11Y_REQUEST_BYTES);
  text[A11Y_REQUEST_BYTES] = 0;
  REQUIRE(a11y_announce(app, text, NULL) <= 0 && has_error(app, "line.too-long"));
  text[32768] = 0;
  REQUIRE(a11y_announce(app, text, NULL) > 0);
  free(text);
  a11y_close(app);
  bus_remove(&bus);
}

void check_without_handle(void) {
  REQUIRE(a11y_publish(NULL, "{}") <= 0 && has_error(NULL, "a11y_publish"));
  REQUIRE(a11y_announce(NULL, "a", NULL) <= 0 && a11y_post(NULL, "{}") < 0);
  REQUIRE(a11y_subscribe(NULL, NULL) < 0 && a11y_next(NULL, 0) == NULL);
  REQUIRE(a11y_explain(NULL, 1) == NULL && a11y_descriptor(NULL) < 0);
  REQUIRE(a11y_connection(NULL) == 0);
  a11y_close(NULL);

  REQUIRE(a11y_open("/nowhere/bus.sock", "a") == NULL && has_error(NULL, "/nowhere/bus.sock"));
  REQUIRE(a11y_open("", "a") == NULL && has_error(NULL, "Cannot reach"));
  char path[200];
  memset(path, 'a', sizeof path);
  path[sizeof path - 1] = 0;
  REQUIRE(a11y_open(path, "a") == NULL && has_error(NULL, "too long"));
  REQUIRE(a11y_open("/nowhere", "\xff") == NULL && has_error(NULL, "UTF-8"));
}

void check_path(void) {
  struct bus bus;
  bus_make(&bus);
  char runtime[128];
  setenv("A11YD_SOCKET", bus.path, 1);
  setenv("XDG_RUNTIME_DIR", "/nowhere", 1);
  a11y *app = a11y_open(NULL, "a");
  REQUIRE(app != NULL);
  a11y_close(app);

  setenv("A11YD_SOCKET", "", 1);
  REQUIRE(a11y_open(NULL, NULL) == NULL && has_error(NULL, "/nowhere/a11yd/bus.sock"));
  setenv("XDG_RUNTIME_DIR", "/nowhere/", 1);
  REQUIRE(a11y_open(NULL, NULL) == NULL && has_error(NULL, " /nowhere/a11yd/bus.sock"));
  setenv("XDG_RUNTIME_DIR", "relative", 1);
  setenv("A11YD_SOCKET", "/nowhere/named.sock", 1);
  REQUIRE(a11y_open(NULL, NULL) == NULL && has_error(NULL, "/nowhere/named.sock"));

  /* An app without a name is the user; a name that the bus does not take is refused. */
  app = a11y_open(bus.path, NULL);
  REQUIRE(app != NULL && a11y_connection(app) == 1);
  a11y_close(app);
  REQUIRE(a11y_open(bus.path, "") == NULL && has_error(NULL, "field app"));
  snprintf(runtime, sizeof runtime, "bell \a");
  REQUIRE(a11y_open(bus.path, runtime) == NULL && has_error(NULL, "field app"));
  bus_remove(&bus);
}

/* Posting. */

static const char everything[] = "{\"from\":\"start\",\"filter\":{\"types\":[\"announcement\"]}}";

void check_posting(void) {
  struct bus bus;
  bus_make(&bus);
  a11y *app = opened(&bus);

  REQUIRE(a11y_post(app, "{\"type\":\"announcement\",\n\"text\":\"first\"}") == 0);
  REQUIRE(a11y_post(app, "{\"type\":\"announcement\",\"text\":\"\"}") == 0);
  REQUIRE(a11y_announce(app, "second", NULL) > 0);
  REQUIRE(has_error(app, "event.text"));
  REQUIRE(a11y_announce(app, "third", NULL) > 0);
  REQUIRE(strcmp(a11y_last_error(app), "") == 0);

  /* Posted last words are on record though the program ends at once. */
  for (int i = 0; i < 2000; i++) {
    REQUIRE(a11y_post(app, "{\"type\":\"announcement\",\"text\":\"last words\"}") == 0);
  }
  a11y_close(app);
  a11y *other = opened(&bus);
  REQUIRE(a11y_subscribe(other, everything) == 0);
  REQUIRE(strstr(next(other), "first") != NULL);
  REQUIRE(strstr(next(other), "second") != NULL);
  REQUIRE(strstr(next(other), "third") != NULL);
  for (int i = 0; i < 2000; i++) REQUIRE(strstr(next(other), "last words") != NULL);
  a11y_close(other);
  bus_remove(&bus);
}

void check_flood(void) {
  struct bus bus;
  bus_make(&bus);
  a11y *app = opened(&bus);
  /* A bus that stands still takes what its socket has room for. */
  kill(bus.daemon, SIGSTOP);
  int taken = 0, refused = 0;
  double start = seconds_now();
  for (int i = 0; i < 2 * A11Y_POSTED_BYTES / 1000; i++) {
    char event[1200];
    snprintf(event, sizeof event, "{\"type\":\"announcement\",\"text\":\"%d%1000s\"}", taken, "");
    if (a11y_post(app, event) == 0) {
      taken++;
    } else {
      refused++;
    }
  }
  REQUIRE(refused > 0 && has_error(app, "slower"));
  REQUIRE(seconds_now() - start < patience_ms / 1000.0);
  kill(bus.daemon, SIGCONT);

  /* An answer comes behind all that was posted, which may take longer than one call waits. */
  while (a11y_explain(app, 1) == NULL) REQUIRE(seconds_now() - start < 4 * patience_ms / 1000.0);
  REQUIRE(a11y_subscribe(app, everything) == 0);
  for (int i = 0; i < taken; i++) REQUIRE(number(next(app), "\"text\":\"") == i);
  REQUIRE(a11y_next(app, 0) == NULL);
  a11y_close(app);

  /* Refusals that nobody reads do not stop what is posted. */
  app = opened(&bus);
  for (int i = 0; i < 5000; i++) {
    while (a11y_post(app, "{\"type\":\"announcement\"}") < 0) {
      struct pollfd ready = {.fd = a11y_descriptor(app), .events = POLLIN};
      REQUIRE(poll(&ready, 1, patience_ms) == 1);
    }
  }
  REQUIRE(a11y_announce(app, "behind", NULL) > 0 && has_error(app, "field.missing"));
  a11y_close(app);
  bus_remove(&bus);
}
