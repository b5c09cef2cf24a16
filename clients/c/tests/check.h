// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/* The tests, each a function that ends the program where something is wrong. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include "bus.h"

void check_announcements(void);
void check_refusals(void);
void check_nonsense(void);
void check_without_handle(void);
void check_path(void);
void check_posting(void);
void check_flood(void);
void check_entries(void);
void check_slow_reader(void);
void check_signals(void);
void check_restart(void);
void check_publishing_over_restart(void);
void check_post_over_restart(void);
void check_silence(void);
void check_descriptor(void);
void check_oddities(void);
void check_threads(void);

#endif
