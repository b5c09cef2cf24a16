// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#include <getopt.h>
#include <pthread.h>

#include "CLinux.h"

/// Flags that one command can have.
#define FLAGS_MAX 63

// getopt keeps its place in variables of the process.
static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

void linux_options_begin(void) {
    pthread_mutex_lock(&reading);
    optind = 0;
    opterr = 0;
}

void linux_options_finish(void) { pthread_mutex_unlock(&reading); }

int32_t linux_next_option(
    int32_t argc, char **argv, const struct linux_flag *flags, size_t count, const char **value) {
    struct option options[FLAGS_MAX + 1] = {{0}};
    // The leading colon tells a missing value from an unknown option.
    char letters[2 * FLAGS_MAX + 2] = ":";
    size_t end = 1;
    if (count > FLAGS_MAX) count = FLAGS_MAX;
    for (size_t index = 0; index < count; index++) {
        options[index].name = flags[index].name;
        options[index].has_arg = flags[index].needs_value ? required_argument : no_argument;
        if (flags[index].letter == 0) continue;
        letters[end++] = (char)flags[index].letter;
        if (flags[index].needs_value) letters[end++] = ':';
    }
    int index = -1;
    int answer = getopt_long(argc, argv, letters, options, &index);
    *value = optarg;
    if (answer == -1) return LINUX_OPTIONS_END;
    if (answer == ':') return LINUX_OPTION_LACKS_VALUE;
    if (answer == 0) return index;
    for (size_t place = 0; place < count; place++)
        if (answer == flags[place].letter) return (int32_t)place;
    return LINUX_OPTION_UNKNOWN;
}

int32_t linux_options_place(void) { return optind; }
