// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The system calls that the daemon and its clients use, with one convention for all of them:
/// a result of zero or more is success, a negative one is the errno with its sign turned.
///
/// Reporting the error in the result spares Swift the reading of `errno` after other code may have
/// run. Calls that a signal interrupts are repeated here, so that no caller has to think of it;
/// where a call waits, the time that has passed is subtracted.

#ifndef A11Y_LINUX_H
#define A11Y_LINUX_H

#include <stddef.h>
#include <stdint.h>

/// The symbol ("ENOSPC") and the sentence of an errno, or NULL where there is none.
const char *_Nullable linux_errno_name(int32_t number);
const char *_Nullable linux_errno_text(int32_t number);

// Files.

int32_t linux_open(const char *_Nonnull path, int32_t flags, uint32_t mode);
int32_t linux_open_at(int32_t directory, const char *_Nonnull name, int32_t flags, uint32_t mode);
void linux_close(int32_t fd);
int64_t linux_read(int32_t fd, void *_Nullable bytes, size_t length);
int64_t linux_write(int32_t fd, const void *_Nullable bytes, size_t length);
int64_t linux_read_at(int32_t fd, void *_Nullable bytes, size_t length, int64_t offset);
int64_t linux_write_at(int32_t fd, const void *_Nullable bytes, size_t length, int64_t offset);
int64_t linux_size(int32_t fd);
int64_t linux_link_count(int32_t fd);
int32_t linux_truncate(int32_t fd, int64_t size);
int32_t linux_sync(int32_t fd);
int32_t linux_sync_data(int32_t fd);

/// Maps the first bytes of a file, to be read and written in memory.
int32_t linux_map(int32_t fd, size_t length, void *_Nullable *_Nonnull bytes);
void linux_unmap(void *_Nonnull bytes, size_t length);

int64_t linux_send_file(int32_t socket, int32_t file, int64_t offset, size_t length);
int32_t linux_lock(int32_t fd, int32_t waits);
int32_t linux_set_nonblocking(int32_t fd);
int32_t linux_rename(const char *_Nonnull from, const char *_Nonnull to);
int32_t linux_unlink(const char *_Nonnull path);
int32_t linux_make_directory(const char *_Nonnull path, uint32_t mode);

/// The path without symbolic links and without a zero at its end; `resolved` has room for 4,096
/// bytes, and the length is returned.
int64_t linux_resolve(const char *_Nonnull path, void *_Nonnull resolved);

/// The kind and the place of an entry of the file system, without following a last symbolic link.
struct linux_status {
    uint64_t device;
    uint64_t inode;
    uint32_t mode;
    uint32_t owner;
    int32_t is_file;
    int32_t is_directory;
    int32_t is_socket;
    int32_t is_pipe;
    int64_t size;
    int64_t modified_microseconds;
    /// 0 where the file system does not tell it.
    int64_t born_nanoseconds;
};
int32_t linux_status_of(const char *_Nonnull path, struct linux_status *_Nonnull status);
int32_t linux_status_of_descriptor(int32_t fd, struct linux_status *_Nonnull status);

/// A directory stream: 1 with a name, 0 at the end.
int32_t linux_list_open(const char *_Nonnull path, void *_Nullable *_Nonnull list);
int32_t linux_list_next(void *_Nonnull list, const char *_Nullable *_Nonnull name);
void linux_list_close(void *_Nonnull list);

// Unix sockets.

int32_t linux_connect(const char *_Nonnull path, int32_t nonblocking);

/// A datagram socket without an address of its own, and one datagram to a service: at once or not
/// at all. A path that begins with "@" is in the abstract name space.
int32_t linux_datagram(void);
int64_t linux_send_to(int32_t fd, const char *_Nonnull path, const void *_Nullable bytes,
                      size_t length);

int32_t linux_listen(const char *_Nonnull path, uint32_t mode, int32_t backlog);
int32_t linux_accept(int32_t fd);

/// Listens at a numeric address of the loopback, of IPv6 where it has a colon. For port 0 the
/// kernel chooses one, and `port` is that one then.
int32_t linux_listen_loopback(const char *_Nonnull host, uint16_t *_Nonnull port, int32_t backlog);

/// The path that a Unix socket is bound to; `path` has room for 108 bytes and a zero.
int32_t linux_socket_path(int32_t fd, char *_Nonnull path);
int32_t linux_pair(int32_t fds[_Nonnull 2]);
int64_t linux_receive(int32_t fd, void *_Nullable bytes, size_t length);
int64_t linux_send(int32_t fd, const void *_Nullable bytes, size_t length);
int32_t linux_set_send_buffer(int32_t fd, int32_t bytes);
int32_t linux_shutdown_sending(int32_t fd);
int32_t linux_peer(int32_t fd, uint32_t *_Nonnull uid, int32_t *_Nonnull pid);

// Readiness. The bits are those of poll(2) and epoll(7), which Linux keeps equal.

enum linux_ready {
    LINUX_READABLE = 0x001,
    LINUX_WRITABLE = 0x004,
    LINUX_ERROR = 0x008,
    LINUX_HANG_UP = 0x010,
    LINUX_PEER_CLOSED = 0x2000,
};

struct linux_event {
    uint64_t token;
    uint32_t ready;
};

/// The most events that one wait can report: they pass through an array on the stack.
enum { LINUX_EVENTS_MAX = 256 };

int32_t linux_poll_create(void);
int32_t linux_poll_add(int32_t poll, int32_t fd, uint64_t token, uint32_t interest);
int32_t linux_poll_change(int32_t poll, int32_t fd, uint64_t token, uint32_t interest);
int32_t linux_poll_remove(int32_t poll, int32_t fd);
int32_t linux_poll_wait(int32_t poll, struct linux_event *_Nonnull events, int32_t capacity,
                        int32_t timeout_ms);
int32_t linux_wait_ready(int32_t fd, uint32_t interest, int32_t timeout_ms);

// The process and the machine.

uint64_t linux_boot_microseconds(void);
uint64_t linux_monotonic_microseconds(void);
int64_t linux_wall_microseconds(void);
int32_t linux_random(void *_Nonnull bytes, size_t length);
/// The directory of the machine's configuration, by which this was built.
const char *_Nonnull linux_configuration(void);
const char *_Nullable linux_environment(const char *_Nonnull name);
uint32_t linux_effective_uid(void);
int64_t linux_raise_open_files(void);
int32_t linux_process_id(void);
/// Sends SIGHUP.
int32_t linux_hang_up(int32_t process);
/// Sends any signal; a negative number names a process group.
int32_t linux_kill(int32_t process, int32_t signal);
/// How a program is started.
struct linux_start {
    /// The program, looked up like in a shell, and its arguments; ends with NULL.
    const char *_Nullable const *_Nonnull words;
    /// The environment, which ends with NULL; ours where it is NULL.
    const char *_Nullable const *_Nullable environment;
    /// Descriptors of ours that become its first three; nothing to read or to write to where
    /// negative.
    int32_t streams[3];
    /// Whether it gets a process group of its own.
    int32_t has_group;
};
/// Starts a program with no signal blocked or ignored.
int32_t linux_spawn(const struct linux_start *_Nonnull start);
/// 1 where a child has ended, and is taken note of; 0 while it runs. `signal` becomes the number of
/// the signal that has ended it, or 0, and `code` its exit code, or 128 and that number.
int32_t linux_reap(int32_t process, int32_t *_Nonnull code, int32_t *_Nonnull signal);
/// A descriptor that is readable when one of these signals has come, which from now on do nothing
/// else.
int32_t linux_signals(const int32_t *_Nonnull numbers, size_t count);
/// The next signal that has come at such a descriptor; 0 where there is none.
int32_t linux_next_signal(int32_t fd);
/// The target of a symbolic link, without a zero at its end; its length is returned.
int64_t linux_read_link(const char *_Nonnull path, void *_Nonnull bytes, size_t length);
void linux_ignore_broken_pipe(void);
void linux_ignore_stray_signals(void);
/// Keeps SIGHUP until somebody watches for it.
void linux_hold_hang_up(void);
void linux_crash_at_once(void);

/// Keeps the memory of this process out of core dumps, whoever has started it.
void linux_forbid_dumps(void);

/// Refuses this process more memory of its own than so many bytes.
void linux_limit_memory(uint64_t bytes);

/// Gives memory that was freed back to the machine.
void linux_give_back(void);

/// Unmaps the code of the program and its libraries; what is used again is mapped again.
///
/// Starting goes through most of a program once: relocations, symbols, initialisers. None of it is
/// needed again, yet all of it would count as ours for as long as the process lives.
void linux_forget_start(void);

// The command line, through getopt_long, whose state is not for Swift to touch.

struct linux_flag {
    const char *_Nonnull name;
    int32_t needs_value;
    /// The letter behind a single hyphen that means the same; 0 for none.
    int32_t letter;
};

/// Begins anew at `argv[1]`; other threads wait here until this command line is finished.
void linux_options_begin(void);
void linux_options_finish(void);

enum {
    LINUX_OPTIONS_END = -1,
    LINUX_OPTION_UNKNOWN = -2,
    LINUX_OPTION_LACKS_VALUE = -3,
};

/// The index of the next flag on the command line, or one of the above.
int32_t linux_next_option(
    int32_t argc, char *_Nullable *_Nonnull argv, const struct linux_flag *_Nonnull flags,
    size_t count, const char *_Nullable *_Nonnull value);

/// Where in `argv` the words begin that are no options, once the end is reached; before that, where
/// the next option stands.
int32_t linux_options_place(void);

#endif
