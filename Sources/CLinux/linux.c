// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#include "CLinux.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SAME_BIT(ours, epolls, polls) \
    _Static_assert((int)ours == (int)epolls && (int)ours == polls, #ours)

SAME_BIT(LINUX_READABLE, EPOLLIN, POLLIN);
SAME_BIT(LINUX_WRITABLE, EPOLLOUT, POLLOUT);
SAME_BIT(LINUX_ERROR, EPOLLERR, POLLERR);
SAME_BIT(LINUX_HANG_UP, EPOLLHUP, POLLHUP);
SAME_BIT(LINUX_PEER_CLOSED, EPOLLRDHUP, POLLRDHUP);

#define RESULT(call)                            \
    ({                                          \
        __typeof__(call) result_ = (call);      \
        result_ < 0 ? -errno : result_;         \
    })

#define REPEATED(call)                              \
    ({                                              \
        __typeof__(call) repeated_;                 \
        do                                          \
            repeated_ = (call);                     \
        while (repeated_ < 0 && errno == EINTR);    \
        repeated_ < 0 ? -errno : repeated_;         \
    })

const char *linux_errno_name(int32_t number) { return strerrorname_np(number); }

const char *linux_errno_text(int32_t number) { return strerrordesc_np(number); }

// Files.

int32_t linux_open(const char *path, int32_t flags, uint32_t mode) {
    return REPEATED(open(path, flags | O_CLOEXEC, mode));
}

int32_t linux_open_at(int32_t directory, const char *name, int32_t flags, uint32_t mode) {
    return REPEATED(openat(directory, name, flags | O_CLOEXEC, mode));
}

void linux_close(int32_t fd) {
    // Not repeated: Linux has freed the number even where close(2) reports EINTR.
    close(fd);
}

int64_t linux_read(int32_t fd, void *bytes, size_t length) {
    return REPEATED(read(fd, bytes, length));
}

int64_t linux_write(int32_t fd, const void *bytes, size_t length) {
    return REPEATED(write(fd, bytes, length));
}

int64_t linux_read_at(int32_t fd, void *bytes, size_t length, int64_t offset) {
    return REPEATED(pread(fd, bytes, length, offset));
}

int64_t linux_write_at(int32_t fd, const void *bytes, size_t length, int64_t offset) {
    return REPEATED(pwrite(fd, bytes, length, offset));
}

int64_t linux_size(int32_t fd) {
    struct stat found;
    return fstat(fd, &found) < 0 ? -errno : found.st_size;
}

int64_t linux_link_count(int32_t fd) {
    struct stat found;
    return fstat(fd, &found) < 0 ? -errno : (int64_t)found.st_nlink;
}

int32_t linux_truncate(int32_t fd, int64_t size) { return REPEATED(ftruncate(fd, size)); }

int32_t linux_sync(int32_t fd) { return REPEATED(fsync(fd)); }

int32_t linux_sync_data(int32_t fd) { return REPEATED(fdatasync(fd)); }

int32_t linux_map(int32_t fd, size_t length, void **bytes) {
    void *mapped = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED) return -errno;
    *bytes = mapped;
    return 0;
}

void linux_unmap(void *bytes, size_t length) { munmap(bytes, length); }

int64_t linux_send_file(int32_t socket, int32_t file, int64_t offset, size_t length) {
    off_t from = offset;
    return REPEATED(sendfile(socket, file, &from, length));
}

int32_t linux_lock(int32_t fd, int32_t waits) {
    return REPEATED(flock(fd, LOCK_EX | (waits ? 0 : LOCK_NB)));
}

int32_t linux_set_nonblocking(int32_t fd) {
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) return -errno;
    return RESULT(fcntl(fd, F_SETFD, FD_CLOEXEC));
}

int32_t linux_rename(const char *from, const char *to) { return RESULT(rename(from, to)); }

int32_t linux_unlink(const char *path) { return RESULT(unlink(path)); }

int32_t linux_make_directory(const char *path, uint32_t mode) { return RESULT(mkdir(path, mode)); }

static int32_t describe(int32_t at, const char *path, int flags, struct linux_status *status) {
    struct statx found;
    if (statx(at, path, flags, STATX_BASIC_STATS | STATX_BTIME, &found) < 0) return -errno;
    bool hasBirth = found.stx_mask & STATX_BTIME;
    *status = (struct linux_status){
        .device = makedev(found.stx_dev_major, found.stx_dev_minor),
        .inode = found.stx_ino,
        .mode = found.stx_mode & 07777,
        .owner = found.stx_uid,
        .is_file = S_ISREG(found.stx_mode),
        .is_directory = S_ISDIR(found.stx_mode),
        .is_socket = S_ISSOCK(found.stx_mode),
        .is_pipe = S_ISFIFO(found.stx_mode),
        .size = (int64_t)found.stx_size,
        .modified_microseconds =
            found.stx_mtime.tv_sec * 1000000 + found.stx_mtime.tv_nsec / 1000,
        .born_nanoseconds =
            hasBirth ? found.stx_btime.tv_sec * 1000000000 + found.stx_btime.tv_nsec : 0,
    };
    return 0;
}

int32_t linux_status_of(const char *path, struct linux_status *status) {
    return describe(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, status);
}

int32_t linux_status_of_descriptor(int32_t fd, struct linux_status *status) {
    return describe(fd, "", AT_EMPTY_PATH, status);
}

int32_t linux_list_open(const char *path, void **list) {
    *list = opendir(path);
    return *list ? 0 : -errno;
}

int32_t linux_list_next(void *list, const char **name) {
    for (;;) {
        // The end and a failure differ only in errno.
        errno = 0;
        struct dirent *entry = readdir(list);
        if (!entry) return -errno;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        *name = entry->d_name;
        return 1;
    }
}

void linux_list_close(void *list) { closedir(list); }

// Unix sockets.

static int address(const char *path, struct sockaddr_un *result) {
    size_t length = strlen(path);
    if (length == 0) return -ENOENT;
    // Without room for the final zero Linux would accept the address, and readers of it would not.
    if (length >= sizeof result->sun_path) return -ENAMETOOLONG;
    *result = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(result->sun_path, path, length);
    return 0;
}

/// Closes `fd` and hands on why, whatever close(2) makes of errno.
static int abandon(int fd, int why) {
    close(fd);
    return why;
}

static int connect_to(const char *path, int type) {
    struct sockaddr_un to;
    int result = address(path, &to);
    if (result < 0) return result;

    int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
    if (fd < 0) return -errno;
    result = REPEATED(connect(fd, (struct sockaddr *)&to, sizeof to));
    return result < 0 ? abandon(fd, result) : fd;
}

int32_t linux_connect(const char *path, int32_t nonblocking) {
    return connect_to(path, SOCK_STREAM | (nonblocking ? SOCK_NONBLOCK : 0));
}

int32_t linux_datagram(void) {
    return RESULT(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

int64_t linux_send_to(int32_t fd, const char *path, const void *bytes, size_t length) {
    struct sockaddr_un to;
    int result = address(path, &to);
    if (result < 0) return result;
    socklen_t size = sizeof to;
    if (path[0] == '@') {
        // Here every byte counts, those behind the name too.
        size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
        to.sun_path[0] = 0;
    }
    return REPEATED(sendto(fd, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL,
                           (struct sockaddr *)&to, size));
}

int32_t linux_listen(const char *path, uint32_t mode, int32_t backlog) {
    struct sockaddr_un at;
    int result = address(path, &at);
    if (result < 0) return result;

    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -errno;

    // bind(2) gives the file the mode of the socket, less the umask. With the mode set first the
    // file is at no instant open to more than `mode`; the chmod(2) afterwards only returns what the
    // umask took, and the process-wide umask stays as it is.
    if (fchmod(fd, mode) < 0) return abandon(fd, -errno);
    if (bind(fd, (struct sockaddr *)&at, sizeof at) < 0) return abandon(fd, -errno);
    if (chmod(path, mode) < 0 || listen(fd, backlog) < 0) {
        result = -errno;
        unlink(path);
        return abandon(fd, result);
    }
    return fd;
}

int32_t linux_socket_path(int32_t fd, char *path) {
    struct sockaddr_un at = {0};
    socklen_t length = sizeof at;
    if (getsockname(fd, (struct sockaddr *)&at, &length) < 0) return -errno;
    if (at.sun_family != AF_UNIX) return -EAFNOSUPPORT;
    memcpy(path, at.sun_path, sizeof at.sun_path);
    path[sizeof at.sun_path] = 0;
    return 0;
}

int32_t linux_accept(int32_t fd) {
    for (;;) {
        int accepted = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (accepted >= 0) return accepted;
        if (errno != EINTR && errno != ECONNABORTED) return -errno;
    }
}

int32_t linux_pair(int32_t fds[2]) {
    return RESULT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds));
}

int64_t linux_receive(int32_t fd, void *bytes, size_t length) {
    return REPEATED(recv(fd, bytes, length, MSG_DONTWAIT));
}

int64_t linux_send(int32_t fd, const void *bytes, size_t length) {
    return REPEATED(send(fd, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL));
}

int32_t linux_set_send_buffer(int32_t fd, int32_t bytes) {
    return RESULT(setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes));
}

int32_t linux_shutdown_sending(int32_t fd) { return RESULT(shutdown(fd, SHUT_WR)); }

int32_t linux_peer(int32_t fd, uint32_t *uid, int32_t *pid) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0) return -errno;
    *uid = peer.uid;
    *pid = peer.pid;
    return 0;
}

// Readiness.

int32_t linux_poll_create(void) { return RESULT(epoll_create1(EPOLL_CLOEXEC)); }

static int control(int poll, int operation, int fd, uint64_t token, uint32_t interest) {
    struct epoll_event event = {.events = interest, .data.u64 = token};
    return RESULT(epoll_ctl(poll, operation, fd, &event));
}

int32_t linux_poll_add(int32_t poll, int32_t fd, uint64_t token, uint32_t interest) {
    return control(poll, EPOLL_CTL_ADD, fd, token, interest);
}

int32_t linux_poll_change(int32_t poll, int32_t fd, uint64_t token, uint32_t interest) {
    return control(poll, EPOLL_CTL_MOD, fd, token, interest);
}

int32_t linux_poll_remove(int32_t poll, int32_t fd) {
    return control(poll, EPOLL_CTL_DEL, fd, 0, 0);
}

/// The rest of a wait that began with `timeout_ms`; negative waits have no end.
static int remaining(int timeout_ms, uint64_t began) {
    if (timeout_ms <= 0) return timeout_ms;
    uint64_t passed = (linux_monotonic_microseconds() - began) / 1000;
    return passed >= (uint64_t)timeout_ms ? 0 : timeout_ms - (int)passed;
}

int32_t linux_poll_wait(int32_t poll, struct linux_event *events, int32_t capacity,
                        int32_t timeout_ms) {
    struct epoll_event found[LINUX_EVENTS_MAX];
    int most = capacity < LINUX_EVENTS_MAX ? capacity : LINUX_EVENTS_MAX;
    uint64_t began = timeout_ms > 0 ? linux_monotonic_microseconds() : 0;
    int count;
    do
        count = epoll_wait(poll, found, most, remaining(timeout_ms, began));
    while (count < 0 && errno == EINTR);
    if (count < 0) return -errno;

    for (int i = 0; i < count; i++)
        events[i] = (struct linux_event){.token = found[i].data.u64, .ready = found[i].events};
    return count;
}

int32_t linux_wait_ready(int32_t fd, uint32_t interest, int32_t timeout_ms) {
    struct pollfd watched = {.fd = fd, .events = (short)interest};
    uint64_t began = timeout_ms > 0 ? linux_monotonic_microseconds() : 0;
    int count;
    do
        count = poll(&watched, 1, remaining(timeout_ms, began));
    while (count < 0 && errno == EINTR);
    if (count < 0) return -errno;
    if (watched.revents & POLLNVAL) return -EBADF;
    return count == 0 ? 0 : watched.revents;
}

// The process and the machine.

static int64_t microseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

uint64_t linux_boot_microseconds(void) { return (uint64_t)microseconds(CLOCK_BOOTTIME); }

uint64_t linux_monotonic_microseconds(void) { return (uint64_t)microseconds(CLOCK_MONOTONIC); }

int64_t linux_wall_microseconds(void) { return microseconds(CLOCK_REALTIME); }

int32_t linux_random(void *bytes, size_t length) {
    // Up to 256 bytes come whole once the pool is ready, which it is long before we start.
    return (int32_t)REPEATED(getrandom(bytes, length, 0));
}

const char *linux_configuration(void) { return A11Y_SYSCONFDIR "/a11yd"; }

const char *linux_environment(const char *name) { return getenv(name); }

uint32_t linux_effective_uid(void) { return geteuid(); }

int64_t linux_raise_open_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -errno;
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) < 0) return (int64_t)before;
    return (int64_t)limit.rlim_max;
}

void linux_limit_memory(uint64_t bytes) {
    const struct rlimit most = {bytes, bytes};
    setrlimit(RLIMIT_DATA, &most);
}

void linux_forbid_dumps(void) {
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    // A dump that goes through a pipe asks for no limit, but for this.
    prctl(PR_SET_DUMPABLE, 0);
}

int32_t linux_process_id(void) { return getpid(); }

int32_t linux_hang_up(int32_t process) { return kill(process, SIGHUP) == 0 ? 0 : -errno; }

int32_t linux_kill(int32_t process, int32_t number) {
    return kill(process, number) == 0 ? 0 : -errno;
}

int32_t linux_spawn(const struct linux_start *start) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    sigset_t none, all;
    pid_t process = 0;
    sigemptyset(&none);
    sigfillset(&all);
    int failure = posix_spawnattr_init(&attributes);
    if (failure != 0) return -failure;
    failure = posix_spawn_file_actions_init(&actions);
    if (failure == 0) {
        short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
        if (start->has_group) flags |= POSIX_SPAWN_SETPGROUP;
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setflags(&attributes, flags);
        for (int number = 0; number <= 2 && failure == 0; number++) {
            int32_t ours = start->streams[number];
            failure = ours < 0 ? posix_spawn_file_actions_addopen(&actions, number, "/dev/null",
                                                                  O_RDWR, 0)
                               : posix_spawn_file_actions_adddup2(&actions, ours, number);
        }
        if (failure == 0)
            failure = posix_spawnp(
                &process, start->words[0], &actions, &attributes, (char *const *)start->words,
                start->environment ? (char *const *)start->environment : environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawnattr_destroy(&attributes);
    return failure == 0 ? process : -failure;
}

int32_t linux_reap(int32_t process, int32_t *code, int32_t *signal) {
    pid_t ended;
    int status = 0;
    do ended = waitpid(process, &status, WNOHANG);
    while (ended < 0 && errno == EINTR);
    if (ended == process) {
        *signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        *code = *signal ? 128 + *signal : WEXITSTATUS(status);
    }
    return ended < 0 ? -errno : ended == process;
}

int32_t linux_signals(const int32_t *numbers, size_t count) {
    sigset_t awaited;
    sigemptyset(&awaited);
    for (size_t index = 0; index < count; index++) sigaddset(&awaited, numbers[index]);
    int failure = pthread_sigmask(SIG_BLOCK, &awaited, NULL);
    if (failure != 0) return -failure;
    int32_t result = signalfd(-1, &awaited, SFD_CLOEXEC | SFD_NONBLOCK);
    return result < 0 ? -errno : result;
}

int32_t linux_next_signal(int32_t fd) {
    struct signalfd_siginfo information;
    ssize_t length;
    do length = read(fd, &information, sizeof information);
    while (length < 0 && errno == EINTR);
    return length == sizeof information ? (int32_t)information.ssi_signo : 0;
}

int64_t linux_resolve(const char *path, void *resolved) {
    return realpath(path, resolved) == NULL ? -errno : (int64_t)strlen(resolved);
}

int64_t linux_read_link(const char *path, void *bytes, size_t length) {
    ssize_t result = readlink(path, bytes, length);
    return result < 0 ? -errno : result;
}

void linux_ignore_broken_pipe(void) { signal(SIGPIPE, SIG_IGN); }

void linux_ignore_stray_signals(void) {
    static const int strays[] = {SIGXFSZ,   SIGUSR1, SIGUSR2, SIGALRM,
                                 SIGVTALRM, SIGPROF, SIGIO,   SIGPWR};
    for (size_t index = 0; index < sizeof strays / sizeof *strays; index++)
        signal(strays[index], SIG_IGN);
}

void linux_hold_hang_up(void) {
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &held, NULL);
}

void linux_crash_at_once(void) {
    static const int crashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP};
    for (size_t index = 0; index < sizeof crashes / sizeof *crashes; index++)
        signal(crashes[index], SIG_DFL);
}
