// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// The loads, and the conversation with a11y-bench.
//
// The program connects, sends a tenth ahead, and prints “ready”; a11y-bench looks at the server's
// processor time and answers with a line; the load runs; the program prints “done” and its figures,
// and waits for a second line, so that the server's memory can be looked at. Every line is compared
// with the published one, byte by byte and in its order: a load that lost something fails.

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "peer.h"

enum { PATIENCE_SECONDS = 30, NANOSECONDS = 1000000000 };

static struct crowd crowd = {.publishers = 1, .subscribers = 1, .window = 1000};
static long events;

/// The number of the next line of each subscriber.
static long *expected;
static long *outstanding;
static long published;
static long acknowledgements;
static long deliveries;

/// The moments of publishing and the ways of lines, where they are measured.
static long *moments;
static long *ways;

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * NANOSECONDS + time.tv_nsec;
}

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    // Without the destructors of libraries, whose threads may still work.
    _Exit(1);
}

enum { EVENTS_AT_ONCE = 256 };

static int epoll = -1;

void poller_watch(int descriptor, int token) {
    if (epoll < 0) epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = token};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) < 0) {
        fail("epoll_ctl: %s", strerror(errno));
    }
}

void poller_turn(int milliseconds, void (*serve)(int token)) {
    struct epoll_event events[EVENTS_AT_ONCE];
    int count = epoll_wait(epoll, events, EVENTS_AT_ONCE, milliseconds);
    if (count < 0 && errno != EINTR) fail("epoll_wait: %s", strerror(errno));
    for (int index = 0; index < count; index++) serve(events[index].data.fd);
}

// The announcement lines of a run, which come over and over.

struct line {
    const char *bytes;
    size_t length;
};

static struct line *lines;
static long line_count;

/// Reads the file of lines.
static void lines_load(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status) < 0 || status.st_size == 0) {
        fail("%s cannot be read", path);
    }
    size_t size = (size_t)status.st_size;
    const char *text = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (text == MAP_FAILED) fail("%s cannot be mapped", path);
    close(file);

    const char *end = text + size;
    for (const char *start = text; start < end;) {
        const char *newline = memchr(start, '\n', (size_t)(end - start));
        if (!newline) fail("%s does not end with a newline", path);
        // Room is doubled at each power of two.
        if ((line_count & (line_count - 1)) == 0) {
            size_t room = line_count ? 2 * (size_t)line_count : 1;
            lines = realloc(lines, room * sizeof *lines);
            if (!lines) fail("there is no memory for the lines");
        }
        lines[line_count++] = (struct line){start, (size_t)(newline - start)};
        start = newline + 1;
    }
}

/// The line with this number, without its newline.
static struct line line_at(long number) { return lines[number % line_count]; }

static bool is_filtered(int subscriber) {
    return subscriber >= crowd.subscribers - crowd.filtered;
}

void delivered(int subscriber, const void *bytes, size_t length) {
    long number = expected[subscriber];
    struct line line = line_at(number);
    if (length != line.length || memcmp(bytes, line.bytes, length) != 0) {
        fail(
            "subscriber %d expected line %ld and received %.*s", subscriber, number,
            (int)(length < 200 ? length : 200), (const char *)bytes);
    }
    if (ways) ways[number] = now() - moments[number];
    expected[subscriber] = number + (is_filtered(subscriber) ? 2 : 1);
    deliveries++;
}

void acknowledged(int publisher, long count) {
    outstanding[publisher] -= count;
    if (outstanding[publisher] < 0) fail("publisher %d was answered too often", publisher);
    acknowledgements += count;
}

static void publish_next(int publisher) {
    struct line line = line_at(published);
    outstanding[publisher]++;
    peer_publish(publisher, line.bytes, line.length, published);
    published++;
}

/// The deliveries of all subscribers when this many lines are published.
static long deliveries_of(long lines) {
    return lines * (crowd.subscribers - crowd.filtered) + lines / 2 * crowd.filtered;
}

/// Fails when nothing has moved for too long.
static void check_progress(void) {
    static long seen = -1;
    static long since;
    long moved = acknowledgements + deliveries;
    if (moved != seen) {
        seen = moved;
        since = now();
    } else if (now() - since > (long)PATIENCE_SECONDS * NANOSECONDS) {
        fail(
            "nothing moved any more: of %ld lines %ld are acknowledged, and of %ld deliveries %ld "
            "have come",
            published, acknowledgements, deliveries_of(published), deliveries);
    }
}

/// Publishes so many further lines, round about; all have arrived when it returns.
static void publish_all(long more) {
    long goal = published + more;
    int next = 0;
    while (published < goal || acknowledgements < goal || deliveries < deliveries_of(goal)) {
        for (int tried = 0; published < goal && tried < crowd.publishers; tried++) {
            while (published < goal && outstanding[next] < crowd.window) publish_next(next);
            next = (next + 1) % crowd.publishers;
        }
        peer_turn(100);
        check_progress();
    }
    if (deliveries != deliveries_of(goal)) {
        fail("%ld deliveries came in place of %ld", deliveries, deliveries_of(goal));
    }
}

/// Tells a11y-bench a line, and waits for its answer.
static void tell(const char *words) {
    char answer[16];
    if (puts(words) < 0 || fflush(stdout) != 0) exit(1);
    if (!fgets(answer, sizeof answer, stdin)) exit(1);
}

static void tell_done(long nanoseconds, long first, long second) {
    char words[96];
    snprintf(words, sizeof words, "done %ld %ld %ld", nanoseconds, first, second);
    tell(words);
}

// The loads.

/// Lines from the publishers to the subscribers, as many under way as the window lets.
static void load_stream(void) {
    peer_connect(&crowd);
    publish_all(events / 10 / 2 * 2);
    tell("ready");
    long before = deliveries;
    long start = now();
    publish_all(events);
    tell_done(now() - start, deliveries - before, 0);
}

static int compare(const void *one, const void *other) {
    long first = *(const long *)one;
    long second = *(const long *)other;
    return (first > second) - (first < second);
}

/// A thousand lines a second, by the clock; the reader polls without sleeping.
static void load_latency(void) {
    const long gap = NANOSECONDS / 1000;
    long ahead = events / 10;
    long all = events + ahead;
    moments = calloc((size_t)all, sizeof *moments);
    ways = calloc((size_t)all, sizeof *ways);
    if (!moments || !ways) fail("there is no memory for %ld moments", all);
    peer_connect(&crowd);
    tell("ready");
    long start = now();
    long next = start;
    while (deliveries < all || acknowledgements < all) {
        long moment = now();
        if (published < all && moment >= next) {
            moments[published] = moment;
            publish_next(0);
            next += gap;
        }
        if (deliveries == published && acknowledgements == published && published < all) {
            struct timespec until = {next / NANOSECONDS, next % NANOSECONDS};
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
            continue;
        }
        peer_turn(0);
        check_progress();
        // The scheduler may wake the server on the processor that is busy with this loop.
        sched_yield();
    }
    long elapsed = now() - start;
    qsort(ways + ahead, (size_t)events, sizeof *ways, compare);
    tell_done(elapsed, ways[ahead + events / 2], ways[ahead + events * 99 / 100]);
}

/// Lines that are only stored.
static void load_fill(void) {
    crowd.subscribers = 0;
    peer_prepare_history(&crowd);
    peer_connect(&crowd);
    tell("ready");
    long start = now();
    publish_all(events);
    tell_done(now() - start, events, 0);
}

/// Stored lines, read from the first to the last.
static void load_replay(void) {
    crowd.publishers = 0;
    crowd.from_start = true;
    tell("ready");
    long start = now();
    peer_connect(&crowd);
    while (deliveries < events) {
        peer_turn(100);
        check_progress();
    }
    tell_done(now() - start, deliveries, 0);
}

/// Subscribers that wait.
static void load_idle(void) {
    crowd.publishers = 0;
    tell("ready");
    long start = now();
    if (crowd.subscribers > 0) peer_connect(&crowd);
    tell_done(now() - start, 0, 0);
}

/// The number of stored lines.
static void load_count(void) {
    crowd.subscribers = 0;
    peer_connect(&crowd);
    tell("ready");
    tell_done(0, peer_stored(), 0);
}

static const struct {
    const char *name;
    void (*work)(void);
} loads[] = {
    {"stream", load_stream}, {"latency", load_latency}, {"fill", load_fill},
    {"replay", load_replay}, {"idle", load_idle},       {"count", load_count},
};

static void read_options(int argc, char **argv) {
    static const struct option options[] = {
        {"at", required_argument, NULL, 'a'},          {"lines", required_argument, NULL, 'l'},
        {"events", required_argument, NULL, 'e'},      {"publishers", required_argument, NULL, 'p'},
        {"subscribers", required_argument, NULL, 's'}, {"filtered", required_argument, NULL, 'f'},
        {"window", required_argument, NULL, 'w'},      {0},
    };
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case 'a': crowd.address = optarg; break;
        case 'l': lines_load(optarg); break;
        case 'e': events = atol(optarg); break;
        case 'p': crowd.publishers = atoi(optarg); break;
        case 's': crowd.subscribers = atoi(optarg); break;
        case 'f': crowd.filtered = atoi(optarg); break;
        case 'w': crowd.window = atoi(optarg); break;
        default: fail("usage: LOAD --at ADDRESS --lines FILE --events N …, as a11y-bench does");
        }
    }
    if (!crowd.address || optind != argc - 1) fail("a load and its address are missing");
}

int main(int argc, char **argv) {
    read_options(argc, argv);
    expected = calloc((size_t)crowd.subscribers + 1, sizeof *expected);
    outstanding = calloc((size_t)crowd.publishers + 1, sizeof *outstanding);
    if (!expected || !outstanding) fail("there is no memory for the connections");
    for (int index = 0; index < crowd.subscribers; index++) expected[index] = is_filtered(index);
    for (size_t index = 0; index < sizeof loads / sizeof *loads; index++) {
        if (strcmp(argv[optind], loads[index].name) != 0) continue;
        loads[index].work();
        // Libraries with threads of their own take their time to end.
        _Exit(0);
    }
    fail("there is no load called %s", argv[optind]);
}
