// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// Sockets of TCP that no other machine reaches.

#include "CLinux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int32_t linux_listen_loopback(const char *host, uint16_t *port, int32_t backlog) {
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(*port)};
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(*port)};
    int is_six = strchr(host, ':') != NULL;
    int family = is_six ? AF_INET6 : AF_INET;
    void *target = is_six ? (void *)&six.sin6_addr : (void *)&four.sin_addr;
    if (inet_pton(family, host, target) != 1) return -EINVAL;

    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -errno;
    // The port is free again as soon as its last process has ended.
    int yes = 1;
    struct sockaddr *at = is_six ? (struct sockaddr *)&six : (struct sockaddr *)&four;
    socklen_t size = is_six ? sizeof six : sizeof four;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) < 0 || bind(fd, at, size) < 0 ||
        listen(fd, backlog) < 0 || getsockname(fd, at, &size) < 0) {
        int error = errno;
        close(fd);
        return -error;
    }
    *port = ntohs(is_six ? six.sin6_port : four.sin_port);
    return fd;
}
