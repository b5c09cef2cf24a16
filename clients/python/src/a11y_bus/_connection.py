# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""A connection to the bus, of which no call waits."""

import errno
import select
import socket
from typing import List, Optional

from ._errors import BusGone
from ._wire import Decoder, Garbled, Message

# The most bytes of one receive: more than most batches of entries have.
_ROOM = 65_536

_REASONS = {
    errno.ENOENT: "no such file",
    errno.ECONNREFUSED: "nobody listens there",
    errno.EACCES: "permission denied",
    errno.EAGAIN: "too many clients wait there",
    errno.ECONNRESET: "it was cut off",
    errno.EPIPE: "it was cut off",
}


def _reason(error: OSError) -> str:
    return _REASONS.get(error.errno or 0) or error.strerror or str(error)


class Connection:
    """A socket as lines in both directions.

    Offsets count the bytes of the connection: `queued` those that were to be sent, `accepted` those
    that the kernel took. A line that was not accepted whole can not have reached the bus.
    """

    def __init__(self, path: str) -> None:
        kind = socket.SOCK_STREAM | socket.SOCK_NONBLOCK
        try:
            self._socket = socket.socket(socket.AF_UNIX, kind)
        except OSError as error:
            raise BusGone(f"Cannot reach the bus at {path}: {_reason(error)}.") from None
        try:
            self._socket.connect(path)
        except (OSError, ValueError) as error:
            self._socket.close()
            reason = _reason(error) if isinstance(error, OSError) else str(error)
            raise BusGone(f"Cannot reach the bus at {path}: {reason}.") from None
        self._decoder = Decoder()
        self._unsent = bytearray()
        self._is_cut = False
        self.queued = 0
        self.accepted = 0
        # The reason for the end of the connection, once it has ended.
        self.end: Optional[str] = None

    def fileno(self) -> int:
        return self._socket.fileno()

    @property
    def unsent(self) -> int:
        """The bytes that the kernel has not taken yet."""
        return len(self._unsent)

    @property
    def outward_interest(self) -> int:
        """The event of poll(2) that unsent bytes wait for; a cut connection takes nothing more."""
        return select.POLLOUT if self._unsent and not self._is_cut else 0

    def send(self, line: bytes) -> int:
        """Sends a line, or as much of it as the kernel takes, and returns the offset of its end."""
        self.queued += len(line)
        self._unsent += line
        self.push()
        return self.queued

    def push(self) -> None:
        """Sends as much as the kernel takes."""
        while self._unsent and not self._is_cut:
            try:
                sent = self._socket.send(self._unsent, socket.MSG_NOSIGNAL)
            except BlockingIOError:
                return
            except OSError:
                # The last lines of the bus are still to be read, and may say why.
                self._is_cut = True
                return
            self.accepted += sent
            del self._unsent[:sent]

    def receive(self) -> Optional[List[Message]]:
        """The messages that have come; None if nothing has, or nothing comes any more."""
        if self.end is not None:
            return None
        try:
            data = self._socket.recv(_ROOM)
        except BlockingIOError:
            return None
        except OSError as error:
            self.end = _reason(error)
            return None
        if not data:
            self.end = "it was closed"
            return None
        try:
            return self._decoder.receive(data)
        except Garbled as error:
            self.end = str(error)
            return None

    def shut(self) -> None:
        """Ends both directions, which ends a wait in another thread, and keeps the descriptor."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def close(self) -> None:
        self._socket.close()


def wait_for(
    seconds: Optional[float],
    connection: Optional[Connection] = None,
    bell: Optional[int] = None,
) -> None:
    """Waits until a connection has something to do, a bell is readable, or the time is over."""
    poll = select.poll()
    if connection is not None:
        poll.register(connection.fileno(), select.POLLIN | connection.outward_interest)
    if bell is not None:
        poll.register(bell, select.POLLIN)
    # Rounded up, so that a wait never ends too early.
    poll.poll(None if seconds is None else max(0, int(seconds * 1_000) + 1))
