// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// The least that a bus with a log has to do.
//
// Each line is parsed with simdjson, numbered, stamped, sealed with a checksum and written to a
// file; then the turn's answers and entries are sent. Nothing is decided, filtered, limited or
// synchronised, and a slow subscriber stops everybody. The entries look like the daemon's, so that
// the same load reads both.

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <memory>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <unordered_map>
#include <vector>

#include <simdjson.h>
#ifdef __SSE4_2__
#include <nmmintrin.h>
#endif

using namespace simdjson;

namespace {

[[noreturn]] void fail(const char *call) {
    std::fprintf(stderr, "sealing-relay: %s: %s\n", call, std::strerror(errno));
    std::exit(1);
}

/// CRC-32C, with the processor's instruction where there is one.
uint32_t checksum(std::string_view bytes) {
    uint32_t sum = ~0u;
    const char *at = bytes.data();
    size_t rest = bytes.size();
#ifdef __SSE4_2__
    uint64_t wide = sum;
    for (; rest >= 8; at += 8, rest -= 8) {
        uint64_t eight;
        std::memcpy(&eight, at, 8);
        wide = _mm_crc32_u64(wide, eight);
    }
    sum = static_cast<uint32_t>(wide);
#endif
    for (; rest > 0; at++, rest--) {
        sum ^= static_cast<uint8_t>(*at);
        for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? 0x82f63b78u : 0);
    }
    return ~sum;
}

void append_number(std::string &text, uint64_t number) {
    char digits[20];
    char *start = digits + sizeof digits;
    do *--start = static_cast<char>('0' + number % 10);
    while (number /= 10);
    text.append(start, digits + sizeof digits);
}

uint64_t microseconds(clockid_t clock) {
    timespec time;
    clock_gettime(clock, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000 +
           static_cast<uint64_t>(time.tv_nsec) / 1'000;
}

void send_all(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        // The next read reports a client that has gone.
        if (sent < 0) return;
        bytes.remove_prefix(static_cast<size_t>(sent));
    }
}

struct Client {
    explicit Client(int socket) : socket(socket) {}

    int socket;
    bool subscribes = false;
    /// The beginning of an unfinished line.
    std::string rest;
    /// The answers of this turn.
    std::string answers;
};

class Relay {
public:
    Relay(const char *path, const char *log);
    [[noreturn]] void serve();

private:
    void welcome();
    /// False when the client has gone.
    bool read_lines(Client &client);
    void take_line(Client &client, std::string_view line, size_t room);
    void record(std::string_view event);
    void send_history(Client &client, bool from_start);
    void end_turn();

    int listener;
    int poller;
    int log;
    ondemand::parser parser;
    uint64_t last = 0;
    uint64_t time = 0;
    uint64_t mono = 0;
    /// The entries of this turn.
    std::string entries;
    std::vector<char> input = std::vector<char>(256 * 1024 + SIMDJSON_PADDING);
    std::unordered_map<int, std::unique_ptr<Client>> clients;
};

Relay::Relay(const char *path, const char *log_path) {
    log = open(log_path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    if (log < 0) fail(log_path);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (std::strlen(path) >= sizeof address.sun_path) fail("the path is too long");
    std::strcpy(address.sun_path, path);
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, reinterpret_cast<sockaddr *>(&address), sizeof address) ||
        listen(listener, SOMAXCONN)) {
        fail(path);
    }
    poller = epoll_create1(EPOLL_CLOEXEC);
    epoll_event event{EPOLLIN, {.fd = listener}};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event)) fail("epoll_ctl");
}

void Relay::serve() {
    while (true) {
        epoll_event ready[256];
        int count = epoll_wait(poller, ready, 256, -1);
        if (count < 0 && errno != EINTR) fail("epoll_wait");
        time = microseconds(CLOCK_REALTIME);
        mono = microseconds(CLOCK_MONOTONIC);
        for (int index = 0; index < count; index++) {
            int socket = ready[index].data.fd;
            if (socket == listener) {
                welcome();
            } else if (!read_lines(*clients[socket])) {
                close(socket);
                clients.erase(socket);
            }
        }
        end_turn();
    }
}

void Relay::welcome() {
    int socket = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    epoll_event event{EPOLLIN, {.fd = socket}};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event)) fail("epoll_ctl");
    clients[socket] = std::make_unique<Client>(socket);
}

bool Relay::read_lines(Client &client) {
    size_t old = client.rest.size();
    size_t room = input.size() - SIMDJSON_PADDING;
    std::memcpy(input.data(), client.rest.data(), old);
    ssize_t count = recv(client.socket, input.data() + old, room - old, MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (count <= 0) return false;

    const char *start = input.data();
    const char *end = start + old + count;
    while (auto newline = static_cast<const char *>(std::memchr(start, '\n', end - start))) {
        std::string_view line(start, static_cast<size_t>(newline - start));
        take_line(client, line, static_cast<size_t>(input.data() + input.size() - start));
        start = newline + 1;
    }
    client.rest.assign(start, end);
    return client.rest.size() < room;
}

void Relay::take_line(Client &client, std::string_view line, size_t room) {
    ondemand::document request;
    std::string_view operation;
    if (parser.iterate(line.data(), line.size(), room).get(request) ||
        request["op"].get_string().get(operation)) {
        return send_all(client.socket, "{\"id\":1,\"error\":{\"code\":\"syntax\"}}\n");
    }
    if (operation == "subscribe") {
        std::string_view from;
        bool from_start = !request["from"].get_string().get(from) && from == "start";
        return send_history(client, from_start);
    }
    ondemand::object event;
    std::string_view type, text, raw;
    if (request["event"].get_object().get(event) || event["type"].get_string().get(type) ||
        event["text"].get_string().get(text) || event.reset().error() ||
        event.raw_json().get(raw)) {
        return send_all(client.socket, "{\"id\":1,\"error\":{\"code\":\"event\"}}\n");
    }
    record(raw);
    client.answers += "{\"id\":1,\"ok\":{\"seq\":";
    append_number(client.answers, last);
    client.answers += ",\"durability\":\"written\"}}\n";
}

void Relay::record(std::string_view event) {
    size_t start = entries.size();
    entries += "{\"seq\":";
    append_number(entries, ++last);
    entries += ",\"time\":";
    append_number(entries, time);
    entries += ",\"mono\":";
    append_number(entries, mono);
    entries += ",\"app\":\"uid:0\",\"uid\":0,\"conn\":1,\"event\":";
    entries += event;
    uint32_t sum = checksum(std::string_view(entries).substr(start));
    entries += ",\"crc\":\"";
    for (int shift = 28; shift >= 0; shift -= 4) entries += "0123456789abcdef"[sum >> shift & 15];
    entries += "\"}\n";
}

void Relay::send_history(Client &client, bool from_start) {
    // The turn so far belongs to the file, and to the subscribers that were there.
    end_turn();
    send_all(client.socket, "{\"id\":1,\"ok\":{\"cursor\":\"relay:0\"}}\n");
    if (from_start) {
        off_t offset = 0;
        while (sendfile(client.socket, log, &offset, 1 << 20) > 0) continue;
    }
    std::string mark = "{\"mark\":\"caught-up\",\"cursor\":\"relay:";
    append_number(mark, last);
    send_all(client.socket, mark + "\"}\n");
    client.subscribes = true;
}

void Relay::end_turn() {
    for (std::string_view rest = entries; !rest.empty();) {
        ssize_t written = write(log, rest.data(), rest.size());
        if (written < 0) fail("write");
        rest.remove_prefix(static_cast<size_t>(written));
    }
    for (auto &[socket, client] : clients) {
        if (client->subscribes && !entries.empty()) send_all(socket, entries);
        if (!client->answers.empty()) send_all(socket, client->answers);
        client->answers.clear();
    }
    entries.clear();
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 3) {
        std::fputs("usage: sealing-relay SOCKET LOG\n", stderr);
        return 64;
    }
    Relay relay(argv[1], argv[2]);
    // The daemon's own words, so that the same code waits for both.
    std::fprintf(stderr, "a11yd: ready %s\n", argv[1]);
    relay.serve();
}
