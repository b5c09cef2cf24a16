// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "bus.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void require(int is_true, const char *expression, const char *file, int line) {
  if (is_true) return;
  fprintf(stderr, "%s:%d: not so: %s\n", file, line, expression);
  exit(EXIT_FAILURE);
}

static void make_directory(struct bus *bus) {
  strcpy(bus->directory, "/tmp/a11y-c-XXXXXX");
  REQUIRE(mkdtemp(bus->directory) != NULL);
  snprintf(bus->path, sizeof bus->path, "%s/bus.sock", bus->directory);
  bus->daemon = 0;
}

void bus_make(struct bus *bus) {
  make_directory(bus);
  char config[64];
  snprintf(config, sizeof config, "%s/a11yd.toml", bus->directory);
  int file = open(config, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  REQUIRE(file >= 0);
  close(file);
  bus_start(bus);
}

void bus_start(struct bus *bus) {
  const char *program = getenv("A11YD_PROGRAM");
  REQUIRE(program != NULL);
  char state[64], config[64];
  snprintf(state, sizeof state, "%s/state", bus->directory);
  snprintf(config, sizeof config, "%s/a11yd.toml", bus->directory);
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  bus->daemon = fork();
  REQUIRE(bus->daemon >= 0);
  if (bus->daemon == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(ends[1], STDERR_FILENO);
    execl(program, program, "--socket", bus->path, "--state", state, "--config", config,
          (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  char said[4096];
  size_t count = 0;
  while (count == 0 || memmem(said, count, "ready", 5) == NULL) {
    struct pollfd ready = {.fd = ends[0], .events = POLLIN};
    REQUIRE(count < sizeof said && poll(&ready, 1, patience_ms) == 1);
    ssize_t more = read(ends[0], said + count, sizeof said - count);
    REQUIRE(more > 0);
    count += (size_t)more;
  }
  /* What the daemon says from now on is for nobody, and must not stop it. */
  close(ends[0]);
}

void bus_kill(struct bus *bus) {
  if (bus->daemon == 0) return;
  kill(bus->daemon, SIGKILL);
  waitpid(bus->daemon, NULL, 0);
  bus->daemon = 0;
}

static void remove_below(const char *directory) {
  DIR *listing = opendir(directory);
  if (listing == NULL) return;
  for (struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing)) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
    if (unlink(path) != 0) remove_below(path);
  }
  closedir(listing);
  rmdir(directory);
}

void bus_remove(struct bus *bus) {
  bus_kill(bus);
  remove_below(bus->directory);
}

char *bus_log(const struct bus *bus) {
  char state[64];
  snprintf(state, sizeof state, "%s/state", bus->directory);
  struct dirent **names;
  int count = scandir(state, &names, NULL, alphasort);
  REQUIRE(count >= 0);
  char *text = calloc(1, 1);
  size_t length = 0;
  for (int i = 0; i < count; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", state, names[i]->d_name);
    if (strstr(names[i]->d_name, ".ndjson") != NULL) {
      struct stat status;
      int file = open(path, O_RDONLY | O_CLOEXEC);
      REQUIRE(file >= 0 && fstat(file, &status) == 0);
      text = realloc(text, length + (size_t)status.st_size + 1);
      REQUIRE(text != NULL);
      ssize_t more = read(file, text + length, (size_t)status.st_size);
      REQUIRE(more >= 0);
      length += (size_t)more;
      text[length] = 0;
      close(file);
    }
    free(names[i]);
  }
  free(names);
  return text;
}

int stage_make(struct bus *bus) {
  make_directory(bus);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy(address.sun_path, bus->path);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  REQUIRE(listener >= 0);
  REQUIRE(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
  REQUIRE(listen(listener, 8) == 0);
  return listener;
}

int stage_accept(int listener, const char *words) {
  int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  REQUIRE(client >= 0);
  stage_hear(client, words);
  return client;
}

void stage_hear(int client, const char *words) {
  char line[70000];
  size_t count = 0;
  do {
    struct pollfd ready = {.fd = client, .events = POLLIN};
    REQUIRE(count < sizeof line - 1 && poll(&ready, 1, patience_ms) == 1);
    REQUIRE(read(client, line + count, 1) == 1);
  } while (line[count++] != '\n');
  line[count] = 0;
  if (strstr(line, words) == NULL) fprintf(stderr, "%s was expected; %s came.\n", words, line);
  REQUIRE(strstr(line, words) != NULL);
}

void stage_say(int client, const char *text) {
  size_t count = strlen(text);
  while (count > 0) {
    ssize_t sent = send(client, text, count, MSG_NOSIGNAL);
    REQUIRE(sent > 0);
    text += sent;
    count -= (size_t)sent;
  }
}

/* Words for tests. */

a11y *opened(const struct bus *bus) {
  a11y *handle = a11y_open(bus->path, "org.example.Test");
  if (handle == NULL) fprintf(stderr, "%s\n", a11y_last_error(NULL));
  REQUIRE(handle != NULL);
  return handle;
}

long long number(const char *line, const char *name) {
  const char *at = strstr(line, name);
  REQUIRE(at != NULL);
  return atoll(at + strlen(name));
}

bool has_error(a11y *bus, const char *words) {
  const char *error = a11y_last_error(bus);
  if (strstr(error, words) != NULL) return true;
  fprintf(stderr, "%s was expected in: %s\n", words, error);
  return false;
}

/* The next entry, which must come. */
const char *next(a11y *bus) {
  const char *line = a11y_next(bus, patience_ms);
  if (line == NULL) fprintf(stderr, "no entry: %s\n", a11y_last_error(bus));
  REQUIRE(line != NULL);
  return line;
}

double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
