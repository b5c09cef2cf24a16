// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// A server as the loads of this folder see it.
//
// Each peer is one file that implements these verbs with the server's own C library; load.c has the
// loads, which are the same for all of them. Each program is one peer and the loads.

#ifndef A11Y_BENCH_PEER_H
#define A11Y_BENCH_PEER_H

#include <stdbool.h>
#include <stddef.h>

/// The connections of a load.
struct crowd {
    /// A socket's path, or a URL.
    const char *address;
    int publishers;
    int subscribers;
    /// The last of the subscribers, which want lines with an odd number alone.
    int filtered;
    /// Lines that may be published and not yet acknowledged, for each publisher.
    int window;
    /// Whether the subscribers begin with the oldest stored line.
    bool from_start;
};

/// Makes the server keep lines for a subscriber that comes later.
void peer_prepare_history(const struct crowd *crowd);

/// Opens all connections; every subscriber is live afterwards.
void peer_connect(const struct crowd *crowd);

/// Publishes a line, now or with the next turn; `number` counts the lines of the run.
void peer_publish(int publisher, const char *line, size_t length, long number);

/// Sends and reads as much as is possible, and waits at most this long for more.
void peer_turn(int milliseconds);

/// The lines that the server has stored; negative where it does not tell.
long peer_stored(void);

// The load's side, which peers call, from one thread at a time.

/// A line has come.
void delivered(int subscriber, const void *line, size_t length);

/// Lines have been acknowledged.
void acknowledged(int publisher, long count);

/// Ends the program with a sentence for the caller.
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The sockets of the peers that have no loop of their own.

/// Reports this descriptor as `token` whenever it can be read.
void poller_watch(int descriptor, int token);

/// Calls `serve` with each token that can be read, once.
void poller_turn(int milliseconds, void (*serve)(int token));

#endif
