# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The bus, for code that may wait."""

import os
import threading
import time
import weakref
from types import TracebackType
from typing import (
    Any,
    Dict,
    List,
    Literal,
    Mapping,
    Optional,
    Type,
    Union,
    cast,
    overload,
)

from ._complaints import Complaint, Complaints
from ._connection import Connection, wait_for
from ._course import Course, Names, subscription
from ._entries import Entry, Explanation, Mark, Server, State
from ._errors import NoAnswer
from ._events import Text
from ._introduction import Voice, checked_timeout, checked_voice, introduction
from ._path import Path, bus_path, reader_path
from ._receipt import Receipt
from ._requests import announcement, publication
from ._session import ANSWER_SECONDS, Session, Ticket
from ._subscription import Subscription


class Bus:
    """A connection to the bus under the name of an app.

    It connects when it is first used, and after the loss of the bus with the next call. Any number
    of threads may use it: their requests go out at once, and none waits for another's answer.
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
        # Guards the session; held only for what does not wait.
        self._changed = threading.Condition(threading.RLock())
        self._subscriptions: "weakref.WeakSet[Subscription[Any]]" = weakref.WeakSet()

    # Publishing

    def announce(
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
        return self.publish(event, ack=ack, dedupe=dedupe, timeout=timeout)

    def publish(
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
        whether the event may be on record.
        """
        fields = publication(event, ack, dedupe)
        return Receipt(self._ask("publish", fields, dedupe is not None, timeout))

    def post(self, event: Mapping[str, object], *, dedupe: Optional[str] = None) -> bool:
        """Publishes an event without waiting for anything, and returns whether there was room.

        Posted and published events are sent in their common order. Bytes that the bus does not take
        at once, at most 1 MiB, go with the next call. A refusal is among the complaints; `ping`
        waits until all posted events are on record or refused.
        """
        with self._changed:
            return self._session.post(publication(event, dedupe=dedupe))

    def take_complaints(self) -> List[Complaint]:
        """Hands out what went wrong with posted events, unknown fields, and gaps in the log."""
        with self._changed:
            self._session.serve()
        return self._complaints.take()

    # Questions

    @property
    def server(self) -> Server:
        """The introduction of the bus; connects where needed."""
        deadline = time.monotonic() + self.timeout
        with self._changed:
            greeting = self._session.greet()
            if greeting is not None:
                self._await(greeting, deadline, self.timeout)
                greeting.result()
            return cast(Server, self._session.server)

    def ping(self, timeout: Optional[float] = None) -> int:
        """The last seq; everything that was posted before is on record, or refused."""
        last: int = self._ask("ping", {}, True, timeout)["last"]
        return last

    def state(self, at: Optional[int] = None) -> State:
        """Windows, focus and reader, now or right behind the entry `at`."""
        return cast(State, self._ask("state", {} if at is None else {"at": at}, True))

    def explain(self, seq: int) -> Explanation:
        """The end of an entry and its reason, above all as a `sentence`."""
        return cast(Explanation, self._ask("explain", {"seq": seq}, True))

    def rules(self) -> Dict[str, Any]:
        """The rules in effect, each value with its origin."""
        return self._ask("rules", {}, True)

    def stats(self) -> Dict[str, Any]:
        """Counters, queues and lags."""
        return self._ask("stats", {}, True)

    def describe(self) -> Dict[str, Any]:
        """The schemas of operations and events, and the limits."""
        return self._ask("describe", {}, True)

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
    ) -> Subscription[Entry]: ...

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
    ) -> Subscription[Union[Entry, Mark]]: ...

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
    ) -> Subscription[Any]:
        """The entries from a place on: `now`, the `start` of the log, or behind a cursor.

        The subscription has a connection of its own, and stands when this returns. Of each filter
        that is given an entry must match one name. With `marks` the news between the entries are
        given, too. With a voice as `reader` the connection is that of an assistive technology,
        which is given words to speak and may `report` on them.
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
        made: Subscription[Any] = Subscription(path, course, self.timeout)
        self._subscriptions.add(made)
        return made

    # The end

    def close(self) -> None:
        """Ends the connection and all subscriptions; calls that wait raise `BusGone`."""
        with self._changed:
            self._session.close()
            self._changed.notify_all()
        for each in list(self._subscriptions):
            each.close()

    def __enter__(self) -> "Bus":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    # Waiting

    def _ask(
        self,
        op: str,
        fields: Mapping[str, object],
        may_repeat: bool,
        timeout: Optional[float] = None,
    ) -> Dict[str, Any]:
        seconds = self.timeout if timeout is None else timeout
        deadline = time.monotonic() + seconds
        with self._changed:
            ticket = self._session.ask(op, fields, may_repeat)
            self._await(ticket, deadline, seconds)
        return ticket.result()

    def _await(self, ticket: Ticket, deadline: float, seconds: float) -> None:
        """Waits for an answer; the first waiting thread watches the connection for all."""
        try:
            while not ticket.is_done:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise NoAnswer(seconds)
                connection = self._session.connection
                if connection is None or self._session.is_watched:
                    self._changed.wait(left)
                else:
                    self._watch(connection, left)
        finally:
            self._session.abandon(ticket)

    def _watch(self, connection: Connection, seconds: float) -> None:
        self._session.is_watched = True
        self._changed.release()
        try:
            wait_for(seconds, connection)
        finally:
            self._changed.acquire()
            self._session.is_watched = False
            if self._session.connection is not connection:
                connection.close()
            self._session.serve()
            self._changed.notify_all()

    def _release(self, connection: Connection) -> None:
        if self._session.is_watched:
            # A closed descriptor could be another's before the watching thread has noticed, which
            # closes it instead.
            connection.shut()
        else:
            connection.close()
