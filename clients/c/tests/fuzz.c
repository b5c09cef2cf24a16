// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Feeds liba11y with bytes that libFuzzer makes up: as lines of the bus, in portions, and as the
 * arguments of a program.
 *
 * A socket pair stands for the bus. Its other side is never full, for it is read here.
 */

#define _GNU_SOURCE

#include "../handle.h"
#include "../json.h"

#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static void require(bool is_true) {
  if (!is_true) abort();
}

/* A handle whose greeting was sent, and the bus's end of its connection. */
static a11y *make_connected(int *end) {
  a11y *bus = calloc(1, sizeof *bus);
  int pair[2];
  require(bus != NULL && socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0);
  bus->path = strdup("/nowhere/bus.sock");
  bus->app = strdup("fuzz");
  bus->set = epoll_create1(EPOLL_CLOEXEC);
  bus->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  bus->socket = pair[0];
  bus->phase = greeting;
  bus->since = milliseconds_now();
  bus->retry_at = INT64_MAX;
  put_hello(bus);
  *end = pair[1];
  return bus;
}

static void fuzz_lines(const uint8_t *data, size_t count) {
  int end;
  a11y *bus = make_connected(&end);
  static const char greeted[] = "{\"id\":1,\"ok\":{}}\n{\"id\":2,\"ok\":{\"cursor\":\"ab:1\"}}\n";
  bus->last_id = 2;
  bus->subscription.id = 2;
  bus->awaited.id = 3;
  require(write(end, greeted, sizeof greeted - 1) > 0);
  link_receive(bus);
  /* The first byte of each portion is its length. */
  while (count > 0 && bus->phase != away) {
    size_t portion = data[0];
    data++;
    count--;
    if (portion > count) portion = count;
    if (portion > 0) require(write(end, data, portion) == (ssize_t)portion);
    data += portion;
    count -= portion;
    link_receive(bus);
    bytes_clear(&bus->out);
    const char *line = a11y_next(bus, 0);
    require(line == NULL || strchr(line, '\n') == NULL);
    require(strlen(a11y_last_error(bus)) < error_room);
  }
  bytes_clear(&bus->out);
  a11y_close(bus);
  close(end);
}

/* All that goes out is one line, whatever a program passes. */
static void fuzz_arguments(const uint8_t *data, size_t count) {
  char *text = malloc(count + 1);
  require(text != NULL);
  memcpy(text, data, count);
  text[count] = 0;
  int end;
  a11y *bus = make_connected(&end);
  link_send(bus);
  char sent[A11Y_REQUEST_BYTES + 4096];
  while (read(end, sent, sizeof sent) > 0) {
  }
  if (a11y_post(bus, text) == 0) {
    ssize_t length = read(end, sent, sizeof sent);
    require(length > 0 && memchr(sent, '\n', (size_t)length) == sent + length - 1);
    size_t fault;
    require(json_is_object((struct piece){sent, (size_t)length}, &fault));
  }
  struct bytes string = {0};
  if (json_put_string(&string, text)) {
    char *back = malloc(count + 8);
    require(back != NULL && json_string(bytes_all(&string), back, count + 8));
    require(strcmp(back, text) == 0);
    free(back);
  }
  bytes_free(&string);
  free(text);
  a11y_close(bus);
  close(end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count) {
  if (count == 0) return 0;
  if (data[0] & 1) {
    fuzz_lines(data + 1, count - 1);
  } else {
    fuzz_arguments(data + 1, count - 1);
  }
  return 0;
}
