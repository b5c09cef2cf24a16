// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#include "handle.h"

#include "json.h"

#include <stdio.h>
#include <string.h>

/* The sentence of a refusal: its code, its field, and the words of the bus. */
static void tell_refusal(a11y *bus, struct piece error) {
  char code[64] = "internal", field[256] = "", words[512] = "";
  struct piece value;
  if (json_member(error, "code", &value)) json_string(value, code, sizeof code);
  if (json_member(error, "field", &value)) json_string(value, field, sizeof field);
  if (json_member(error, "msg", &value)) json_string(value, words, sizeof words);
  set_error(
      bus, "The bus refused it (code %s%s%s): %s.", code, field[0] != 0 ? ", field " : "", field,
      words);
}

/* Goes to a cursor of the bus. */
static void move_to(struct subscription *subscription, struct piece line) {
  struct piece value;
  char cursor[cursor_room];
  int64_t seq;
  if (!json_member(line, "cursor", &value) || !json_string(value, cursor, sizeof cursor)) return;
  char *colon = strchr(cursor, ':');
  if (colon == NULL || !json_integer(piece_of(colon + 1), &seq)) return;
  *colon = 0;
  memcpy(subscription->epoch, cursor, sizeof cursor);
  subscription->seq = seq;
}

/* Keeps an entry, or drops it where there is no room, to be given again. */
static void hear_entry(a11y *bus, struct piece line, struct piece number) {
  struct subscription *subscription = &bus->subscription;
  int64_t seq;
  if (!subscription->is_flowing || !json_integer(number, &seq)) return;
  struct bytes *entries = &bus->entries;
  bool has_room = bytes_count(entries) + line.count + 1 <= A11Y_ENTRIES_BYTES;
  if (has_room && bytes_reserve(entries, line.count + 1) != NULL) {
    bytes_append(entries, line);
    bytes_append(entries, (struct piece){"\n", 1});
    subscription->seq = seq;
  } else {
    entries->has_failed = false;
    subscription->is_flowing = false;
    subscription->has_dropped = true;
  }
}

static void hear_mark(a11y *bus, struct piece line, struct piece name) {
  struct subscription *subscription = &bus->subscription;
  if (!subscription->is_flowing) return;
  move_to(subscription, line);
  struct piece from, to, reason;
  char words[64] = "";
  if (!piece_is(name, "\"gap\"") || !json_member(line, "from", &from)) return;
  if (!json_member(line, "to", &to) || !json_integer(to, &subscription->seq)) return;
  if (json_member(line, "reason", &reason)) json_string(reason, words, sizeof words);
  set_error(
      bus, "The log no longer has the entries %.*s to %.*s (%s).", (int)from.count, from.at,
      (int)to.count, to.at, words);
}

/* The bus's answer to a subscription, the first or one that goes on. */
static void hear_subscription(a11y *bus, struct piece ok, struct piece error) {
  struct subscription *subscription = &bus->subscription;
  subscription->id = 0;
  if (ok.count > 0) {
    subscription->is_wanted = subscription->is_flowing = true;
    move_to(subscription, ok);
    return;
  }
  if (!subscription->is_wanted || bus->phase == away) return;
  struct piece code, value;
  int64_t last;
  if (!json_member(error, "code", &code)) return;
  if (piece_is(code, "\"cursor.future\"") && json_member(error, "last", &value) &&
      json_integer(value, &last) && last < subscription->seq) {
    set_error(
        bus, "The bus has lost the entries %lld to %lld in a crash, and uses their numbers again.",
        (long long)last + 1, (long long)subscription->seq);
    subscription->seq = last;
  } else if (piece_is(code, "\"cursor.epoch\"") && subscription->epoch[0] != 0) {
    set_error(bus, "The bus has another log now; its entries follow from its beginning.");
    subscription->epoch[0] = 0;
  } else if (piece_is(code, "\"shutting-down\"") || piece_is(code, "\"quota.exceeded\"")) {
    link_lose(bus, "it does not take the subscription now");
    return;
  } else {
    /* The refusal itself is told already. */
    subscription->is_wanted = false;
    return;
  }
  put_subscription(bus);
}

static void hear_greeting(a11y *bus, struct piece ok) {
  bus->hello_id = 0;
  if (ok.count == 0) {
    link_lose(bus, NULL);
    return;
  }
  bus->phase = present;
  bus->since = milliseconds_now();
  bus->connections++;
  if (bus->connections > 1) note_news(bus);
}

static void hear_awaited(a11y *bus, struct piece ok) {
  bus->awaited.state = ok.count > 0 ? accepted : refused;
  bytes_clear(&bus->answer);
  bytes_append(&bus->answer, ok);
  bytes_append(&bus->answer, (struct piece){"", 1});
  if (bus->answer.has_failed) bus->awaited.state = refused;
}

/* Asks behind an unanswered request whether it is the one that was refused without its id: lines
   that the bus cannot read have none. */
static void put_fence(a11y *bus) {
  if (bus->awaited.id == 0 || bus->awaited.fence != 0) return;
  bus->awaited.fence = ++bus->last_id;
  bytes_put(&bus->out, "{\"id\":");
  bytes_put_number(&bus->out, bus->awaited.fence);
  bytes_put(&bus->out, ",\"op\":\"ping\"}\n");
}

static void hear_reply(a11y *bus, struct piece line, struct piece number) {
  struct piece ok = {"", 0}, error = {"", 0};
  int64_t id = 0;
  json_member(line, "ok", &ok);
  if (json_member(line, "err", &error)) tell_refusal(bus, error);
  if (!json_integer(number, &id) || id <= 0) {
    put_fence(bus);
    return;
  }
  if (id == bus->hello_id) {
    hear_greeting(bus, ok);
    return;
  }
  if (id == bus->awaited.id) hear_awaited(bus, ok);
  if (id == bus->awaited.fence && bus->awaited.state == unanswered) bus->awaited.state = refused;
  if (id == bus->subscription.id) hear_subscription(bus, ok, error);
}

static void hear_warning(a11y *bus, struct piece warning) {
  struct piece fields;
  if (!json_member(warning, "fields", &fields)) return;
  int count = fields.count < 512 ? (int)fields.count : 512;
  set_error(bus, "The bus does not know these fields, and ignores them: %.*s.", count, fields.at);
}

static void hear_farewell(a11y *bus, struct piece farewell) {
  char code[64] = "", words[512] = "";
  struct piece value;
  if (json_member(farewell, "code", &value)) json_string(value, code, sizeof code);
  if (json_member(farewell, "msg", &value)) json_string(value, words, sizeof words);
  snprintf(bus->farewell, sizeof bus->farewell, "it says %s, %s", code, words);
}

static void hear_line(a11y *bus, struct piece line) {
  struct piece rest = line, name, value;
  if (!json_next_member(&rest, &name, &value)) {
    link_lose(bus, "it has sent something that is no JSON");
  } else if (piece_is(name, "seq")) {
    hear_entry(bus, line, value);
  } else if (piece_is(name, "id")) {
    hear_reply(bus, line, value);
  } else if (piece_is(name, "mark")) {
    hear_mark(bus, line, value);
  } else if (piece_is(name, "warn")) {
    hear_warning(bus, value);
  } else if (piece_is(name, "bye")) {
    hear_farewell(bus, value);
  }
}

void hear_lines(a11y *bus) {
  while (bus->phase != away) {
    struct piece all = bytes_all(&bus->in);
    const char *end = memchr(all.at, '\n', all.count);
    if (end == NULL) break;
    struct piece line = {all.at, (size_t)(end - all.at)};
    if (line.count > 0 && !bus->is_passing_over) hear_line(bus, line);
    bus->is_passing_over = false;
    if (bus->phase != away) bytes_drop(&bus->in, line.count + 1);
  }
  if (bytes_count(&bus->in) > longest_line) {
    bytes_clear(&bus->in);
    bus->is_passing_over = true;
  }
}
