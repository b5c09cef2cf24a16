// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// NATS JetStream: js_PublishAsync into a stream on disk, and ordered push consumers.
//
// The library reads each connection in a thread of its own and calls back; the calls take turns
// with the load's thread, which holds the lock unless it waits in peer_turn. Lines with an odd
// number have a subject of their own, so that subscribers can leave out the others.

#include <nats/nats.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "peer.h"

static jsCtx **publishers;
static jsCtx *manager;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static bool has_moved;

static void check(natsStatus status, const char *call) {
    if (status != NATS_OK) fail("NATS: %s: %s", call, natsStatus_GetText(status));
}

static int index_of(void *closure) { return (int)(intptr_t)closure; }

static void announce_progress(void) {
    has_moved = true;
    pthread_cond_signal(&moved);
}

static void on_acknowledgement(
    jsCtx *js, natsMsg *message, jsPubAck *answer, jsPubAckErr *error, void *closure) {
    (void)js;
    (void)answer;
    if (error) fail("NATS refuses a line: %s", error->ErrText ? error->ErrText : "it is late");
    pthread_mutex_lock(&turn);
    acknowledged(index_of(closure), 1);
    announce_progress();
    pthread_mutex_unlock(&turn);
    natsMsg_Destroy(message);
}

static void on_message(
    natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure) {
    (void)connection;
    (void)subscription;
    pthread_mutex_lock(&turn);
    delivered(
        index_of(closure), natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message));
    announce_progress();
    pthread_mutex_unlock(&turn);
    natsMsg_Destroy(message);
}

static natsConnection *connect_to(const struct crowd *crowd) {
    natsOptions *options = NULL;
    natsConnection *connection = NULL;
    check(natsOptions_Create(&options), "options");
    check(natsOptions_SetURL(options, crowd->address), "URL");
    // Many lines are sent together; a lone one is not kept for others.
    check(natsOptions_SetSendAsap(options, crowd->window == 1), "sending");
    // One thread hands over the messages of all connections.
    check(natsOptions_UseGlobalMessageDelivery(options, true), "global delivery");
    check(natsOptions_SetMaxPendingMsgs(options, 10000000), "pending messages");
    check(natsConnection_Connect(&connection, options), "connect");
    natsOptions_Destroy(options);
    return connection;
}

static void add_stream(void) {
    jsStreamConfig config;
    const char *subjects[] = {"bus.*"};
    check(jsStreamConfig_Init(&config), "stream");
    config.Name = "BUS";
    config.Subjects = subjects;
    config.SubjectsLen = 1;
    config.Storage = js_FileStorage;
    // The same stream may be added again.
    check(js_AddStream(NULL, manager, &config, NULL, NULL), "adding a stream");
}

static void add_publisher(const struct crowd *crowd, int index) {
    jsOptions options;
    check(jsOptions_Init(&options), "publisher");
    // The load has its own window; the library's must not stall it.
    options.PublishAsync.MaxPending = 2 * crowd->window + 1000;
    options.PublishAsync.AckHandler = on_acknowledgement;
    options.PublishAsync.AckHandlerClosure = (void *)(intptr_t)index;
    check(
        natsConnection_JetStream(&publishers[index], connect_to(crowd), &options),
        "publisher");
}

static void add_subscriber(const struct crowd *crowd, int index) {
    jsCtx *context = NULL;
    jsSubOptions options;
    natsSubscription *subscription = NULL;
    check(natsConnection_JetStream(&context, connect_to(crowd), NULL), "subscriber");
    check(jsSubOptions_Init(&options), "subscriber");
    options.Stream = "BUS";
    options.Ordered = true;
    options.Config.DeliverPolicy = crowd->from_start ? js_DeliverAll : js_DeliverNew;
    bool is_filtered = index >= crowd->subscribers - crowd->filtered;
    check(
        js_Subscribe(
            &subscription, context, is_filtered ? "bus.odd" : "bus.*", on_message,
            (void *)(intptr_t)index, NULL, &options, NULL),
        "subscribe");
    check(natsSubscription_SetPendingLimits(subscription, -1, -1), "pending limits");
}

void peer_prepare_history(const struct crowd *crowd) { (void)crowd; }

void peer_connect(const struct crowd *crowd) {
    check(nats_Open(-1), "open");
    check(nats_SetMessageDeliveryPoolSize(1), "delivery pool");
    check(natsConnection_JetStream(&manager, connect_to(crowd), NULL), "JetStream");
    add_stream();
    publishers = calloc((size_t)crowd->publishers + 1, sizeof(void *));
    if (!publishers) fail("there is no memory");
    for (int index = 0; index < crowd->subscribers; index++) add_subscriber(crowd, index);
    for (int index = 0; index < crowd->publishers; index++) add_publisher(crowd, index);
    pthread_mutex_lock(&turn);
}

void peer_publish(int publisher, const char *line, size_t length, long number) {
    const char *subject = number % 2 ? "bus.odd" : "bus.even";
    check(js_PublishAsync(publishers[publisher], subject, line, (int)length, NULL), "publishing");
}

/// Lets the library's threads have their turn; even without a wait they need a moment for it.
void peer_turn(int milliseconds) {
    const long second = 1000000000;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    long wait = milliseconds > 0 ? milliseconds * 1000000L : 100000;
    until.tv_sec += (until.tv_nsec + wait) / second;
    until.tv_nsec = (until.tv_nsec + wait) % second;
    while (!has_moved) {
        if (pthread_cond_timedwait(&moved, &turn, &until) != 0) break;
    }
    has_moved = false;
}

long peer_stored(void) {
    jsStreamInfo *info = NULL;
    check(js_GetStreamInfo(&info, manager, "BUS", NULL, NULL), "info");
    long count = (long)info->State.Msgs;
    jsStreamInfo_Destroy(info);
    return count;
}
