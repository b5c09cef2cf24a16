// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/*
 * The accessibility bus for programs in C: announcements, events, and the entries of the log.
 *
 *     a11y *bus = a11y_open(NULL, "org.example.Mail");
 *     if (bus == NULL) fprintf(stderr, "%s\n", a11y_last_error(NULL));
 *     if (a11y_announce(bus, "Message sent", NULL) <= 0)
 *       fprintf(stderr, "%s\n", a11y_last_error(bus));
 *     a11y_close(bus);
 *
 * Threads: one handle is used by one thread at a time; different handles are independent. The
 * library starts no thread, installs no signal handler, and raises no SIGPIPE.
 *
 * A bus that restarts: the connection is gone, which a11y_last_error tells once. The next call
 * connects again by itself, and a subscription goes on behind its last entry. Windows and elements
 * are the program's to show again: it does so whenever a11y_connection gives a number that it has
 * not seen before.
 *
 * Texts are UTF-8. A NULL or a text that is not well-formed is answered with an error like any
 * other mistake.
 */
#ifndef A11Y_H
#define A11Y_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The longest wait for an answer of the bus, in milliseconds. */
#define A11Y_ANSWER_MS 5000
/* The most bytes of a request: the bus refuses longer lines. */
#define A11Y_REQUEST_BYTES 65536
/* The most bytes of posted events that wait for room in the socket; a further event is refused. */
#define A11Y_POSTED_BYTES 4194304
/* The most bytes of entries that are kept while an answer is awaited. Later ones are fetched from
   the log again, in their order. */
#define A11Y_ENTRIES_BYTES 1048576
/* The waits between attempts to reach the bus, each twice the one before, in milliseconds. */
#define A11Y_FIRST_PAUSE_MS 50
#define A11Y_LONGEST_PAUSE_MS 2000
/* The longest time for which a11y_close goes on sending posted events, in milliseconds. */
#define A11Y_CLOSE_MS 1000

/* A connection to the bus. */
typedef struct a11y a11y;

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/*
 * Connects to the bus and introduces the program by the name of its app, as in "org.gnome.Mail";
 * NULL for the user alone.
 *
 * Without a path the socket is $A11YD_SOCKET, else $XDG_RUNTIME_DIR/a11yd/bus.sock, else
 * /run/a11yd/bus.sock. Returns NULL where no bus answers; a11y_last_error(NULL) says why.
 */
a11y *a11y_open(const char *path, const char *app);

/* Sends what was posted, for A11Y_CLOSE_MS at most, and ends the connection. NULL is ignored. */
void a11y_close(a11y *bus);

/*
 * A descriptor for an event loop, the same until a11y_close. When it is readable, call
 * a11y_next(bus, 0) until it gives NULL. It also wakes the loop when it is time to look for the
 * bus again. Nothing may be read from it or written to it.
 */
int a11y_descriptor(const a11y *bus);

/*
 * The number of the present connection: 1 after a11y_open, one more each time that the bus was
 * gone and is back, and 0 while the bus is away. The bus closes the windows of an app that has been
 * away for five seconds.
 */
int64_t a11y_connection(const a11y *bus);

/*
 * Announces a text, and waits until it is on record. The fields, such as {"priority":"high"}, are
 * further fields of the event as a JSON object, or NULL. Returns the seq of the event; 0 or less is
 * an error, told by a11y_last_error.
 */
int64_t a11y_announce(a11y *bus, const char *text, const char *fields_json);

/*
 * Publishes an event, given as a JSON object with its type, and waits until it is on record.
 * Returns the seq of the event; 0 or less is an error. Where the connection breaks before the
 * answer, the event may be on record or not, and is not sent again.
 */
int64_t a11y_publish(a11y *bus, const char *event_json);

/*
 * Publishes an event without waiting for anything. Returns 0, or -1 where it is not taken: it is no
 * JSON object, the bus is away, or A11Y_POSTED_BYTES are waiting. A refusal by the bus comes later,
 * and is told by a11y_last_error. Events that were posted just before the bus went may be lost.
 */
int a11y_post(a11y *bus, const char *event_json);

/*
 * Subscribes to entries of the log. The request is a JSON object with the fields of "subscribe",
 * such as {"from":"start","filter":{"types":["focus"]}}; NULL for all that comes from now on. A
 * handle has one subscription. Returns 0, or -1 for an error.
 */
int a11y_subscribe(a11y *bus, const char *request_json);

/*
 * The next entry of the subscription: its line, without the newline, valid until a11y_next is
 * called again. It waits for as long as is said; a negative number waits without an end.
 *
 * Returns NULL when the time is over; and at once when the bus has gone, when it is back, which
 * a11y_connection tells, and when a signal handler has run. A gap in the log is told by
 * a11y_last_error.
 */
const char *a11y_next(a11y *bus, int milliseconds);

/*
 * The bus's account of an event: its end and the reason, as a JSON object. The text is valid until
 * the next call of a11y_explain. NULL is an error.
 */
const char *a11y_explain(a11y *bus, int64_t seq);

/*
 * The errors since it was called last, each a sentence and the newest at the end; "" where there
 * are none. A refusal names its code, the field and the bus's words. The text stays until the next
 * call of another function, so that each error is told once; of more than a kilobyte the newest
 * sentence is left. It looks for refusals that have come, and never waits. With NULL: the newest
 * error of this thread in a call that had no handle.
 */
const char *a11y_last_error(a11y *bus);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
