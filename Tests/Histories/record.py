# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Records what many clients at once ask of a daemon and are answered, while it is killed.

A history is a list of operations, one a line. Each has `op`, `client`, and the times of its `call`
and its `return` in nanoseconds of CLOCK_MONOTONIC; one that was never answered has no `return`.

  publish  `id` of an event, its `app`; answered by `seq` and `duplicate`
  read     the entries behind the seq `from` up to `end`, as `lines` [seq, what]: the id of an
           event, "=" and the checksum of an entry of the daemon's own, or null for a forgotten
           entry.
           `complete`: the daemon has said that there are no more
  ping     answered by `last`
  forget   the entries of an `app`
  stop     a daemon is ended, by `signal`
  start    a daemon was begun, and was ready with `epoch`

A refused operation has an `error`. Between two operations a client waits a random time.
"""

import json
import os
import random
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time

PATIENCE = 20  # Seconds for an answer and for a start.
PAUSE = 0.03  # Seconds between two operations of a client, on average.
ROOM = 65_536
# Small segments, so that ends of them are met, and forgetting has many files to write anew.
SETTINGS = '[log]\nsegment_bytes = "64 KiB"\n'

now = time.monotonic_ns


class Gone(Exception):
    """The daemon has closed the connection, or does not listen."""


def event(name):
    """The event of this id: what it is follows from the id, so that a changed text shows."""
    number = int(name.split(".")[1])
    text = name + ":" + " Item was added." * (number % 13)
    kinds = [{"type": "announcement", "text": text}, {"type": "page-scrolled", "text": text},
             {"type": "busy", "element": name + ":", "busy": True}]
    return kinds[number % 3]


def content(entry):
    """What stands at a seq: an id, a checksum of the daemon's own entry, or None."""
    found = entry["event"]
    if found["type"] == "forgotten":
        return None
    if entry["app"] == "a11yd":
        return "=" + entry["crc"]
    name = (found.get("text") or found.get("element") or "").split(":")[0]
    is_whole = re.fullmatch(r"\d+\.\d+", name) and found == event(name)
    return name if is_whole else json.dumps(found)


class Link:
    """A connection, as lines in both directions."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.rest = b""
        self.lines = []
        try:
            self.socket.connect(path)
        except OSError:
            self.close()
            raise Gone from None

    def send(self, *requests):
        try:
            self.socket.sendall("".join(json.dumps(one) + "\n" for one in requests).encode())
        except (BrokenPipeError, ConnectionResetError):
            raise Gone from None

    def receive(self):
        """The lines that have come with the next bytes."""
        try:
            data = self.socket.recv(ROOM)
        except ConnectionResetError:
            raise Gone from None
        if not data:
            raise Gone
        *lines, self.rest = (self.rest + data).split(b"\n")
        return [json.loads(line) for line in lines]

    def line(self):
        while not self.lines:
            self.lines = self.receive()
        line = self.lines.pop(0)
        if "bye" in line:
            raise Gone
        return line

    def close(self):
        self.socket.close()


class Daemon:
    def __init__(self, program, home, play):
        self.play = play
        self.path = os.path.join(home, "bus.sock")
        settings = os.path.join(home, "a11yd.toml")
        with open(settings, "w") as file:
            file.write(SETTINGS)
        state = os.path.join(home, "state")
        self.words = [program, "--socket", self.path, "--state", state, "--config", settings]
        self.environment = {**os.environ, "HOME": home, "XDG_CONFIG_HOME": home,
                            "XDG_RUNTIME_DIR": home}
        self.is_up = threading.Event()

    def spawn(self):
        self.process = subprocess.Popen(self.words, env=self.environment, text=True,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def start(self):
        call = now()
        self.spawn()
        said = []
        for line in self.process.stderr:
            if ready := re.match(r"a11yd: ready .* epoch=(\w+)", line):
                break
            said.append(line)
        else:
            raise RuntimeError("The daemon has not started.\n" + "".join(said))
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.epoch = ready[1]
        self.play.note("start", 0, call, now(), epoch=self.epoch)
        self.is_up.set()

    def stop(self, number):
        self.is_up.clear()
        call = now()
        self.process.send_signal(number)
        self.process.wait(PATIENCE)
        self.play.note("stop", 0, call, now(), signal=number.name)


class Client(threading.Thread):
    """Does one thing after another until all is over, and begins anew when the daemon goes."""

    def __init__(self, play, number):
        super().__init__()
        self.play = play
        self.number = number
        self.app = f"app-{number}"
        self.chance = random.Random(f"{play.seed} {number}")
        self.link = None

    def run(self):
        try:
            while not self.play.over.is_set():
                try:
                    self.act()
                except Gone:
                    if self.link:
                        self.link.close()
                    self.link = None
                    self.play.daemon.is_up.wait(PAUSE)
                self.play.over.wait(self.chance.expovariate(1 / PAUSE))
        except Exception as fault:
            self.play.faults.append(f"Client {self.number}: {fault!r}")
            self.play.over.set()

    def ask(self, *operations):
        """Sends requests at once, and notes the answers as they come."""
        if self.link is None:
            self.link = Link(self.play.daemon.path)
            self.link.send({"op": "hello", "app": self.app})
        call = now()
        noted = [self.play.note(request["op"], self.number, call, None, **known)
                 for request, known in operations]
        self.link.send(*({"id": 1, **request} for request, _ in operations))
        for operation in noted:
            answer = self.link.line()
            operation["return"] = now()
            if "ok" not in answer:
                operation["error"] = answer["err"]["code"] if "err" in answer else str(answer)
            for field in ("seq", "last", "count"):
                if field in answer.get("ok", {}):
                    operation[field] = answer["ok"][field]
            if operation["op"] == "publish":
                operation["duplicate"] = answer.get("ok", {}).get("duplicate", False)
            self.play.last = max(self.play.last, operation.get("seq", 0))
        return noted

    def read(self, start, *, is_slow=False, goes_on=False):
        """Reads the entries behind a seq, and returns that of the last one."""
        link = Link(self.play.daemon.path)
        try:
            return self.read_on(link, start, is_slow, goes_on)
        finally:
            link.close()

    def read_on(self, link, start, is_slow, goes_on):
        call = now()
        link.send({"id": 1, "op": "subscribe", "from": f"{self.play.daemon.epoch}:{start}"})
        while True:
            try:
                batch = link.receive()
            except Gone:
                if goes_on:
                    return start
                raise
            moment = now()
            lines, error, is_caught_up = [], None, False
            for line in batch:
                if "seq" in line:
                    lines.append([line["seq"], content(line)])
                elif line.get("mark") == "caught-up":
                    is_caught_up = True
                    end = int(line["cursor"].split(":")[1])
                    self.note_read(call, moment, start, lines, end, complete=True)
                    start, lines = end, []
                elif "ok" not in line and "bye" not in line:
                    error = json.dumps(line)
            if lines or error:
                end = lines[-1][0] if lines else start
                self.note_read(call, moment, start, lines, end, complete=False,
                               **({"error": error} if error else {}))
                start = end
            if is_caught_up and not goes_on or self.play.over.is_set() and goes_on:
                return start
            if is_slow:
                self.play.over.wait(self.chance.random() * PAUSE)

    def note_read(self, call, moment, start, lines, end, **more):
        self.play.note("read", self.number, call, moment, **{"from": start}, lines=lines, end=end,
                       **more)


class Publisher(Client):
    """Mostly publishes. One with keys repeats what was not answered; the others are forgotten."""

    def __init__(self, play, number):
        super().__init__(play, number)
        self.has_keys = number % 2 == 0
        self.count = 0
        self.unanswered = []

    def act(self):
        dice = self.chance.random()
        if self.unanswered or dice < 0.7:
            self.publish()
        elif dice < 0.82:
            self.ask(({"op": "ping"}, {}))
        else:
            # Mostly the newest entries; now and then many of them, slowly.
            is_long = dice > 0.995
            back = self.chance.randrange(self.play.last + 1 if is_long else 60)
            self.read(max(0, self.play.last - back), is_slow=is_long)

    def publish(self):
        names = self.unanswered
        if not names:
            first = self.count + 1
            self.count += self.chance.randint(1, 4)
            names = [f"{self.number}.{number}" for number in range(first, self.count + 1)]
        requests = []
        for name in names:
            ack = "synced" if self.chance.random() < 0.4 else "written"
            request = {"op": "publish", "ack": ack, "event": event(name)}
            if self.has_keys:
                request["dedupe"] = name
            requests.append((request, {"id": name, "app": self.app, "ack": ack}))
        if self.has_keys:
            self.unanswered = list(names)
        for operation in self.ask(*requests):
            if self.has_keys and "error" not in operation:
                self.unanswered.remove(operation["id"])


class Follower(Client):
    """Reads on, behind its last entry where the daemon was away."""

    seen = 0

    def act(self):
        self.seen = self.read(self.seen, is_slow=self.number % 2 == 0, goes_on=True)


class Forgetter(Client):
    """Has an app forgotten, and looks."""

    def act(self):
        app = self.chance.choice(self.play.forgettable)
        self.ask(({"op": "forget", "apps": [app]}, {"app": app}))
        self.read(max(0, self.play.last - self.chance.choice([200, 1_000, 1_000_000])))
        self.play.over.wait(self.chance.random())


class Play:
    """Clients and a daemon, for some seconds."""

    def __init__(self, program, seconds, seed, publishers):
        self.seed = seed
        self.seconds = seconds
        self.operations = []
        self.faults = []
        self.last = 0
        self.over = threading.Event()
        self.program = program
        self.clients = [Publisher(self, number + 1) for number in range(publishers)]
        self.forgettable = [one.app for one in self.clients if not one.has_keys]
        for kind in (Forgetter, Follower, Follower):
            self.clients.append(kind(self, len(self.clients) + 1))

    def note(self, op, client, call, back, **fields):
        operation = {"op": op, "client": client, "call": call, **fields}
        if back is not None:
            operation["return"] = back
        self.operations.append(operation)
        return operation

    def run(self):
        """Plays, and returns the history."""
        with tempfile.TemporaryDirectory(prefix="a11y-histories-") as home:
            self.daemon = Daemon(self.program, home, self)
            self.daemon.start()
            for client in self.clients:
                client.start()
            try:
                self.kill_again_and_again()
            finally:
                self.over.set()
                for client in self.clients[:-2]:
                    client.join()
                # The whole log, as it is now and as the next start finds it.
                if not self.faults:
                    self.look_back()
                self.daemon.stop(signal.SIGTERM)
                # These have waited for more entries.
                for client in self.clients[-2:]:
                    client.join()
        if self.faults:
            raise RuntimeError(" ".join(self.faults))
        return sorted(self.operations, key=lambda one: one["call"])

    def kill_again_and_again(self):
        chance = random.Random(self.seed)
        end = time.monotonic() + self.seconds
        while not self.over.wait(min(chance.uniform(0.1, 1.5), max(0, end - time.monotonic()))):
            if time.monotonic() >= end:
                return
            # One of four may take its leave, and one of eight does not live to see its log.
            self.daemon.stop(signal.SIGTERM if chance.random() < 0.25 else signal.SIGKILL)
            if chance.random() < 0.125:
                self.daemon.spawn()
                self.over.wait(chance.random() * 0.02)
                self.daemon.stop(signal.SIGKILL)
            self.daemon.start()

    def look_back(self):
        reader = Client(self, len(self.clients) + 1)
        reader.read(0)
        self.daemon.stop(signal.SIGTERM)
        self.daemon.start()
        reader.read(0)
