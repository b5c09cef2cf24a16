// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#include "handle.h"

#include "json.h"

bool check_object(a11y *bus, const char *text, const char *name, struct piece *object) {
  if (text == NULL) {
    set_error(bus, "The %s is missing: a JSON object is expected, and NULL came.", name);
    return false;
  }
  *object = piece_of(text);
  size_t fault;
  if (json_is_object(*object, &fault)) return true;
  set_error(
      bus, "The %s is no JSON object in UTF-8 (code json.invalid): the mistake is at byte %zu.",
      name, fault);
  return false;
}

void begin_request(a11y *bus, const char *op, int64_t id) {
  bytes_clear(&bus->request);
  bytes_put(&bus->request, "{");
  if (id > 0) {
    bytes_put(&bus->request, "\"id\":");
    bytes_put_number(&bus->request, id);
    bytes_put(&bus->request, ",");
  }
  bytes_put(&bus->request, "\"op\":\"");
  bytes_put(&bus->request, op);
  bytes_put(&bus->request, "\"");
}

/* Ends the request; false where it cannot be sent. */
static bool end_request(a11y *bus) {
  bytes_put(&bus->request, "}\n");
  if (bus->request.has_failed) {
    set_error(bus, "There is no memory for the request.");
    return false;
  }
  size_t count = bytes_count(&bus->request) - 1;
  if (count <= A11Y_REQUEST_BYTES) return true;
  set_error(
      bus, "The request has %zu bytes, and may have %d (code line.too-long).", count,
      A11Y_REQUEST_BYTES);
  return false;
}

bool send_request(a11y *bus) {
  if (!end_request(bus)) return false;
  /* The bus may have gone without our knowledge. A line that did not go out to its end was never
     executed, so that it can be sent again. */
  for (int attempt = 0; attempt < 2; attempt++) {
    if (bus->phase == away && !link_open(bus)) return false;
    bytes_append(&bus->out, bytes_all(&bus->request));
    if (bus->out.has_failed) {
      link_lose(bus, "there is no memory");
      return false;
    }
    link_send(bus);
    if (bus->phase != away) return true;
  }
  return false;
}

bool ask(a11y *bus, int64_t id) {
  bus->awaited = (struct awaited){.id = id};
  if (!send_request(bus)) {
    bus->awaited.id = 0;
    return false;
  }
  int64_t end = milliseconds_now() + A11Y_ANSWER_MS;
  bool is_late = false;
  while (bus->awaited.state == unanswered && bus->phase != away && !is_late) {
    is_late = !link_wait(bus, end);
  }
  bool is_accepted = bus->awaited.state == accepted;
  bus->awaited.id = bus->awaited.fence = 0;
  if (is_late) {
    set_error(
        bus, "The bus did not answer within %d milliseconds; the request may still take effect.",
        A11Y_ANSWER_MS);
  }
  return is_accepted;
}

void put_hello(a11y *bus) {
  struct bytes *out = &bus->out;
  bus->hello_id = ++bus->last_id;
  bytes_put(out, "{\"id\":");
  bytes_put_number(out, bus->hello_id);
  bytes_put(out, ",\"op\":\"hello\",\"client\":\"liba11y\"");
  if (bus->app != NULL) {
    bytes_put(out, ",\"app\":");
    json_put_string(out, bus->app);
  }
  bytes_put(out, "}\n");
}

void put_subscription(a11y *bus) {
  struct subscription *subscription = &bus->subscription;
  struct bytes *out = &bus->out;
  subscription->id = ++bus->last_id;
  subscription->is_flowing = subscription->has_dropped = false;
  bytes_put(out, "{\"id\":");
  bytes_put_number(out, subscription->id);
  bytes_put(out, ",\"op\":\"subscribe\",\"from\":\"");
  if (subscription->epoch[0] == 0) {
    bytes_put(out, "start");
  } else {
    bytes_put(out, subscription->epoch);
    bytes_put(out, ":");
    bytes_put_number(out, subscription->seq);
  }
  bytes_put(out, "\"");
  bytes_append(out, bytes_all(&subscription->members));
  bytes_put(out, "}\n");
}
