# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The bus, for asyncio."""

import asyncio
import os
import weakref
from types import TracebackType
from typing import Any, Dict, List, Literal, Mapping, Optional, Type, Union, cast, overload

from ._async_subscription import AsyncSubscription
from ._complaints import Complaint, Complaints
from ._connection import Connection
from ._course import Course, Names, subscription
from ._entries import Entry, Explanation, Mark, Server, State
from ._errors import NoAnswer
from ._events import Text
from ._introduction import Voice, checked_timeout, checked_voice, introduction
from ._path import Path, bus_path, reader_path
from ._receipt import Receipt
from ._requests import announcement, publication
from ._session import ANSWER_SECONDS, Session, Ticket


class AsyncBus:
    """A connection to the bus under the name of an app, for the tasks of one loop.

    It connects when it is first used, and after the loss of the bus with the next call. Tasks need
    not wait for each other, and a cancelled call disturbs no other: answers are told apart by ids.
    """

    def __init__(
        self,
        path: Optional[Path] = None,
        app: Optional[str] = None,
        *,
        client: Optional[str] = None,
        advice: bool = False,
        timeout: float = ANSWER_SECONDS,
    ) -> None:
        """A bus at a path, or at the usual one; each call may take `timeout` seconds.

        `client` names the program and its version for readers of the log, and `advice` asks for
        warnings about style in receipts.
        """
        self.path = bus_path() if path is None else os.fspath(path)
        self.timeout = checked_timeout(timeout)
        self._app = app
        self._client = client
        self._complaints = Complaints()
        hello = introduction(app, client, advice)
        self._session = Session(self.path, hello, self._complaints, self._release)
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        # The connection that the loop reads for us, and that it also writes for us.
        self._read: Optional[Connection] = None
        self._written: Optional[Connection] = None
        self._subscriptions: "weakref.WeakSet[AsyncSubscription[Any]]" = weakref.WeakSet()

    # Publishing

    async def announce(
        self,
        text: Text,
        *,
        ack: Optional[str] = None,
        dedupe: Optional[str] = None,
        timeout: Optional[float] = None,
        **fields: object,
    ) -> Receipt:
        """Publishes an announcement, and returns its seq; `fields` are those of the event."""
        event = announcement(text, fields)
        return await self.publish(event, ack=ack, dedupe=dedupe, timeout=timeout)

    async def publish(
        self,
        event: Mapping[str, object],
        *,
        ack: Optional[str] = None,
        dedupe: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Receipt:
        """Publishes an event, and returns its seq when it is on record, as `ack` asks for.

        If the connection breaks before the answer, an event with a `dedupe` key is sent once more,
        since that cannot record it twice. Without one `BusGone` is raised, and its `in_doubt` tells
        whether the event may be on record; so it may after a cancelled call.
        """
        fields = publication(event, ack, dedupe)
        return Receipt(await self._ask("publish", fields, dedupe is not None, timeout))

    def post(self, event: Mapping[str, object], *, dedupe: Optional[str] = None) -> bool:
        """Publishes an event without waiting for anything, and returns whether there was room.

        Posted and published events are sent in their common order. Bytes that the bus does not take
        at once, at most 1 MiB, are sent by the loop. A refusal is among the complaints; `ping`
        waits until all posted events are on record or refused.
        """
        self._adopt_loop()
        has_room = self._session.post(publication(event, dedupe=dedupe))
        self._watch()
        return has_room

    def take_complaints(self) -> List[Complaint]:
        """Hands out what went wrong with posted events, unknown fields, and gaps in the log."""
        return self._complaints.take()

    # Questions

    async def server(self) -> Server:
        """The introduction of the bus; connects where needed."""
        self._adopt_loop()
        greeting = self._session.greet()
        if greeting is not None:
            await self._answer(greeting, self.timeout)
        return cast(Server, self._session.server)

    async def ping(self, timeout: Optional[float] = None) -> int:
        """The last seq; everything that was posted before is on record, or refused."""
        last: int = (await self._ask("ping", {}, True, timeout))["last"]
        return last

    async def state(self, at: Optional[int] = None) -> State:
        """Windows, focus and reader, now or right behind the entry `at`."""
        return cast(State, await self._ask("state", {} if at is None else {"at": at}, True))

    async def explain(self, seq: int) -> Explanation:
        """The end of an entry and its reason, above all as a `sentence`."""
        return cast(Explanation, await self._ask("explain", {"seq": seq}, True))

    async def rules(self) -> Dict[str, Any]:
        """The rules in effect, each value with its origin."""
        return await self._ask("rules", {}, True)

    async def stats(self) -> Dict[str, Any]:
        """Counters, queues and lags."""
        return await self._ask("stats", {}, True)

    async def describe(self) -> Dict[str, Any]:
        """The schemas of operations and events, and the limits."""
        return await self._ask("describe", {}, True)

    # Following

    @overload
    def subscribe(
        self,
        types: Names = None,
        since: str = "now",
        *,
        apps: Names = None,
        windows: Names = None,
        elements: Names = None,
        priorities: Names = None,
        marks: Literal[False] = False,
        mode: str = "lossless",
        state: bool = False,
        durable: bool = False,
        reader: Optional[Voice] = None,
    ) -> AsyncSubscription[Entry]: ...

    @overload
    def subscribe(
        self,
        types: Names = None,
        since: str = "now",
        *,
        apps: Names = None,
        windows: Names = None,
        elements: Names = None,
        priorities: Names = None,
        marks: Literal[True],
        mode: str = "lossless",
        state: bool = False,
        durable: bool = False,
        reader: Optional[Voice] = None,
    ) -> AsyncSubscription[Union[Entry, Mark]]: ...

    def subscribe(
        self,
        types: Names = None,
        since: str = "now",
        *,
        apps: Names = None,
        windows: Names = None,
        elements: Names = None,
        priorities: Names = None,
        marks: bool = False,
        mode: str = "lossless",
        state: bool = False,
        durable: bool = False,
        reader: Optional[Voice] = None,
    ) -> AsyncSubscription[Any]:
        """The entries from a place on: `now`, the `start` of the log, or behind a cursor.

        The subscription has a connection of its own. It stands when it is awaited, or entered, or
        asked for its first entry. Of each filter that is given an entry must match one name. With
        `marks` the news between the entries are given, too. With a voice as `reader` the connection
        is that of an assistive technology, which is given words to speak and may `report` on them.
        """
        request = subscription(
            since,
            mode,
            state,
            durable,
            types=types,
            apps=apps,
            windows=windows,
            elements=elements,
            priorities=priorities,
        )
        hello = introduction(self._app, self._client, voice=checked_voice(reader))
        course = Course(hello, request, marks, self._complaints)
        path = reader_path(self.path) if reader else self.path
        made: AsyncSubscription[Any] = AsyncSubscription(path, course, self.timeout)
        self._subscriptions.add(made)
        return made

    # The end

    async def close(self) -> None:
        """Ends the connection and all subscriptions; calls that wait raise `BusGone`."""
        self._session.close()
        for each in list(self._subscriptions):
            each.close()

    async def __aenter__(self) -> "AsyncBus":
        self._adopt_loop()
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.close()

    # Waiting

    async def _ask(
        self,
        op: str,
        fields: Mapping[str, object],
        may_repeat: bool,
        timeout: Optional[float] = None,
    ) -> Dict[str, Any]:
        self._adopt_loop()
        ticket = self._session.ask(op, fields, may_repeat)
        return await self._answer(ticket, self.timeout if timeout is None else timeout)

    async def _answer(self, ticket: Ticket, seconds: float) -> Dict[str, Any]:
        loop = self._adopt_loop()
        done: "asyncio.Future[None]" = loop.create_future()

        def finish() -> None:
            if not done.done():
                done.set_result(None)

        self._watch()
        ticket.on_done.append(finish)
        timer = loop.call_later(seconds, finish)
        try:
            if not ticket.is_done:
                await done
        finally:
            timer.cancel()
            self._session.abandon(ticket)
        if not ticket.is_done:
            raise NoAnswer(seconds)
        return ticket.result()

    def _adopt_loop(self) -> asyncio.AbstractEventLoop:
        loop = asyncio.get_running_loop()
        if self._loop is None:
            self._loop = loop
        elif self._loop is not loop:
            raise RuntimeError("An AsyncBus belongs to the loop in which it was first used.")
        return loop

    def _serve(self) -> None:
        self._session.serve()
        self._watch()

    def _watch(self) -> None:
        """Has the loop watch the present connection, for room only while bytes wait for it."""
        connection = self._session.connection
        if connection is None or self._loop is None:
            return
        if self._read is not connection:
            self._loop.add_reader(connection.fileno(), self._serve)
            self._read = connection
        sends = bool(connection.outward_interest)
        if sends and self._written is not connection:
            self._loop.add_writer(connection.fileno(), self._serve)
            self._written = connection
        elif not sends and self._written is connection:
            self._loop.remove_writer(connection.fileno())
            self._written = None

    def _release(self, connection: Connection) -> None:
        # The loop must not watch a descriptor that may soon be another's.
        if self._loop is not None and not self._loop.is_closed():
            if self._read is connection:
                self._loop.remove_reader(connection.fileno())
                self._read = None
            if self._written is connection:
                self._loop.remove_writer(connection.fileno())
                self._written = None
        connection.close()
