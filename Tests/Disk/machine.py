# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""A machine with a disk that fails, and the real daemon on it.

The machine has a mount namespace of its own, so that nothing of it is left when the driver ends.
Each time the power comes back it has another boot id, as the daemon reads it from the kernel, and
an empty runtime directory.
"""

import contextlib
import json
import os
import pathlib
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
import uuid

PATIENCE = 30  # Seconds for anything that is awaited.
# Where the daemon learns of which boot it is.
BOOT = "/proc/sys/kernel/random/boot_id"
# So small that segments, states and retention come up in each life.
RETAINED = 8 << 20
SETTINGS = f"""[limits]
log_bytes_per_uid = 0
[log]
segment_bytes = "64 KiB"
retain_bytes = {RETAINED}
"""


class Fault(Exception):
    """What the contract does not allow."""


class Client:
    """A connection to the bus, line by line."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(str(path))
        self.lines = self.socket.makefile("rb")

    def send(self, request):
        self.socket.sendall(json.dumps(request).encode() + b"\n")

    def ask(self, op, **fields):
        self.send({"id": op, "op": op, **fields})
        while line := self.lines.readline():
            answer = json.loads(line)
            if answer.get("id") == op:
                return answer
        raise ConnectionError("the bus has gone")

    def close(self):
        self.lines.close()
        self.socket.close()


class Program:
    """A child with lines on its standard output, each awaited with a deadline."""

    def __init__(self, words, stderr, environment=None):
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=stderr, env=environment)
        os.set_blocking(self.process.stdout.fileno(), False)
        self.text = b""

    def line(self, until=None):
        """The next line; empty at the end, and nil if `until` says that it need not come."""
        end = time.monotonic() + PATIENCE
        while b"\n" not in self.text:
            more = self.process.stdout.read()
            if more == b"":
                return ""
            self.text += more or b""
            if more:
                continue
            if until and until():
                return None
            if time.monotonic() > end:
                raise Fault(f"{self.process.args[0]} says nothing for {PATIENCE} s")
            select.select([self.process.stdout], [], [], 0.02 if until else PATIENCE)
        line, self.text = self.text.split(b"\n", 1)
        return line.decode()

    def has_line(self, seconds=0):
        """Whether there is a line, now or within so many seconds."""
        end = time.monotonic() + seconds
        while b"\n" not in self.text:
            more = self.process.stdout.read()
            left = end - time.monotonic()
            if more == b"" or not more and left <= 0:
                return False
            self.text += more or b""
            if not more:
                select.select([self.process.stdout], [], [], left)
        return True

    def say(self, words):
        self.process.stdin.write(words.encode() + b"\n")
        self.process.stdin.flush()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)

    def end(self):
        self.process.stdin.close()
        self.process.wait(PATIENCE)
        self.process.stdout.close()


class ForgetfulDisk:
    """The file system beside this file, which also fails when it is told to."""

    has_faults = True

    def __init__(self, medium, mount):
        self.medium, self.mount = medium, mount

    def power_on(self, seed):
        program = pathlib.Path(__file__).with_name("forgetful.py")
        words = [sys.executable, "-B", program, self.medium, self.mount, str(seed)]
        self.program = Program(words, None)
        self.is_frozen = False
        if (line := self.program.line()) != "mounted":
            raise Fault(f"the file system is not mounted: {line}")

    def do(self, command):
        self.program.say(command)
        answer = self.program.line()
        if answer == "frozen":
            self.is_frozen = True
            answer = self.program.line()
        if answer != "ok":
            raise Fault(f"{command}: {answer}")

    def look(self, seconds=0):
        """Whether the power has gone with a change that was the last, or goes within that time."""
        if not self.is_frozen and self.program.has_line(seconds):
            self.is_frozen = self.program.line() == "frozen"
        return self.is_frozen

    def cut(self, daemon):
        """Takes the power; nothing that the daemon does has an effect from then on."""
        daemon.kill()
        # A daemon that waits for a disk that does not answer ends with the disk.
        with open(os.pidfd_open(daemon.process.pid)) as end:
            if not self.look() and not any(
                    select.select([end, self.program.process.stdout], [], [], PATIENCE)):
                raise Fault(f"the daemon has not ended within {PATIENCE} s")
        return self.turn_off("lost", daemon)

    def turn_off(self, how, daemon=None):
        self.program.say(f"end {how}")
        while (answer := self.program.line()) and not answer.startswith("{"):
            pass
        self.program.end()
        if daemon:
            daemon.end()
        if not answer:
            raise Fault("the file system has failed")
        return json.loads(answer)

    def scrap(self):
        if self.program.process.poll() is None:
            self.program.kill()
            subprocess.run(["umount", "--lazy", self.mount], check=True)
            self.program.end()


class LazyDisk:
    """LazyFS, which loses what was not synchronized; names it never loses."""

    has_faults = False

    def __init__(self, program, medium, mount):
        self.lazyfs, self.medium, self.mount = program, medium, mount
        self.fifo = medium.with_name("faults")
        self.done = medium.with_name("done")

    def power_on(self, seed):
        for path in (self.fifo, self.done):
            path.unlink(missing_ok=True)
            os.mkfifo(path)
        settings = self.medium.with_name("lazyfs.toml")
        settings.write_text(
            f'[faults]\nfifo_path="{self.fifo}"\nfifo_path_completed="{self.done}"\n'
            '[cache]\napply_eviction=false\n[cache.simple]\ncustom_size="0.25gb"\n'
            'blocks_per_page=1\n[filesystem]\nlog_all_operations=false\nlogfile=""\n')
        self.log = open(self.medium.with_name("lazyfs.log"), "ab")
        self.process = subprocess.Popen(
            [self.lazyfs, self.mount, "--config-path", settings, "-o", "allow_other",
             "-o", "modules=subdir", "-o", f"subdir={self.medium}", "-f"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        with open("/proc/self/mounts") as mounts:
            while not os.path.ismount(self.mount):
                # The kernel tells that a mount has come as an exception.
                if not any(select.select([], [], [mounts], PATIENCE)):
                    raise Fault(f"LazyFS is not mounted within {PATIENCE} s")
                mounts.seek(0)
                mounts.read()

    def look(self, seconds=0):
        """False, as it has no last change; it may end, which is a fault."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
            raise Fault("LazyFS has ended")
        return False

    def cut(self, daemon):
        daemon.kill()
        daemon.end()
        with open(self.fifo, "w") as fifo:
            fifo.write("lazyfs::clear-cache\n")
        with open(self.done) as done:
            done.readline()
        return self.turn_off("lost")

    def turn_off(self, how, daemon=None):
        subprocess.run(["umount", self.mount], check=True)
        self.process.kill()
        self.process.wait()
        self.log.close()
        return {}

    def scrap(self):
        if self.process.poll() is None:
            self.process.kill()
            subprocess.run(["umount", "--lazy", self.mount], check=True)
            self.process.wait()


class Machine:
    """The disk, the daemon and its clients' way to it."""

    def __init__(self, place, programs, make_disk):
        self.place, self.programs = place, programs
        shutil.rmtree(place, ignore_errors=True)
        self.medium, self.state = place / "medium", place / "state"
        for folder in (self.medium, self.state, place / "home"):
            folder.mkdir(parents=True)
        self.medium.chmod(0o700)
        self.socket = place / "bus.sock"
        (place / "a11yd.toml").write_text(SETTINGS)
        self.disk = make_disk(self.medium, self.state)
        self.boot = place / "boot"
        self.boot.write_text("\n")
        subprocess.run(["mount", "--bind", self.boot, BOOT], check=True)
        self.environment = {
            "HOME": f"{place}/home", "XDG_RUNTIME_DIR": f"{place}/run",
            "A11YD_SOCKET": str(self.socket), "PATH": os.environ["PATH"]}
        # The lines that daemons have said, as far as they were awaited.
        self.daemon, self.said = None, []

    def scrap(self):
        """Ends what still runs of it."""
        if self.daemon:
            self.daemon.kill()
        self.disk.scrap()
        if self.daemon:
            self.daemon.end()
        subprocess.run(["umount", BOOT], check=True)

    def power_on(self, seed):
        shutil.rmtree(self.place / "run", ignore_errors=True)
        (self.place / "run").mkdir(mode=0o700)
        self.boot.write_text(f"{uuid.UUID(int=seed)}\n")
        self.disk.power_on(seed)

    def start(self):
        """Starts the daemon; false if the power goes before it is ready."""
        self.daemon = Program(
            [self.programs / "a11yd", "--socket", self.socket, "--state", self.state,
             "--config", self.place / "a11yd.toml"], subprocess.STDOUT, self.environment)
        while (line := self.daemon.line(until=self.disk.look)) is not None:
            self.said.append(line)
            if line.startswith("a11yd: ready "):
                return True
            if line == "":
                if self.disk.look():
                    return False
                raise Fault(f"the daemon has ended: {self.said[-3:]}")
        return False

    def listen(self):
        """Takes what the daemon has said meanwhile."""
        while self.daemon.has_line():
            self.said.append(self.daemon.line())

    def wait_until_well(self, client, seconds=PATIENCE):
        """Waits until the daemon is no longer degraded, and returns the seconds that it took."""
        begin = time.monotonic()
        while client.ask("stats")["ok"]["log"]["degraded"]:
            if time.monotonic() - begin > seconds:
                raise Fault(f"the daemon has not come back within {seconds} s")
            # It says so, unless it has said that too often.
            self.daemon.has_line(0.1)
            self.listen()
        return time.monotonic() - begin

    def kill_daemon(self):
        daemon, self.daemon = self.daemon, None
        daemon.kill()
        daemon.end()

    def cut(self):
        daemon, self.daemon = self.daemon, None
        return self.disk.cut(daemon)

    def stop(self):
        """Has the daemon stop in order; its exit code."""
        daemon, self.daemon = self.daemon, None
        daemon.process.terminate()
        daemon.end()
        return daemon.process.returncode

    def connect(self):
        return Client(self.socket)

    def size(self):
        """The bytes in the directory of the log."""
        total = 0
        for path in self.state.rglob("*"):
            with contextlib.suppress(FileNotFoundError):
                total += path.stat().st_size
        return total

    def ctl(self, *words):
        """The exit code of a11yctl, and what it prints."""
        done = subprocess.run([self.programs / "a11yctl", *words], env=self.environment,
                              capture_output=True, text=True, timeout=PATIENCE)
        return done.returncode, done.stdout + done.stderr
