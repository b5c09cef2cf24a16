// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/*
 * A handle, and the verbs that its files have for each other.
 *
 * a11y.c has the calls of programs; request.c puts requests together; link.c moves bytes, and finds
 * the bus again; lines.c understands the lines of the bus. Entries stand in a queue until the
 * program takes them, so that an answer behind them can be heard.
 */
#ifndef A11Y_HANDLE_H
#define A11Y_HANDLE_H

#include "a11y.h"
#include "bytes.h"

enum {
  /* Longer lines of the bus are passed over: its lines have 256 KiB, and only an answer to `state`,
     which is never asked for, may have more. */
  longest_line = 1048576,
  moved_at_once = 65536,
  error_room = 1024,
  /* "epoch:seq": 32 digits, and at most 19. */
  cursor_room = 64
};

enum phase { away, greeting, present };

/* The request whose answer a call waits for. */
struct awaited {
  int64_t id;
  enum { unanswered, accepted, refused } state;
  /* The ping behind a request that the bus may have refused without its id. */
  int64_t fence;
};

/* The subscription, and the place behind the last entry that came. */
struct subscription {
  /* The members of the request but for its beginning, each with a comma before it. */
  struct bytes members;
  bool is_wanted;
  /* The id of the request under way. */
  int64_t id;
  char epoch[cursor_room];
  int64_t seq;
  /* Whether entries that come belong behind this place; others are dropped. */
  bool is_flowing;
  /* Whether entries were dropped, so that the bus has to give them again. */
  bool has_dropped;
};

struct a11y {
  char *path, *app;
  /* The set has the socket and the timer in it, and is readable when there is something to do. */
  int set, timer, socket;
  enum phase phase;
  int64_t connections;
  /* The bus has gone or is back, and a11y_next has not told; it does so behind so many bytes of
     entries. */
  bool has_news;
  size_t news_behind;
  /* When the socket became ours, and when the bus is looked for again; both of a clock that never
     goes back, in milliseconds. */
  int64_t since, retry_at;
  int64_t pause;
  int64_t armed_for;
  bool waits_for_room;

  struct bytes in, out, entries, line, answer, request;
  bool is_passing_over;
  int64_t last_id, hello_id;
  struct awaited awaited;
  struct subscription subscription;

  char error[error_room];
  bool is_told;
  /* The word of the bus before it closes. */
  char farewell[error_room];
};

/* Adds a sentence to the errors of a handle or of this thread. */
void set_error(a11y *bus, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Link. */
int64_t milliseconds_now(void);
/* Connects, greets, and asks for the subscription again; false with an error. */
bool link_open(a11y *bus);
/* Has a11y_next tell that the connection has changed, behind the entries that are there. */
void note_news(a11y *bus);
/* Gives the connection up. The reason is told if the bus was there until now. */
void link_lose(a11y *bus, const char *reason);
/* Sends what there is room for. */
void link_send(a11y *bus);
/* Takes one portion of bytes that have come, and understands them; what is to be said in return is
   left in bus->out. */
void link_receive(a11y *bus);
/* Looks for the bus if it is time, receives, and sends; never waits. */
void link_turn(a11y *bus);
/* Waits until the socket is ready, and moves bytes; false when the time is over. */
bool link_wait(a11y *bus, int64_t end);
/* Sets the timer, so that the descriptor is readable when there is something to do. */
void link_arm(a11y *bus);

/* Lines. */
void hear_lines(a11y *bus);

/* Requests. */
/* Checks that a text is an object; `name` is the name of the parameter. */
bool check_object(a11y *bus, const char *text, const char *name, struct piece *object);
/* Begins a request in bus->request, with an id or, for 0, without. */
void begin_request(a11y *bus, const char *op, int64_t id);
/* Ends the request and sends what there is room for; the bus is looked for if it is away. */
bool send_request(a11y *bus);
/* Sends the request, and waits for its answer. */
bool ask(a11y *bus, int64_t id);
void put_hello(a11y *bus);
void put_subscription(a11y *bus);

#endif
