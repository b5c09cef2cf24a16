// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// D-Bus: broadcast signals over sd-bus.
//
// A signal has no answer, so the first subscriber's receipt counts as one. Publishers that wait for
// an answer call a method of a service in this program, since that is how one is had on D-Bus. Lines
// with an odd number have a member of their own, so that subscribers can leave out the others.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>

#include "peer.h"

#define NAME "org.example.Bench"
#define PATH "/org/example/Bench"

static const char *const matches[] = {
    "type='signal',interface='" NAME "'",
    "type='signal',interface='" NAME "',member='odd'",
};

/// Publishers, then subscribers, then the service.
static sd_bus **connections;
static int connection_count;
static int publisher_count;
static bool has_service;

static int check(int result, const char *call) {
    if (result < 0) fail("D-Bus: %s: %s", call, strerror(-result));
    return result;
}

static int index_of(void *userdata) { return (int)(intptr_t)userdata; }

static sd_bus *add_connection(const char *address) {
    sd_bus *bus = NULL;
    check(sd_bus_new(&bus), "new");
    check(sd_bus_set_address(bus, address), "address");
    check(sd_bus_set_bus_client(bus, true), "client");
    check(sd_bus_start(bus), "start");
    // Returns when the bus has given the connection its name.
    check(sd_bus_get_unique_name(bus, &(const char *){NULL}), "name");
    poller_watch(sd_bus_get_fd(bus), connection_count);
    return connections[connection_count++] = bus;
}

static void receive_line(sd_bus_message *message, int subscriber) {
    const char *line = NULL;
    check(sd_bus_message_read(message, "s", &line), "reading");
    delivered(subscriber, line, strlen(line));
}

static int on_signal(sd_bus_message *message, void *userdata, sd_bus_error *error) {
    (void)error;
    int subscriber = index_of(userdata);
    receive_line(message, subscriber);
    if (subscriber == 0) acknowledged(0, 1);
    return 1;
}

static int on_call(sd_bus_message *message, void *userdata, sd_bus_error *error) {
    (void)userdata;
    (void)error;
    return check(sd_bus_reply_method_return(message, NULL), "replying");
}

static int on_reply(sd_bus_message *message, void *userdata, sd_bus_error *error) {
    (void)error;
    if (sd_bus_message_is_method_error(message, NULL)) fail("D-Bus: a call failed");
    acknowledged(index_of(userdata), 1);
    return 1;
}

static const sd_bus_vtable service[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("publish", "s", "", on_call, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END,
};

void peer_prepare_history(const struct crowd *crowd) {
    (void)crowd;
    fail("D-Bus stores nothing");
}

void peer_connect(const struct crowd *crowd) {
    publisher_count = crowd->publishers;
    has_service = crowd->subscribers == 0;
    connections = calloc((size_t)(publisher_count + crowd->subscribers + 1), sizeof *connections);
    if (!connections) fail("there is no memory");
    for (int index = 0; index < publisher_count; index++) add_connection(crowd->address);
    for (int index = 0; index < crowd->subscribers; index++) {
        sd_bus *bus = add_connection(crowd->address);
        const char *match = matches[index >= crowd->subscribers - crowd->filtered];
        check(
            sd_bus_add_match(bus, NULL, match, on_signal, (void *)(intptr_t)index), "add_match");
    }
    if (has_service) {
        sd_bus *bus = add_connection(crowd->address);
        check(sd_bus_add_object_vtable(bus, NULL, PATH, NAME, service, NULL), "service");
        check(sd_bus_request_name(bus, NAME, 0), "name");
    }
}

void peer_publish(int publisher, const char *line, size_t length, long number) {
    // Strings of D-Bus end with a zero, and lines do not.
    static char text[65536];
    if (length >= sizeof text) fail("a line has %zu bytes", length);
    memcpy(text, line, length);
    text[length] = 0;
    sd_bus *bus = connections[publisher];
    if (has_service) {
        check(
            sd_bus_call_method_async(
                bus, NULL, NAME, PATH, NAME, "publish", on_reply, (void *)(intptr_t)publisher, "s",
                text),
            "calling");
    } else {
        const char *member = number % 2 ? "odd" : "even";
        check(sd_bus_emit_signal(bus, PATH, NAME, member, "s", text), "signal");
    }
}

static void process(sd_bus *bus) {
    while (check(sd_bus_process(bus, NULL), "processing") > 0) continue;
}

static void serve(int token) { process(connections[token]); }

void peer_turn(int milliseconds) {
    // Messages that did not fit into the socket are sent by processing.
    for (int index = 0; index < publisher_count; index++) {
        if (sd_bus_get_events(connections[index]) & 4) process(connections[index]);
    }
    poller_turn(milliseconds, serve);
}

long peer_stored(void) { return -1; }
