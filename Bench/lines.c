// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#include "lines.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "peer.h"

static struct line *lines;
static long count;

void lines_load(const char *path) {
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
        if ((count & (count - 1)) == 0) {
            size_t room = count ? 2 * (size_t)count : 1;
            lines = realloc(lines, room * sizeof *lines);
            if (!lines) fail("there is no memory for the lines");
        }
        lines[count++] = (struct line){start, (size_t)(newline - start)};
        start = newline + 1;
    }
}

struct line line_at(long number) { return lines[number % count]; }
