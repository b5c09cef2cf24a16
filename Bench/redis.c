// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// Redis Streams: XADD in a pipeline, and XREAD that blocks.
//
// A subscriber asks for up to a thousand entries behind the last one it has; Redis answers when
// there is at least one. Both sides use hiredis without its blocking calls, so that one thread
// serves them all.

#include <errno.h>
#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "peer.h"

static redisContext **publishers;
static redisContext **subscribers;
static int publisher_count;
static int subscriber_count;
/// Publishers and subscribers that have commands to send.
static bool *has_commands;
static char (*last_ids)[48];

static redisContext *connect_to(const char *address, int token) {
    redisContext *context;
    // The server's queue for new connections is short.
    while ((context = redisConnectUnixNonBlock(address)) && context->err && errno == EAGAIN) {
        redisFree(context);
        usleep(1000);
    }
    if (!context || context->err) fail("Redis at %s does not answer", address);
    poller_watch(context->fd, token);
    return context;
}

/// Sends what a full socket takes; false when something is left.
static bool send_commands(redisContext *context) {
    int done = 0;
    if (redisBufferWrite(context, &done) != REDIS_OK) fail("Redis: %s", context->errstr);
    return done;
}

static void ask_for_more(int subscriber) {
    redisAppendCommand(
        subscribers[subscriber], "XREAD COUNT 1000 BLOCK 0 STREAMS log %s", last_ids[subscriber]);
    while (!send_commands(subscribers[subscriber])) continue;
}

void peer_prepare_history(const struct crowd *crowd) { (void)crowd; }

void peer_connect(const struct crowd *crowd) {
    publisher_count = crowd->publishers;
    subscriber_count = crowd->subscribers;
    publishers = calloc((size_t)publisher_count + 1, sizeof(void *));
    subscribers = calloc((size_t)subscriber_count + 1, sizeof(void *));
    has_commands = calloc((size_t)publisher_count + 1, sizeof *has_commands);
    last_ids = calloc((size_t)subscriber_count + 1, sizeof *last_ids);
    if (!publishers || !subscribers || !has_commands || !last_ids) fail("there is no memory");
    for (int index = 0; index < subscriber_count; index++) {
        subscribers[index] = connect_to(crowd->address, index);
        strcpy(last_ids[index], "0-0");
        ask_for_more(index);
    }
    for (int index = 0; index < publisher_count; index++) {
        publishers[index] = connect_to(crowd->address, subscriber_count + index);
    }
}

void peer_publish(int publisher, const char *line, size_t length, long number) {
    (void)number;
    const char *words[] = {"XADD", "log", "*", "line", line};
    const size_t lengths[] = {4, 3, 1, 4, length};
    redisAppendCommandArgv(publishers[publisher], 5, words, lengths);
    has_commands[publisher] = true;
}

static redisReply *next_reply(redisContext *context) {
    void *reply = NULL;
    if (redisGetReplyFromReader(context, &reply) != REDIS_OK) fail("Redis: %s", context->errstr);
    redisReply *answer = reply;
    if (answer && answer->type == REDIS_REPLY_ERROR) fail("Redis answers: %s", answer->str);
    return answer;
}

static void read_from(redisContext *context) {
    if (redisBufferRead(context) != REDIS_OK) fail("Redis: %s", context->errstr);
}

static void receive_entries(int subscriber) {
    redisContext *context = subscribers[subscriber];
    read_from(context);
    redisReply *reply = next_reply(context);
    if (!reply) return;
    // One stream is asked for: [[name, [[id, [field, line]], …]]].
    redisReply *entries = reply->element[0]->element[1];
    for (size_t index = 0; index < entries->elements; index++) {
        redisReply *entry = entries->element[index];
        redisReply *line = entry->element[1]->element[1];
        delivered(subscriber, line->str, (size_t)line->len);
        if (index + 1 == entries->elements) {
            snprintf(last_ids[subscriber], sizeof *last_ids, "%s", entry->element[0]->str);
        }
    }
    freeReplyObject(reply);
    ask_for_more(subscriber);
}

static void receive_ids(int publisher) {
    read_from(publishers[publisher]);
    for (redisReply *reply; (reply = next_reply(publishers[publisher]));) {
        if (reply->type != REDIS_REPLY_STRING) fail("Redis answers an XADD without an id");
        freeReplyObject(reply);
        acknowledged(publisher, 1);
    }
}

static void serve(int token) {
    if (token < subscriber_count) {
        receive_entries(token);
    } else {
        receive_ids(token - subscriber_count);
    }
}

void peer_turn(int milliseconds) {
    for (int index = 0; index < publisher_count; index++) {
        if (!has_commands[index]) continue;
        has_commands[index] = !send_commands(publishers[index]);
    }
    poller_turn(milliseconds, serve);
}

long peer_stored(void) {
    redisContext *context = publishers[0];
    redisAppendCommand(context, "XLEN log");
    while (!send_commands(context)) continue;
    redisReply *reply = NULL;
    while (!reply) {
        read_from(context);
        reply = next_reply(context);
    }
    return (long)reply->integer;
}
