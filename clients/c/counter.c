// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/*
 * A window with one button that counts.
 *
 *     cc counter.c -o counter $(pkg-config --cflags --libs a11y)
 */

#define _POSIX_C_SOURCE 200809L

#include <a11y.h>

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char app[] = "org.example.Counter";
static const char wanted[] = "{\"filter\":{\"types\":[\"outcome\",\"focus\",\"gesture\"],"
                             "\"apps\":[\"org.example.Counter\"]}}";

static volatile sig_atomic_t has_ended;

static void end(int number) {
  (void)number;
  has_ended = 1;
}

/* Tells the newest error. */
static void complain(a11y *bus) { fprintf(stderr, "counter: %s\n", a11y_last_error(bus)); }

/* The text behind a name in a line of the bus, which has no blanks between its tokens. A real
   program has a JSON library for this. */
static bool find(const char *line, const char *name, char *value, size_t room) {
  char key[64];
  snprintf(key, sizeof key, "\"%s\":", name);
  const char *at = strstr(line, "\"event\":");
  at = at != NULL ? strstr(at, key) : NULL;
  if (at == NULL) return false;
  at += strlen(key);
  bool is_text = *at == '"';
  if (is_text) at++;
  size_t count = strcspn(at, is_text ? "\"" : ",}");
  if (count >= room) return false;
  memcpy(value, at, count);
  value[count] = 0;
  return true;
}

/* Shows the window with its element, whatever the bus still knows of it. */
static bool show(a11y *bus, int count) {
  char elements[256];
  snprintf(elements, sizeof elements,
           "{\"type\":\"elements\",\"window\":\"main\",\"replace\":[{\"id\":\"count\","
           "\"label\":\"Count\",\"value\":\"%d\",\"traits\":[\"button\"]}]}", count);
  return a11y_publish(bus, "{\"type\":\"window\",\"window\":\"main\",\"state\":\"active\","
                           "\"title\":\"Counter\"}") > 0 &&
         a11y_publish(bus, elements) > 0;
}

/* Counts on, or says that there is nothing to do for the gesture. */
static bool answer(a11y *bus, const char *line, int *count) {
  char name[64], element[64], action[32], event[256], number[16];
  if (!find(line, "name", name, sizeof name) || !find(line, "action", action, sizeof action)) {
    return true;
  }
  if (!find(line, "element", element, sizeof element)) strcpy(element, "nothing");
  printf("Gesture: %s on %s.\n", name, element);
  bool is_handled = strcmp(name, "activate") == 0;
  if (is_handled) {
    snprintf(number, sizeof number, "%d", ++*count);
    snprintf(event, sizeof event,
             "{\"type\":\"elements\",\"window\":\"main\",\"upsert\":[{\"id\":\"count\","
             "\"value\":\"%s\"}],\"cause\":%s}", number, action);
    if (a11y_publish(bus, event) <= 0) return false;
    snprintf(event, sizeof event, "{\"cause\":%s}", action);
    if (a11y_announce(bus, number, event) <= 0) return false;
  }
  snprintf(event, sizeof event, "{\"type\":\"handled\",\"of\":%lld,\"handled\":%s}",
           atoll(line + strlen("{\"seq\":")), is_handled ? "true" : "false");
  return a11y_publish(bus, event) > 0;
}

/* Deals with an entry; false where the bus could not be told. */
static bool hear(a11y *bus, const char *line, int64_t announcement, int *count) {
  char type[32], value[64], result[32];
  if (!find(line, "type", type, sizeof type)) return true;
  if (strcmp(type, "outcome") == 0) {
    if (find(line, "of", value, sizeof value) && atoll(value) == announcement &&
        find(line, "result", result, sizeof result)) {
      printf("Announcement %lld: %s.\n", (long long)announcement, result);
    }
  } else if (strcmp(type, "focus") == 0) {
    bool is_there = find(line, "element", value, sizeof value) && strcmp(value, "null") != 0;
    printf("Focus: %s.\n", is_there ? value : "nowhere");
  } else if (strcmp(type, "gesture") == 0) {
    return answer(bus, line, count);
  }
  return true;
}

/* Follows the bus until the program is to end; goes on behind the last entry when the bus has gone
   and is back. */
static void follow(a11y *bus, int64_t announcement) {
  int64_t connection = a11y_connection(bus);
  int count = 0;
  bool is_away = false;
  while (!has_ended) {
    const char *line = a11y_next(bus, 500);
    if (line != NULL && !hear(bus, line, announcement, &count)) complain(bus);
    int64_t present = a11y_connection(bus);
    if (!is_away && present != connection) {
      printf("The bus is gone.\n");
      is_away = true;
    }
    if (is_away && present != 0) {
      printf("The bus is back.\n");
      connection = present;
      is_away = false;
      if (!show(bus, count)) complain(bus);
    }
  }
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  struct sigaction action = {.sa_handler = end};
  sigaction(SIGTERM, &action, NULL);

  a11y *bus = a11y_open(NULL, app);
  if (bus == NULL) {
    complain(NULL);
    return EXIT_FAILURE;
  }
  int64_t announcement = 0;
  bool is_ready = a11y_subscribe(bus, wanted) == 0 && show(bus, 0) &&
                  a11y_publish(bus, "{\"type\":\"screen-changed\",\"window\":\"main\","
                                    "\"element\":\"count\"}") > 0 &&
                  (announcement = a11y_announce(bus, "Counter is ready", NULL)) > 0;
  if (!is_ready) {
    complain(bus);
    a11y_close(bus);
    return EXIT_FAILURE;
  }
  follow(bus, announcement);
  a11y_close(bus);
  printf("Goodbye.\n");
  return EXIT_SUCCESS;
}
