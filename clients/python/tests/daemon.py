# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The real daemon for a test, with a directory of its own."""

import logging
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List, Optional

from lines import Lines

# Complaints of the package are looked at by tests, and are no words of theirs.
logging.getLogger("a11y_bus").addHandler(logging.NullHandler())

# A parent may have blocked signals; the tests and the processes that they start need them.
signal.pthread_sigmask(signal.SIG_SETMASK, [])

# The wait for something that must happen; long, for a machine that does a lot meanwhile.
PATIENCE = 20.0
# The end of a test that waits for ever.
HANGS = 60


def program() -> str:
    """The daemon that `A11YD_PROGRAM` names."""
    path = os.environ.get("A11YD_PROGRAM")
    if not path:
        raise unittest.SkipTest("A11YD_PROGRAM does not name a daemon")
    return path


class Daemon:
    """A daemon that may be killed and started again, on the same socket and log.

    The socket is the test's own and handed to the daemon, as systemd does it, if `holds_socket`:
    clients then wait in its backlog while no daemon runs.
    """

    def __init__(self, holds_socket: bool = False) -> None:
        self._program = program()
        # Short, because the address of a socket has room for 107 bytes.
        self.directory = Path(tempfile.mkdtemp(prefix="a11yd-py-", dir="/tmp"))
        self.socket = str(self.directory / "bus.sock")
        self._log = self.directory / "state"
        (self.directory / "a11yd.toml").touch()
        self._held: Optional[socket.socket] = None
        if holds_socket:
            self._held = socket.socket(socket.AF_UNIX)
            self._held.bind(self.socket)
            os.chmod(self.socket, 0o600)
            self._held.listen()
        self._process: Optional["subprocess.Popen[bytes]"] = None
        self.start()

    def start(self) -> None:
        """Starts it, and waits until it takes clients."""
        command = [self._program, "--state", str(self._log)]
        command += ["--config", str(self.directory / "a11yd.toml")]
        home = str(self.directory)
        variables = {name: home for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")}
        variables.update(XDG_RUNTIME_DIR=home, PATH=os.environ.get("PATH", "/usr/bin:/bin"))
        inherited: List[int] = []
        if self._held is None:
            command += ["--socket", self.socket]
        else:
            inherited = [self._held.fileno()]
            variables.update(LISTEN_FDS="1", LISTEN_FDNAMES="bus")
            # The daemon must find its own number in LISTEN_PID, hence the shell.
            script = f'exec 3<&{inherited[0]}; LISTEN_PID=$$ exec "$@"'
            command = ["/bin/bash", "-c", script, "bash", *command]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=variables,
            pass_fds=inherited,
        )
        stderr = self._process.stderr
        assert stderr is not None
        self._errors = Lines(stderr)
        self._errors.wait_for("a11yd: ready ", PATIENCE)

    def kill(self) -> None:
        """Ends it without its knowledge."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def freeze(self) -> None:
        """Has it do nothing until it is thawed."""
        self._running.send_signal(signal.SIGSTOP)
        os.waitpid(self._running.pid, os.WUNTRACED)

    def thaw(self) -> None:
        self._running.send_signal(signal.SIGCONT)

    def lose_log(self) -> None:
        """Takes its log away, between two runs."""
        shutil.rmtree(self._log)

    def discard(self) -> None:
        """Ends it, and removes all that it has written."""
        if self._process is not None:
            self.thaw()
            self.kill()
        if self._held is not None:
            self._held.close()
        shutil.rmtree(self.directory)

    @property
    def _running(self) -> "subprocess.Popen[bytes]":
        assert self._process is not None
        return self._process

    def _end(self, number: int) -> None:
        self._running.send_signal(number)
        self._running.wait(PATIENCE)
        self._errors.close()
        self._process = None


class DaemonTest(unittest.TestCase):
    """A test with a daemon of its own, which fails instead of hanging."""

    holds_socket = False

    def setUp(self) -> None:
        before = signal.signal(signal.SIGALRM, self._fail)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        signal.alarm(HANGS)
        self.addCleanup(signal.alarm, 0)
        self.daemon = Daemon(self.holds_socket)
        self.addCleanup(self.daemon.discard)

    def _fail(self, *_: object) -> None:
        raise AssertionError(f"the test did not end within {HANGS} seconds")


def words(entry: Any) -> Optional[str]:
    """The text of an announcement; None for any other entry."""
    event: Dict[str, Any] = entry.get("event", {})
    return event["text"] if event.get("type") == "announcement" else None
