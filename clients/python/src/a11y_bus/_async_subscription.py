# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The entries of the log, as they come, for asyncio."""

import asyncio
from types import TracebackType
from typing import Generator, Generic, Optional, Type, TypeVar, cast

from ._backoff import Backoff
from ._connection import Connection
from ._course import Course
from ._entries import Server
from ._errors import BusError, BusGone, NoAnswer
from ._requests import report_line
from ._session import POSTED_BYTES

Item = TypeVar("Item")


class AsyncSubscription(Generic[Item]):
    """An asynchronous iterator over entries, which goes on by itself when the bus is back.

    It stands from the first entry on that is asked for, or, where nothing may be missed, from an
    `await` of the subscription itself or from `async with`. One task iterates; a cancelled wait
    loses nothing.
    """

    def __init__(self, path: str, course: Course, timeout: float) -> None:
        self._connection: Optional[Connection] = None
        self._path = path
        self._course = course
        self._timeout = timeout
        self._backoff = Backoff()
        self._next_attempt = 0.0
        self._has_begun = False
        self._is_closed = False
        # The end of the present wait.
        self._wait: Optional["asyncio.Future[None]"] = None

    @property
    def cursor(self) -> Optional[str]:
        """The place behind the last entry that was given: a later `since` goes on from here."""
        return self._course.cursor

    @property
    def server(self) -> Server:
        """The introduction of the bus on the latest connection of this subscription."""
        return cast(Server, self._course.server)

    def __await__(self) -> Generator[object, None, "AsyncSubscription[Item]"]:
        return self._begin().__await__()

    async def __aenter__(self) -> "AsyncSubscription[Item]":
        return await self._begin()

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self._disconnect()

    def __aiter__(self) -> "AsyncSubscription[Item]":
        return self

    async def __anext__(self) -> Item:
        item = await self.take()
        if item is None:
            raise StopAsyncIteration
        return item

    async def take(self, timeout: Optional[float] = None) -> Optional[Item]:
        """The next entry; None if none came in these seconds, or the subscription is closed."""
        await self._begin()
        line = None if self._is_closed else self._course.take()
        if line is not None:
            return cast(Item, line)
        loop = asyncio.get_running_loop()
        deadline = None if timeout is None else loop.time() + timeout
        # A task that always finds entries would leave the loop no turn.
        await asyncio.sleep(0)
        while not self._is_closed:
            line = self._course.take()
            if line is not None:
                return cast(Item, line)
            if self._course.failure is not None:
                raise self._course.failure
            if not await self._advance(deadline):
                break
        return None

    def report(self, of: int, state: str, **fields: object) -> bool:
        """Tells the bus, as the reader that speaks, how far it has come with a delivery.

        It waits for nothing. False says that the bus is away: it has given the delivery up by
        itself.
        """
        line = report_line(self._course.is_reader, of, state, fields)
        connection = self._connection
        if connection is None or connection.unsent + len(line) > POSTED_BYTES:
            return False
        connection.send(line)
        return True

    def close(self) -> None:
        """Ends the subscription, and the iteration over it."""
        self._is_closed = True
        if self._wait is None:
            self._disconnect()
        else:
            # The waiting task closes the connection when it has taken it from the loop's watch.
            _finish(self._wait)

    # The connection

    async def _begin(self) -> "AsyncSubscription[Item]":
        if self._has_begun:
            return self
        deadline = asyncio.get_running_loop().time() + self._timeout
        try:
            while not self._course.is_following and not self._is_closed:
                if not self._course.failure and not await self._advance(deadline):
                    raise NoAnswer(self._timeout)
                if self._course.failure is not None:
                    raise self._course.failure
        except BusError:
            self.close()
            raise
        self._has_begun = True
        return self

    async def _advance(self, deadline: Optional[float]) -> bool:
        """Does what can be done, or waits until something can be; false when the time is over."""
        connection = self._connection
        if connection is None:
            if asyncio.get_running_loop().time() >= self._next_attempt:
                self._connect()
                return True
            return await self._pause(deadline, None)
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
        return await self._pause(deadline, connection)

    def _connect(self) -> None:
        try:
            self._connection = Connection(self._path)
        except BusGone as error:
            self._drop(str(error))
            return
        self._course.begin()
        self._send()

    def _send(self) -> None:
        if self._connection is not None and self._course.outgoing:
            self._connection.send(self._course.outgoing)
        self._course.outgoing = b""

    def _drop(self, reason: str) -> None:
        self._disconnect()
        loop = asyncio.get_running_loop()
        self._next_attempt = loop.time() + self._backoff.next_wait()
        self._course.lose(reason)

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    async def _pause(self, deadline: Optional[float], connection: Optional[Connection]) -> bool:
        """Waits for the connection, or for the next attempt; false when the time is over."""
        loop = asyncio.get_running_loop()
        if deadline is not None and loop.time() >= deadline:
            return False
        ends = [deadline] if deadline is not None else []
        if connection is None:
            ends.append(self._next_attempt)
        wait = self._wait = loop.create_future()
        timer = loop.call_at(min(ends), _finish, wait) if ends else None
        if connection is not None:
            loop.add_reader(connection.fileno(), _finish, wait)
            if connection.outward_interest:
                loop.add_writer(connection.fileno(), _finish, wait)
        try:
            await wait
        finally:
            self._wait = None
            if timer is not None:
                timer.cancel()
            if connection is not None:
                loop.remove_reader(connection.fileno())
                loop.remove_writer(connection.fileno())
            if self._is_closed:
                self._disconnect()
        if connection is not None and not self._is_closed:
            connection.push()
        return True


def _finish(wait: "asyncio.Future[None]") -> None:
    if not wait.done():
        wait.set_result(None)
