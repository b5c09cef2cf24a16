# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The objects that the bus sends, as typed dictionaries."""

from typing import Any, Dict, List, Optional, TypedDict, final


class _Entry(TypedDict):
    seq: int
    time: int
    mono: int
    app: str
    uid: int
    conn: int
    event: Any
    crc: str


@final
class Entry(_Entry, total=False):
    """A line of the log. `time` is in microseconds since 1970, `mono` on the clock of the bus.

    One that was forgotten has no `app`, `uid` and `conn`.
    """

    dedupe: str


# "from" is no name in Python.
_From = TypedDict("_From", {"from": int}, total=False)


class _Mark(TypedDict):
    mark: str


@final
class Mark(_Mark, _From, total=False):
    """News of a subscription itself.

    From the bus come `state`, `caught-up`, `checkpoint`, `gap`, `skipped` and `secret`. The
    subscription adds `away`, with a `reason`, when the bus has gone, and `back`, with a `cursor`,
    when it goes on. A `gap` for the reason `withdrawn` says that the bus lost, in a crash, entries
    that were handed out, and uses their seqs again; one for the reason `another-log` that the bus
    has another log now, which follows from its beginning.
    """

    cursor: str
    state: Any
    to: Optional[int]
    reason: str
    count: int
    of: int
    kind: str
    speak: List[Any]
    epoch: str


class Server(TypedDict):
    """The answer to hello: the introduction of the bus."""

    protocol: int
    server: str
    epoch: str
    epochs: List[Dict[str, Any]]
    first: int
    last: int
    conn: int
    uid: int
    roles: List[str]
    limits: Dict[str, int]
    durability: Dict[str, Any]
    features: List[str]


class State(TypedDict):
    """Windows, focus and reader at a cursor, and the events that wait."""

    cursor: str
    focus: Optional[Dict[str, Any]]
    windows: List[Dict[str, Any]]
    reader: Dict[str, Any]
    do_not_disturb: int
    pending: List[Dict[str, Any]]


class _Explanation(TypedDict):
    entry: Entry
    outcome: Optional[Dict[str, Any]]
    rule: Optional[str]
    why: Dict[str, Any]
    related: List[Dict[str, Any]]
    sentence: str


class Explanation(_Explanation, total=False):
    """The end of an entry and its reason; `sentence` says it all.

    An event that waits has `pending`, and one that has ended has its `result`.
    """

    pending: Dict[str, Any]
    result: str
