// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "handle.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* A bus that has gone may have left its last words, in so many portions at most. */
enum { last_portions = 16 };

int64_t milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Sets when the bus is looked for next: soon, and less and less soon while that is in vain. */
static void put_off(a11y *bus) {
  int64_t now = milliseconds_now();
  bool was_steady = bus->phase == present && now - bus->since >= A11Y_LONGEST_PAUSE_MS;
  if (was_steady) {
    bus->pause = 0;
  } else if (bus->pause == 0) {
    bus->pause = A11Y_FIRST_PAUSE_MS;
  } else {
    bus->pause = 2 * bus->pause < A11Y_LONGEST_PAUSE_MS ? 2 * bus->pause : A11Y_LONGEST_PAUSE_MS;
  }
  bus->retry_at = now + bus->pause;
}

static int open_socket(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = strlen(path);
  if (length == 0 || length >= sizeof address.sun_path) {
    errno = length == 0 ? ENOENT : ENAMETOOLONG;
    return -1;
  }
  memcpy(address.sun_path, path, length);
  int number = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (number < 0) return -1;
  /* The call does not wait: a bus whose queue is full is one that cannot be reached now. */
  if (connect(number, (struct sockaddr *)&address, sizeof address) == 0) return number;
  int reason = errno;
  close(number);
  errno = reason;
  return -1;
}

bool link_open(a11y *bus) {
  bus->socket = open_socket(bus->path);
  struct epoll_event interest = {.events = EPOLLIN};
  if (bus->socket >= 0 && epoll_ctl(bus->set, EPOLL_CTL_ADD, bus->socket, &interest) < 0) {
    int reason = errno;
    close(bus->socket);
    errno = reason;
    bus->socket = -1;
  }
  if (bus->socket < 0) {
    set_error(bus, "Cannot reach the bus at %s: %s.", bus->path, strerror(errno));
    put_off(bus);
    return false;
  }
  bytes_clear(&bus->in);
  bytes_clear(&bus->out);
  bus->is_passing_over = bus->waits_for_room = false;
  bus->farewell[0] = 0;
  bus->phase = greeting;
  bus->since = milliseconds_now();
  put_hello(bus);
  if (bus->subscription.is_wanted) put_subscription(bus);
  link_send(bus);
  return bus->phase != away;
}

void note_news(a11y *bus) {
  /* One word is enough for a loss and a return. */
  if (bus->has_news) return;
  bus->has_news = true;
  bus->news_behind = bytes_count(&bus->entries);
}

void link_lose(a11y *bus, const char *reason) {
  if (bus->phase == away) return;
  if (bus->farewell[0] != 0) reason = bus->farewell;
  if (bus->phase == present) {
    set_error(bus, "The bus has gone: %s. Events without an answer may be lost.", reason);
    note_news(bus);
  } else if (reason != NULL) {
    set_error(bus, "The bus at %s has not answered the greeting: %s.", bus->path, reason);
  }
  put_off(bus);
  /* A copy of the descriptor in a child of the program would keep it in the set. */
  epoll_ctl(bus->set, EPOLL_CTL_DEL, bus->socket, NULL);
  close(bus->socket);
  bus->socket = -1;
  bus->phase = away;
  bus->subscription.is_flowing = bus->subscription.has_dropped = false;
  bytes_clear(&bus->in);
  bytes_clear(&bus->out);
}

void link_send(a11y *bus) {
  while (bus->phase != away && bytes_count(&bus->out) > 0) {
    struct piece all = bytes_all(&bus->out);
    size_t most = all.count < moved_at_once ? all.count : moved_at_once;
    ssize_t count = send(bus->socket, all.at, most, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0) {
      bytes_drop(&bus->out, (size_t)count);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      break;
    } else if (errno != EINTR) {
      char reason[128];
      snprintf(reason, sizeof reason, "%s", strerror(errno));
      for (int i = 0; i < last_portions && bus->phase != away; i++) link_receive(bus);
      link_lose(bus, reason);
    }
  }
  bool waits_for_room = bytes_count(&bus->out) > 0;
  if (bus->phase == away || waits_for_room == bus->waits_for_room) return;
  struct epoll_event interest = {.events = waits_for_room ? EPOLLIN | EPOLLOUT : EPOLLIN};
  epoll_ctl(bus->set, EPOLL_CTL_MOD, bus->socket, &interest);
  bus->waits_for_room = waits_for_room;
}

void link_receive(a11y *bus) {
  if (bus->phase == away) return;
  char *place = bytes_reserve(&bus->in, moved_at_once);
  if (place == NULL) {
    link_lose(bus, "there is no memory");
    return;
  }
  ssize_t count = recv(bus->socket, place, moved_at_once, MSG_DONTWAIT);
  if (count > 0) {
    bus->in.end += (size_t)count;
    hear_lines(bus);
  } else if (count == 0) {
    link_lose(bus, "it has closed the connection");
  } else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
    char reason[128];
    snprintf(reason, sizeof reason, "%s", strerror(errno));
    link_lose(bus, reason);
  }
}

void link_turn(a11y *bus) {
  if (bus->phase == away) {
    if (milliseconds_now() < bus->retry_at) return;
    /* The loss was told; attempts in vain are not. */
    char told[error_room];
    memcpy(told, bus->error, sizeof told);
    if (!link_open(bus)) memcpy(bus->error, told, sizeof told);
  }
  if (bus->phase == greeting && milliseconds_now() >= bus->since + A11Y_ANSWER_MS) {
    link_lose(bus, NULL);
  }
  struct subscription *subscription = &bus->subscription;
  if (bus->phase == present && subscription->has_dropped && bytes_count(&bus->entries) == 0) {
    begin_request(bus, "unsubscribe", ++bus->last_id);
    bytes_put(&bus->request, "}\n");
    bytes_append(&bus->out, bytes_all(&bus->request));
    put_subscription(bus);
  }
  link_receive(bus);
  link_send(bus);
}

bool link_wait(a11y *bus, int64_t end) {
  if (bus->phase == away) return true;
  int64_t left = end - milliseconds_now();
  if (left <= 0) return false;
  short events = bytes_count(&bus->out) > 0 ? POLLIN | POLLOUT : POLLIN;
  struct pollfd ready = {.fd = bus->socket, .events = events};
  if (poll(&ready, 1, (int)left) > 0) {
    link_send(bus);
    link_receive(bus);
  }
  return true;
}

void link_arm(a11y *bus) {
  int64_t due = 0;
  if (bytes_count(&bus->entries) > 0 || bus->has_news || bus->subscription.has_dropped) {
    due = 1;
  } else if (bus->phase == away) {
    due = bus->retry_at;
  } else if (bus->phase == greeting) {
    due = bus->since + A11Y_ANSWER_MS;
  }
  if (due == bus->armed_for) return;
  struct itimerspec time = {.it_value = {due / 1000, due % 1000 * 1000000}};
  timerfd_settime(bus->timer, TFD_TIMER_ABSTIME, &time, NULL);
  bus->armed_for = due;
}
