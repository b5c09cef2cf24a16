# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The way of a subscription through the log, across connections."""

from collections import deque
from typing import Any, Deque, Dict, List, Mapping, Optional, Sequence

from ._complaints import Complaints
from ._errors import BusError, BusGone, Refused
from ._wire import (
    Answer,
    Farewell,
    Garbled,
    Line,
    Message,
    UnknownFields,
    check_answer,
    encode,
)

_HELLO = 1
_SUBSCRIBE = 2

Names = Optional[Sequence[str]]


def subscription(
    since: str, mode: str, state: bool, durable: bool, **filters: Names
) -> Dict[str, object]:
    """The fields of a request to subscribe; an absent filter lets everything pass."""
    fields: Dict[str, object] = {"from": since}
    chosen: Dict[str, object] = {}
    for name, names in filters.items():
        if isinstance(names, str):
            raise TypeError(f"{name}: expected a list of names; got the text {names!r}")
        if names is not None:
            chosen[name] = list(names)
    if chosen:
        fields["filter"] = chosen
    if mode != "lossless":
        fields["mode"] = mode
    if state:
        fields["state"] = True
    if durable:
        fields["durable"] = True
    return fields


class Course:
    """The place of a subscription, and the lines that are still to be handed out.

    The course reads no socket. Its owner sends `begin` on each new connection, gives it all
    messages that come, and takes lines until there are none, before it receives more. Thus the
    place behind the last line that was handed out is the place from which a new connection goes on.
    """

    def __init__(
        self,
        hello: Mapping[str, object],
        request: Mapping[str, object],
        with_marks: bool,
        complaints: Complaints,
    ) -> None:
        self.is_reader = hello.get("role") == "reader"
        self.server: Optional[Dict[str, Any]] = None
        # Whether the bus sends lines on the present connection.
        self.is_following = False
        # The reason for which there will be no more lines.
        self.failure: Optional[BusError] = None
        # The reason for which the present connection is of no use.
        self.trouble: Optional[str] = None
        # Lines to be sent.
        self.outgoing = b""
        self._hello = hello
        self._request = dict(request)
        self._with_marks = with_marks
        self._complaints = complaints
        self._lines: Deque[Line] = deque()
        self._epoch = ""
        self._seq = -1
        self._has_followed = False
        self._is_away = False
        self._farewell: Optional[str] = None

    @property
    def cursor(self) -> Optional[str]:
        """The place behind the last line that was handed out."""
        return f"{self._epoch}:{self._seq}" if self._seq >= 0 else None

    def begin(self) -> None:
        """Introduces a new connection."""
        self._farewell = None
        self.trouble = None
        self.outgoing = encode("hello", self._hello, _HELLO) + self._subscribe()

    def take(self) -> Optional[Line]:
        """The next line to hand out; None if there is none."""
        while self._lines:
            line = self._lines.popleft()
            seq = line.get("seq")
            if seq is not None:
                self._seq = seq
                return line
            cursor = line.get("cursor")
            if cursor is not None:
                self._move(cursor)
            if self._with_marks:
                return line
            if line.get("mark") == "gap":
                self._complaints.add_gap(line["from"], line["to"], line["reason"])
        return None

    def receive(self, messages: List[Message]) -> None:
        """Keeps the lines of the subscription, and deals with answers."""
        for message in messages:
            if isinstance(message, dict):
                self._lines.append(message)
            elif isinstance(message, Answer):
                self._take_answer(message)
            elif isinstance(message, UnknownFields):
                self._complaints.add_unknown_fields(message.names)
            elif isinstance(message, Farewell):
                self._farewell = message.reason

    def lose(self, reason: str) -> None:
        """The connection is gone, or could not be made; the first loss of a row is told."""
        if self._farewell is not None:
            reason = f"The bus closed the connection: {self._farewell}."
        self.is_following = False
        self.outgoing = b""
        if not self._has_followed:
            self.failure = self.failure or BusGone(reason)
        elif not self._is_away:
            self._is_away = True
            self._lines.append({"mark": "away", "reason": reason})

    def _subscribe(self) -> bytes:
        cursor = self.cursor
        fields = {**self._request, "from": cursor} if cursor else self._request
        return encode("subscribe", fields, _SUBSCRIBE)

    def _move(self, cursor: str) -> None:
        self._epoch, _, seq = cursor.rpartition(":")
        self._seq = int(seq)

    def _take_answer(self, answer: Answer) -> None:
        if answer.id == _SUBSCRIBE:
            if answer.refused is None:
                self._begin_following(answer)
            else:
                self._react(answer.refused)
        elif answer.id == _HELLO:
            if answer.refused is None:
                self.server = answer.ok
            else:
                self._stop(answer.refused)
        elif answer.id is None and answer.refused:
            self._complaints.add_refusal(answer.refused)

    def _begin_following(self, answer: Answer) -> None:
        try:
            check_answer("subscribe", answer.ok)
        except Garbled as error:
            self.trouble = f"The connection to the bus broke: {error}."
            return
        self._follow(answer.ok["cursor"])

    def _follow(self, cursor: str) -> None:
        self._move(cursor)
        self.is_following = True
        self._has_followed = True
        if self._is_away:
            self._is_away = False
            self._lines.append({"mark": "back", "cursor": cursor})

    def _stop(self, refused: Refused) -> None:
        """Ends the course for good, unless the bus is only in trouble and may take it later."""
        if self._has_followed and refused.code in ("shutting-down", "quota.exceeded"):
            self.trouble = f"The bus refused the subscription: {refused}."
        else:
            self.failure = self.failure or refused

    def _react(self, refused: Refused) -> None:
        """Goes on at a place that the bus knows, and tells of the gap."""
        last = refused.details.get("last")
        if not self._has_followed:
            self._stop(refused)
        elif refused.code == "cursor.future" and isinstance(last, int) and last < self._seq:
            self._gap("withdrawn", last + 1, self._seq)
            self._seq = last
            self.outgoing += self._subscribe()
        elif refused.code in ("cursor.epoch", "cursor.invalid", "cursor.future"):
            self._gap("another-log", self._seq + 1, None)
            self._seq = -1
            self._request["from"] = "start"
            self.outgoing += self._subscribe()
        else:
            self._stop(refused)

    def _gap(self, reason: str, start: int, end: Optional[int]) -> None:
        self._lines.append({"mark": "gap", "from": start, "to": end, "reason": reason})
