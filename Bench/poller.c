// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#include "poller.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>

#include "peer.h"

enum { EVENTS_AT_ONCE = 256 };

static int epoll = -1;

void poller_watch(int descriptor, int token) {
    if (epoll < 0) epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = token};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) < 0) {
        fail("epoll_ctl: %s", strerror(errno));
    }
}

void poller_turn(int milliseconds, void (*serve)(int token)) {
    struct epoll_event events[EVENTS_AT_ONCE];
    int count = epoll_wait(epoll, events, EVENTS_AT_ONCE, milliseconds);
    if (count < 0 && errno != EINTR) fail("epoll_wait: %s", strerror(errno));
    for (int index = 0; index < count; index++) serve(events[index].data.fd);
}
