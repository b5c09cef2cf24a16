# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The requests of an app, over one connection at a time."""

from collections import deque
from typing import Any, Callable, Deque, Dict, List, Mapping, Optional

from ._complaints import Complaints
from ._connection import Connection
from ._errors import BusError, BusGone
from ._wire import Answer, Farewell, Garbled, Message, UnknownFields, check_answer, encode

# Seconds that a request waits for its answer, unless told otherwise.
ANSWER_SECONDS = 5.0
# The most bytes of posted events that wait because the bus takes no more.
POSTED_BYTES = 1_048_576
# The most receives of one turn, so that a flood of answers delays no caller for long.
_RECEIVES = 16


class Ticket:
    """A request that waits for its answer."""

    def __init__(self, id: int, op: str, line: bytes, may_repeat: bool) -> None:
        self.id = id
        self.op = op
        self.line = line
        # Whether the request may take effect twice without harm.
        self.may_repeat = may_repeat
        self.is_repeated = False
        # The offset of the end of the line in its connection.
        self.end = 0
        self.ok: Optional[Dict[str, Any]] = None
        self.error: Optional[BusError] = None
        self.on_done: List[Callable[[], None]] = []

    @property
    def is_done(self) -> bool:
        return self.ok is not None or self.error is not None

    def settle(self, ok: Optional[Dict[str, Any]], error: Optional[BusError] = None) -> None:
        """Gives the request its answer."""
        self.ok, self.error = ok, error
        for call in self.on_done:
            call()

    def result(self) -> Dict[str, Any]:
        """The answer; raises the refusal or the loss."""
        if self.error is not None:
            raise self.error
        return self.ok or {}


class Session:
    """Requests out, and answers by their ids.

    No call waits: the owner watches the connection and calls `serve` when it is ready. Requests go
    out at once, behind a hello on a new connection. After the loss of the bus the next request
    connects once more. A request whose answer is lost is repeated, once, only if that does no harm,
    or if the kernel had not taken it whole.
    """

    def __init__(
        self,
        path: str,
        hello: Mapping[str, object],
        complaints: Complaints,
        release: Callable[[Connection], None],
    ) -> None:
        self.path = path
        self.connection: Optional[Connection] = None
        self.server: Optional[Dict[str, Any]] = None
        # Whether a thread waits for something to receive, which must find it.
        self.is_watched = False
        self._hello = hello
        self._complaints = complaints
        self._release = release
        self._tickets: Dict[int, Ticket] = {}
        self._greeting = 0
        self._last_id = 0
        # The ends of posted lines that the kernel has not taken.
        self._posted: Deque[int] = deque()
        self._farewell: Optional[str] = None
        self._is_closed = False

    # Requests

    def ask(self, op: str, fields: Mapping[str, object], may_repeat: bool) -> Ticket:
        """Sends a request; its ticket is settled by a later `serve`."""
        self._last_id += 1
        ticket = Ticket(self._last_id, op, encode(op, fields, self._last_id), may_repeat)
        self.serve()
        self._send(ticket)
        return ticket

    def post(self, fields: Mapping[str, object]) -> bool:
        """Sends an event that asks for no answer; false if it was given up."""
        line = encode("publish", fields)
        self.serve()
        try:
            connection = self._connected()
        except BusGone as error:
            self._complaints.add_loss(str(error).rstrip("."))
            return False
        if connection.unsent + len(line) > POSTED_BYTES:
            self._complaints.add_loss(f"{connection.unsent} bytes wait for the bus already")
            return False
        end = connection.send(line)
        if connection.accepted < end:
            self._posted.append(end)
        return True

    def greet(self) -> Optional[Ticket]:
        """The ticket of the hello, where its answer is still to come."""
        self.serve()
        self._connected()
        return self._tickets.get(self._greeting)

    def abandon(self, ticket: Ticket) -> None:
        """Forgets a request for whose answer nobody waits any more; a late one is passed over."""
        if ticket.id != self._greeting:
            self._tickets.pop(ticket.id, None)

    def close(self) -> None:
        """Ends the connection, and all requests that wait."""
        self._is_closed = True
        if self.connection is not None:
            self.connection.push()
            self._lose("it was closed by this program")

    # The connection

    def _connected(self) -> Connection:
        if self._is_closed:
            raise BusGone("This bus was closed by the program.")
        if self.connection is None:
            self.connection = Connection(self.path)
            self._farewell = None
            self._last_id += 1
            self._greeting = self._last_id
            line = encode("hello", self._hello, self._last_id)
            self._send(Ticket(self._last_id, "hello", line, False))
        return self.connection

    def _send(self, ticket: Ticket) -> None:
        connection = self._connected()
        self._tickets[ticket.id] = ticket
        ticket.end = connection.send(ticket.line)

    def serve(self) -> None:
        """Sends what waits, and settles the tickets whose answers have come."""
        connection = self.connection
        if connection is None:
            return
        connection.push()
        while self._posted and self._posted[0] <= connection.accepted:
            self._posted.popleft()
        if self.is_watched:
            return
        for _ in range(_RECEIVES):
            messages = connection.receive()
            if messages is None:
                break
            self._take_all(messages)
            if self.connection is not connection:
                return
        if connection.end is not None:
            self._lose(self._farewell or connection.end)

    def _take_all(self, messages: List[Message]) -> None:
        try:
            for message in messages:
                self._take(message)
        except Garbled as error:
            self._lose(str(error))

    def _take(self, message: Message) -> None:
        if isinstance(message, Answer):
            if message.id == self._greeting:
                self._meet(message)
                return
            ticket = self._tickets.get(message.id)
            if ticket is not None:
                if message.refused is None:
                    check_answer(ticket.op, message.ok)
                del self._tickets[message.id]
                ticket.settle(None if message.refused else message.ok, message.refused)
            elif message.id is None and message.refused:
                self._complaints.add_refusal(message.refused)
        elif isinstance(message, UnknownFields):
            self._complaints.add_unknown_fields(message.names)
        elif isinstance(message, Farewell):
            self._farewell = message.reason

    def _meet(self, answer: Answer) -> None:
        greeting = self._tickets.pop(answer.id, None)
        if answer.refused is None:
            self.server = answer.ok
            if greeting is not None:
                greeting.settle(answer.ok)
            return
        # Without a hello the bus would take the app for another.
        tickets, self._tickets = list(self._tickets.values()), {}
        if not tickets:
            self._complaints.add_refusal(answer.refused, "hello")
        self._lose(f"the bus refused hello: {answer.refused}")
        for ticket in [greeting, *tickets] if greeting else tickets:
            ticket.settle(None, answer.refused)

    def _lose(self, reason: str) -> None:
        connection, self.connection = self.connection, None
        if connection is None:
            return
        self._release(connection)
        posted = sum(end > connection.accepted for end in self._posted)
        self._posted.clear()
        if posted:
            self._complaints.add_loss(f"the connection to the bus broke: {reason}", posted)
        text = f"The connection to the bus broke: {reason}."
        greeting = self._tickets.pop(self._greeting, None)
        if greeting is not None:
            greeting.settle(None, BusGone(text))
        tickets, self._tickets = list(self._tickets.values()), {}
        self._repeat(tickets, connection.accepted, text)

    def _repeat(self, tickets: List[Ticket], accepted: int, text: str) -> None:
        """Sends once more what may be sent once more, and fails the rest."""
        for ticket in tickets:
            was_sent = ticket.end <= accepted
            error = BusGone(text, in_doubt=was_sent)
            may_repeat = ticket.may_repeat or not was_sent
            if self._is_closed or ticket.is_repeated or not may_repeat:
                ticket.settle(None, error)
                continue
            ticket.is_repeated = True
            try:
                self._send(ticket)
            except BusGone as gone:
                ticket.settle(None, BusGone(str(gone), in_doubt=was_sent))
