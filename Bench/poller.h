// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// Waits until one of many sockets has something to read.

#ifndef A11Y_BENCH_POLLER_H
#define A11Y_BENCH_POLLER_H

/// Reports this descriptor as `token` whenever it can be read.
void poller_watch(int descriptor, int token);

/// Calls `serve` with each token that can be read, once.
void poller_turn(int milliseconds, void (*serve)(int token));

#endif
