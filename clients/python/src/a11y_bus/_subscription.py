# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The entries of the log, as they come, for code that may wait."""

import socket
import threading
import time
from types import TracebackType
from typing import Generic, Optional, Type, TypeVar, cast

from ._backoff import Backoff
from ._connection import Connection, wait_for
from ._course import Course
from ._entries import Server
from ._errors import BusGone, NoAnswer
from ._requests import report_line
from ._session import POSTED_BYTES

Item = TypeVar("Item")


class Subscription(Generic[Item]):
    """An iterator over entries, which goes on by itself when the bus is back.

    One thread iterates; `close` may be called by any other, and by a signal handler, and ends the
    iteration. After the loss of the bus it goes on behind the last entry that it gave: nothing is
    missing, and nothing comes twice.
    """

    def __init__(self, path: str, course: Course, timeout: float) -> None:
        self._path = path
        self._course = course
        self._connection: Optional[Connection] = None
        self._backoff = Backoff()
        self._next_attempt = 0.0
        # Guards the connection's outgoing bytes; a signal handler may come in between.
        self._lock = threading.RLock()
        self._is_closed = False
        self._is_busy = False
        self._bell, self._ear = socket.socketpair()
        try:
            self._begin(timeout)
        except BaseException:
            self.close()
            raise

    @property
    def cursor(self) -> Optional[str]:
        """The place behind the last entry that was given: a later `since` goes on from here."""
        return self._course.cursor

    @property
    def server(self) -> Server:
        """The introduction of the bus on the latest connection of this subscription."""
        return cast(Server, self._course.server)

    def __iter__(self) -> "Subscription[Item]":
        return self

    def __next__(self) -> Item:
        item = self.take()
        if item is None:
            raise StopIteration
        return item

    def take(self, timeout: Optional[float] = None) -> Optional[Item]:
        """The next entry; None if none came in these seconds, or the subscription is closed."""
        if not self._is_closed:
            line = self._course.take()
            if line is not None:
                return cast(Item, line)
        deadline = None if timeout is None else time.monotonic() + timeout
        self._is_busy = True
        try:
            while not self._is_closed:
                line = self._course.take()
                if line is not None:
                    return cast(Item, line)
                if self._course.failure is not None:
                    raise self._course.failure
                if not self._advance(deadline):
                    break
            return None
        finally:
            self._is_busy = False
            if self._is_closed:
                self._free()

    def report(self, of: int, state: str, **fields: object) -> bool:
        """Tells the bus, as the reader that speaks, how far it has come with a delivery.

        It waits for nothing, and may be called by any thread. False says that the bus is away: it
        has given the delivery up by itself.
        """
        line = report_line(self._course.is_reader, of, state, fields)
        with self._lock:
            connection = self._connection
            if connection is None or connection.unsent + len(line) > POSTED_BYTES:
                return False
            connection.send(line)
            return True

    def close(self) -> None:
        """Ends the subscription, and the iteration over it."""
        with self._lock:
            self._is_closed = True
            if self._is_busy:
                # The iterating thread wakes up, and frees what it uses.
                try:
                    self._bell.send(b"!", socket.MSG_DONTWAIT)
                except OSError:
                    pass
            else:
                self._free()

    def __enter__(self) -> "Subscription[Item]":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_ear"):
            self.close()

    # The connection

    def _begin(self, timeout: float) -> None:
        """Waits until the subscription stands, so that it misses nothing from now on."""
        deadline = time.monotonic() + timeout
        while not self._course.is_following:
            if not self._course.failure and not self._advance(deadline):
                raise NoAnswer(timeout)
            if self._course.failure is not None:
                raise self._course.failure

    def _advance(self, deadline: Optional[float]) -> bool:
        """Does what can be done, or waits until something can be; false when the time is over."""
        connection = self._connection
        if connection is None:
            if time.monotonic() >= self._next_attempt:
                self._connect()
                return True
            return self._wait(deadline, None)
        messages = connection.receive()
        if messages is not None:
            self._course.receive(messages)
            if self._course.is_following:
                self._backoff.reset()
            self._send()
            if self._course.trouble is not None:
                self._drop(self._course.trouble)
            return True
        if connection.end is not None:
            self._drop(f"The connection to the bus broke: {connection.end}.")
            return True
        return self._wait(deadline, connection)

    def _connect(self) -> None:
        try:
            connection = Connection(self._path)
        except BusGone as error:
            self._drop(str(error))
            return
        with self._lock:
            self._connection = connection
        self._course.begin()
        self._send()

    def _send(self) -> None:
        with self._lock:
            if self._connection is not None and self._course.outgoing:
                self._connection.send(self._course.outgoing)
        self._course.outgoing = b""

    def _drop(self, reason: str) -> None:
        with self._lock:
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
        self._next_attempt = time.monotonic() + self._backoff.next_wait()
        self._course.lose(reason)

    def _wait(self, deadline: Optional[float], connection: Optional[Connection]) -> bool:
        now = time.monotonic()
        ends = [deadline] if deadline is not None else []
        if connection is None:
            ends.append(self._next_attempt)
        if deadline is not None and now >= deadline:
            return False
        wait_for(min(ends) - now if ends else None, connection, self._ear.fileno())
        if connection is not None:
            with self._lock:
                connection.push()
        return True

    def _free(self) -> None:
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()
            self._bell.close()
            self._ear.close()
