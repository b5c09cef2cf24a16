// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "a11y.h"

#include "handle.h"
#include "json.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/* The newest error of a call without a handle. */
static _Thread_local char thread_error[error_room];
static _Thread_local bool is_thread_told;

/* An error that was not read stays before the newer one; where both have no room, the newer one
   takes its place. */
void set_error(a11y *bus, const char *format, ...) {
  char *error = bus != NULL ? bus->error : thread_error;
  bool *is_told = bus != NULL ? &bus->is_told : &is_thread_told;
  char sentence[error_room];
  va_list values;
  va_start(values, format);
  vsnprintf(sentence, sizeof sentence, format, values);
  va_end(values);
  size_t before = *is_told || bus == NULL ? 0 : strlen(error);
  *is_told = false;
  bool is_repeated = before > 0 && strstr(error, sentence) != NULL;
  if (is_repeated) return;
  if (before > 0 && before + 1 + strlen(sentence) < error_room) {
    error[before++] = ' ';
  } else {
    before = 0;
  }
  strcpy(error + before, sentence);
}

/* Begins a call: an error that was read is forgotten. */
static bool begin(a11y *bus, const char *function) {
  if (bus == NULL) {
    set_error(NULL, "%s was called without a handle.", function);
    return false;
  }
  if (bus->is_told) bus->error[0] = 0;
  bus->is_told = false;
  return true;
}

/* Opening and closing. */

static char *copy(const char *text) {
  size_t size = strlen(text) + 1;
  char *copied = malloc(size);
  return copied != NULL ? memcpy(copied, text, size) : NULL;
}

/* The path that is given, or that of the environment; a runtime directory that is not absolute
   counts as not set. */
static char *find_path(const char *path) {
  if (path != NULL) return copy(path);
  const char *named = getenv("A11YD_SOCKET");
  if (named != NULL && named[0] != 0) return copy(named);
  const char *directory = getenv("XDG_RUNTIME_DIR");
  if (directory == NULL || directory[0] != '/') directory = "/run";
  static const char name[] = "/a11yd/bus.sock";
  char *found = malloc(strlen(directory) + sizeof name);
  if (found == NULL) return NULL;
  strcpy(found, directory);
  if (found[strlen(found) - 1] == '/') found[strlen(found) - 1] = 0;
  return strcat(found, name);
}

static a11y *make_handle(const char *path, const char *app) {
  a11y *bus = calloc(1, sizeof *bus);
  if (bus == NULL) return NULL;
  bus->socket = -1;
  bus->path = find_path(path);
  bus->app = app != NULL ? copy(app) : NULL;
  bus->set = epoll_create1(EPOLL_CLOEXEC);
  bus->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  struct epoll_event interest = {.events = EPOLLIN};
  bool is_whole = bus->path != NULL && (app == NULL || bus->app != NULL) && bus->set >= 0 &&
                  bus->timer >= 0 &&
                  epoll_ctl(bus->set, EPOLL_CTL_ADD, bus->timer, &interest) == 0;
  if (is_whole) return bus;
  int reason = errno;
  a11y_close(bus);
  errno = reason;
  return NULL;
}

a11y *a11y_open(const char *path, const char *app) {
  struct bytes name = {0};
  bool is_text = app == NULL || json_put_string(&name, app);
  bytes_free(&name);
  if (!is_text) {
    set_error(NULL, "The name of the app is no UTF-8.");
    return NULL;
  }
  a11y *bus = make_handle(path, app);
  if (bus == NULL) {
    set_error(NULL, "Cannot make a handle: %s.", strerror(errno));
    return NULL;
  }
  int64_t end = milliseconds_now() + A11Y_ANSWER_MS;
  bool is_late = !link_open(bus);
  while (bus->phase == greeting && !is_late) is_late = !link_wait(bus, end);
  if (bus->phase == present) {
    link_arm(bus);
    return bus;
  }
  if (bus->phase == greeting) {
    set_error(
        bus, "The bus at %s did not answer within %d milliseconds.", bus->path, A11Y_ANSWER_MS);
  }
  set_error(NULL, "%s", bus->error);
  bytes_clear(&bus->out);
  a11y_close(bus);
  return NULL;
}

void a11y_close(a11y *bus) {
  if (bus == NULL) return;
  int64_t end = milliseconds_now() + A11Y_CLOSE_MS;
  while (bytes_count(&bus->out) > 0 && bus->phase != away && link_wait(bus, end)) {
  }
  if (bus->socket >= 0) close(bus->socket);
  if (bus->timer >= 0) close(bus->timer);
  if (bus->set >= 0) close(bus->set);
  struct bytes *all[] = {&bus->in,     &bus->out,    &bus->entries, &bus->line,
                         &bus->answer, &bus->request, &bus->subscription.members};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) bytes_free(all[i]);
  free(bus->path);
  free(bus->app);
  free(bus);
}

int a11y_descriptor(const a11y *bus) { return bus != NULL ? bus->set : -1; }

int64_t a11y_connection(const a11y *bus) {
  return bus != NULL && bus->phase == present ? bus->connections : 0;
}

/* Publishing. */

/* Closes the event in bus->request, sends the request, and returns the seq. */
static int64_t publish(a11y *bus) {
  int64_t seq = -1;
  struct piece value;
  bytes_put(&bus->request, "}");
  if (ask(bus, bus->last_id) && json_member(bytes_all(&bus->answer), "seq", &value)) {
    json_integer(value, &seq);
  }
  link_arm(bus);
  return seq;
}

/* The members of an object, without its braces and the blanks around them. */
static struct piece inner(struct piece object) {
  const char *at = memchr(object.at, '{', object.count);
  const char *end = object.at + object.count;
  while (end[-1] != '}') end--;
  end--;
  for (at++; at < end && memchr(" \t\r\n", *at, 4) != NULL; at++) {
  }
  return (struct piece){at, (size_t)(end - at)};
}

int64_t a11y_announce(a11y *bus, const char *text, const char *fields_json) {
  if (!begin(bus, "a11y_announce")) return -1;
  struct piece fields = {"{}", 2};
  if (text == NULL) {
    set_error(bus, "The text is missing: NULL came.");
    return -1;
  }
  if (fields_json != NULL && !check_object(bus, fields_json, "object of fields", &fields)) {
    return -1;
  }
  begin_request(bus, "publish", ++bus->last_id);
  bytes_put(&bus->request, ",\"event\":{\"type\":\"announcement\",\"text\":");
  if (!json_put_string(&bus->request, text)) {
    set_error(bus, "The text is no UTF-8 (code json.invalid, field event.text).");
    return -1;
  }
  struct piece members = inner(fields);
  if (members.count > 0) bytes_put(&bus->request, ",");
  json_put_on_one_line(&bus->request, members);
  return publish(bus);
}

int64_t a11y_publish(a11y *bus, const char *event_json) {
  struct piece event;
  if (!begin(bus, "a11y_publish") || !check_object(bus, event_json, "event", &event)) return -1;
  begin_request(bus, "publish", ++bus->last_id);
  bytes_put(&bus->request, ",\"event\":{");
  json_put_on_one_line(&bus->request, inner(event));
  return publish(bus);
}

int a11y_post(a11y *bus, const char *event_json) {
  struct piece event;
  if (!begin(bus, "a11y_post") || !check_object(bus, event_json, "event", &event)) return -1;
  if (bus->phase == away && milliseconds_now() < bus->retry_at) {
    set_error(bus, "The bus is away, and the event is not taken.");
    return -1;
  }
  if (bytes_count(&bus->out) + event.count > A11Y_POSTED_BYTES) {
    /* A bus whose answers nobody takes would in the end take nothing either. */
    link_receive(bus);
    link_send(bus);
  }
  if (bytes_count(&bus->out) + event.count > A11Y_POSTED_BYTES) {
    set_error(
        bus, "The bus is slower than the events that are posted: %d bytes wait, and the event is"
             " not taken.", A11Y_POSTED_BYTES);
    return -1;
  }
  begin_request(bus, "publish", 0);
  bytes_put(&bus->request, ",\"event\":");
  json_put_on_one_line(&bus->request, event);
  bool is_taken = send_request(bus);
  link_arm(bus);
  return is_taken ? 0 : -1;
}

/* Subscribing. */

/* Writes the members of a request; `from` and `state` are for the beginning alone. */
static void put_members(struct bytes *bytes, struct piece request, bool is_beginning) {
  struct piece name, value;
  while (json_next_member(&request, &name, &value)) {
    if (piece_is(name, "op") || piece_is(name, "id")) continue;
    if (!is_beginning && (piece_is(name, "from") || piece_is(name, "state"))) continue;
    bytes_put(bytes, ",\"");
    bytes_append(bytes, name);
    bytes_put(bytes, "\":");
    json_put_on_one_line(bytes, value);
  }
}

int a11y_subscribe(a11y *bus, const char *request_json) {
  if (!begin(bus, "a11y_subscribe")) return -1;
  struct piece request = {"{}", 2};
  if (request_json != NULL && !check_object(bus, request_json, "request", &request)) return -1;
  struct subscription *subscription = &bus->subscription;
  if (subscription->is_wanted) {
    set_error(bus, "The handle has a subscription already; another one needs its own handle.");
    return -1;
  }
  bytes_clear(&subscription->members);
  put_members(&subscription->members, request, false);
  if (subscription->members.has_failed) {
    set_error(bus, "There is no memory for the request.");
    return -1;
  }
  subscription->id = ++bus->last_id;
  begin_request(bus, "subscribe", subscription->id);
  put_members(&bus->request, request, true);
  bool is_accepted = ask(bus, subscription->id);
  if (!is_accepted) subscription->id = 0;
  link_arm(bus);
  return is_accepted ? 0 : -1;
}

/* Takes the oldest entry that is kept; NULL where there is none, or news come first. */
static const char *take_entry(a11y *bus) {
  struct piece entries = bytes_all(&bus->entries);
  if (entries.count == 0 || (bus->has_news && bus->news_behind == 0)) return NULL;
  const char *end = memchr(entries.at, '\n', entries.count);
  size_t count = (size_t)(end - entries.at);
  bytes_clear(&bus->line);
  bytes_append(&bus->line, (struct piece){entries.at, count});
  bytes_append(&bus->line, (struct piece){"", 1});
  if (bus->line.has_failed) {
    set_error(bus, "There is no memory for the entry, which stays.");
    return NULL;
  }
  bytes_drop(&bus->entries, count + 1);
  if (bus->has_news) bus->news_behind -= count + 1;
  return bytes_all(&bus->line).at;
}

const char *a11y_next(a11y *bus, int milliseconds) {
  if (!begin(bus, "a11y_next")) return NULL;
  const char *line = take_entry(bus);
  int64_t end = 0;
  while (line == NULL && !bus->line.has_failed) {
    if (bus->has_news) {
      bus->has_news = false;
      break;
    }
    link_turn(bus);
    line = take_entry(bus);
    if (line != NULL || bus->has_news) continue;
    int left = milliseconds;
    if (milliseconds > 0) {
      int64_t now = milliseconds_now();
      if (end == 0) end = now + milliseconds;
      left = end > now ? (int)(end - now) : 0;
    }
    if (left == 0) break;
    link_arm(bus);
    struct pollfd ready = {.fd = bus->set, .events = POLLIN};
    /* A signal handler may have told the program to end. */
    if (poll(&ready, 1, left) < 0) break;
  }
  link_arm(bus);
  return line;
}

const char *a11y_explain(a11y *bus, int64_t seq) {
  if (!begin(bus, "a11y_explain")) return NULL;
  begin_request(bus, "explain", ++bus->last_id);
  bytes_put(&bus->request, ",\"seq\":");
  bytes_put_number(&bus->request, seq);
  bool is_accepted = ask(bus, bus->last_id);
  link_arm(bus);
  return is_accepted ? bytes_all(&bus->answer).at : NULL;
}

const char *a11y_last_error(a11y *bus) {
  if (bus == NULL) {
    if (is_thread_told) thread_error[0] = 0;
    is_thread_told = true;
    return thread_error;
  }
  link_receive(bus);
  link_send(bus);
  link_arm(bus);
  bus->is_told = bus->error[0] != 0;
  return bus->error;
}
