// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#include <getopt.h>

#include "CLinux.h"

/// Flags that one command can have.
#define FLAGS_MAX 63

void linux_options_begin(void) {
    optind = 0;
    opterr = 0;
}

int32_t linux_next_option(
    int32_t argc, char **argv, const struct linux_flag *flags, size_t count, const char **value) {
    struct option options[FLAGS_MAX + 1] = {{0}};
    if (count > FLAGS_MAX) count = FLAGS_MAX;
    for (size_t index = 0; index < count; index++) {
        options[index].name = flags[index].name;
        options[index].has_arg = flags[index].needs_value ? required_argument : no_argument;
    }
    int index = -1;
    // The leading colon tells a missing value from an unknown option.
    int answer = getopt_long(argc, argv, ":", options, &index);
    *value = optarg;
    if (answer == -1) return LINUX_OPTIONS_END;
    if (answer == ':') return LINUX_OPTION_LACKS_VALUE;
    if (answer != 0) return LINUX_OPTION_UNKNOWN;
    return index;
}

int32_t linux_options_place(void) { return optind; }
