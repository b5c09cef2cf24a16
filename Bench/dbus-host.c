// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// Starts dbus-broker on a socket of its own.
//
// dbus-broker is told of its socket and its policy by a controller. dbus-broker-launch is one, for
// machines with systemd and its journal; this one needs neither and lets everything pass. It ends
// with the broker, and the broker with it.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <signal.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#define BATCH "bta(btbs)a(btssssuutt)a(btssssuutt)"
#define POLICY "(a(u(" BATCH "))a(buu(" BATCH "))a(ss)bs)"

static void check(int result, const char *call) {
    if (result >= 0) return;
    fprintf(stderr, "dbus-host: %s: %s\n", call, strerror(-result));
    exit(1);
}

static int listen_at(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) check(-36, path);
    strcpy(address.sun_path, path);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) < 0 ||
        listen(listener, SOMAXCONN) < 0) {
        perror(path);
        exit(1);
    }
    return listener;
}

static pid_t start_broker(const char *program, int controller) {
    pid_t broker = fork();
    if (broker != 0) return broker;
    char number[16];
    snprintf(number, sizeof number, "%d", controller);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // Limits so wide that they bind no load.
    execl(
        program, program, "--controller", number, "--machine-id",
        "0123456789abcdef0123456789abcdef", "--max-bytes", "4000000000", "--max-fds", "100000",
        "--max-matches", "1000000", "--max-objects", "1000000", (char *)NULL);
    perror(program);
    _exit(1);
}

/// Hands over the socket, with the policy that everybody may do everything.
static void add_listener(sd_bus *bus, int listener) {
    sd_bus_message *call = NULL;
    check(
        sd_bus_message_new_method_call(
            bus, &call, NULL, "/org/bus1/DBus/Broker", "org.bus1.DBus.Broker", "AddListener"),
        "new call");
    check(
        sd_bus_message_append(call, "oh", "/org/bus1/DBus/Listener/0", listener), "listener");
    const uint64_t priority = 1;
    check(
        sd_bus_message_append(
            call, "v", POLICY,
            // All users: may connect, own each name, send and receive everything.
            1, UINT32_MAX, 1, priority, 1, 1, priority, 1, "", 1, 1, priority, "", "", "", "", 0, 0,
            (uint64_t)0, UINT64_MAX, 1, 1, priority, "", "", "", "", 0, 0, (uint64_t)0, UINT64_MAX,
            // No groups, no SELinux, no AppArmor.
            0, 0, 0, "session"),
        "policy");
    check(sd_bus_call(bus, call, 0, NULL, NULL), "AddListener");
    sd_bus_message_unref(call);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fputs("usage: dbus-host PROGRAM SOCKET\n", stderr);
        return 64;
    }
    int ends[2];
    int listener = listen_at(argv[2]);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) return 1;
    pid_t broker = start_broker(argv[1], ends[1]);
    close(ends[1]);

    sd_bus *bus = NULL;
    check(sd_bus_new(&bus), "new");
    check(sd_bus_set_fd(bus, ends[0], ends[0]), "fd");
    check(sd_bus_start(bus), "start");
    add_listener(bus, listener);
    int status = 0;
    waitpid(broker, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
