// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// MQTT with QoS 1: the broker answers each line, and each subscriber answers the broker.
//
// Lines with an odd number have a topic of their own, so that subscribers can leave out the others.

#include <errno.h>
#include <mosquitto.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "peer.h"

enum { QOS = 1, KEEP_ALIVE_SECONDS = 3600 };

static struct mosquitto **publishers;
static struct mosquitto **subscribers;
static int publisher_count;
static int subscriber_count;
static int subscribed;

static void check(int result, const char *call) {
    if (result != MOSQ_ERR_SUCCESS) fail("mosquitto: %s: %s", call, mosquitto_strerror(result));
}

/// The object of a client is its index and one, since the library replaces a null one.
static int index_of(void *object) { return (int)(intptr_t)object - 1; }

static void on_publish(struct mosquitto *client, void *object, int message) {
    (void)client;
    (void)message;
    acknowledged(index_of(object), 1);
}

static void on_message(
    struct mosquitto *client, void *object, const struct mosquitto_message *message) {
    (void)client;
    delivered(index_of(object), message->payload, (size_t)message->payloadlen);
}

static void on_subscribe(
    struct mosquitto *client, void *object, int message, int count, const int *granted) {
    (void)client;
    (void)object;
    (void)message;
    if (count != 1 || granted[0] != QOS) fail("mosquitto: a subscription was refused");
    subscribed++;
}

static struct mosquitto *connect_to(
    const struct crowd *crowd, const char *id, bool forgets, int index, int token) {
    struct mosquitto *client = mosquitto_new(id, forgets, (void *)(intptr_t)(index + 1));
    if (!client) fail("mosquitto: there is no memory for a client");
    // No bound of the library's own: the load has its window.
    check(mosquitto_max_inflight_messages_set(client, 0), "max_inflight_messages_set");
    mosquitto_publish_callback_set(client, on_publish);
    mosquitto_message_callback_set(client, on_message);
    mosquitto_subscribe_callback_set(client, on_subscribe);
    // Port 0 makes the host the path of a socket. The broker's queue for new connections is short.
    int result;
    while ((result = mosquitto_connect(client, crowd->address, 0, KEEP_ALIVE_SECONDS)) ==
               MOSQ_ERR_ERRNO &&
           errno == EAGAIN) {
        usleep(1000);
    }
    check(result, "connect");
    poller_watch(mosquitto_socket(client), token);
    return client;
}

/// A subscriber with a session of its own that outlives the connection.
static struct mosquitto *connect_subscriber(const struct crowd *crowd, int index, bool forgets) {
    char id[32];
    snprintf(id, sizeof id, "subscriber-%d", index);
    struct mosquitto *client = connect_to(crowd, id, forgets, index, index);
    bool is_filtered = index >= crowd->subscribers - crowd->filtered;
    const char *topic = is_filtered ? "bus/odd" : "bus/#";
    check(mosquitto_subscribe(client, NULL, topic, QOS), "subscribe");
    return client;
}

static void await_subscriptions(int wanted) {
    while (subscribed < wanted) peer_turn(1000);
}

/// The broker queues lines for the session of a subscriber that has gone.
void peer_prepare_history(const struct crowd *crowd) {
    mosquitto_lib_init();
    struct crowd alone = {.address = crowd->address, .subscribers = 1};
    struct mosquitto *later = connect_subscriber(&alone, 0, false);
    subscribers = &later;
    subscriber_count = 1;
    await_subscriptions(1);
    check(mosquitto_disconnect(later), "disconnect");
    mosquitto_destroy(later);
    subscriber_count = 0;
}

void peer_connect(const struct crowd *crowd) {
    mosquitto_lib_init();
    publishers = calloc((size_t)crowd->publishers + 1, sizeof *publishers);
    subscribers = calloc((size_t)crowd->subscribers + 1, sizeof *subscribers);
    if (!publishers || !subscribers) fail("there is no memory");
    subscribed = 0;
    for (int index = 0; index < crowd->subscribers; index++) {
        subscribers[index] = connect_subscriber(crowd, index, !crowd->from_start);
        subscriber_count = index + 1;
    }
    await_subscriptions(crowd->subscribers);
    for (int index = 0; index < crowd->publishers; index++) {
        int token = subscriber_count + index;
        publishers[index] = connect_to(crowd, NULL, true, index, token);
        publisher_count = index + 1;
    }
}

void peer_publish(int publisher, const char *line, size_t length, long number) {
    const char *topic = number % 2 ? "bus/odd" : "bus/even";
    struct mosquitto *client = publishers[publisher];
    check(mosquitto_publish(client, NULL, topic, (int)length, line, QOS, false), "publish");
}

static void serve(int token) {
    bool is_subscriber = token < subscriber_count;
    struct mosquitto *client =
        is_subscriber ? subscribers[token] : publishers[token - subscriber_count];
    check(mosquitto_loop_read(client, 1), "reading");
}

static void send_rest(struct mosquitto **clients, int count) {
    for (int index = 0; index < count; index++) {
        struct mosquitto *client = clients[index];
        if (!mosquitto_want_write(client)) continue;
        check(mosquitto_loop_write(client, 1), "writing");
    }
}

void peer_turn(int milliseconds) {
    send_rest(publishers, publisher_count);
    send_rest(subscribers, subscriber_count);
    poller_turn(milliseconds, serve);
}

long peer_stored(void) { return -1; }
