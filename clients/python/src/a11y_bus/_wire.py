# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The protocol as lines: requests become bytes, and bytes become answers, entries and marks."""

import json
import math
import re
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

from ._errors import Refused

# The longest line that the bus takes, without its end.
LINE_BYTES = 65_536
# The longest that is taken from it: only a state, which grows with all windows, comes near.
INCOMING_BYTES = 16 * 1_024 * 1_024
# How deep objects may stand in each other, the line itself included.
DEPTH = 32

Line = Dict[str, Any]


class Answer(NamedTuple):
    """The answer to a request; `id` is None for one that asked for no answer."""

    id: Any
    ok: Dict[str, Any]
    refused: Optional[Refused]


class UnknownFields(NamedTuple):
    """Fields that the bus does not know, and ignores."""

    names: Tuple[str, ...]


class Farewell(NamedTuple):
    """The reason for which the bus is about to close the connection."""

    reason: str


Message = Union[Line, Answer, UnknownFields, Farewell]


class Garbled(Exception):
    """A line came that the protocol does not allow."""


_encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def encode(op: str, fields: Mapping[str, object], id: Optional[int] = None) -> bytes:
    """A request as a line, with its end.

    What the bus could not read is refused here, since it could not tell which request it was.
    """
    request: Dict[str, object] = {"op": op} if id is None else {"id": id, "op": op}
    for name, value in fields.items():
        _check(value, name, 2)
        request[name] = value
    line = _encoder.encode(request).encode() + b"\n"
    if len(line) > LINE_BYTES + 1:
        msg = f"expected at most {LINE_BYTES} bytes; got {len(line) - 1}"
        raise Refused({"code": "line.too-long", "msg": msg})
    return line


def _check(value: object, path: str, depth: int) -> None:
    """Raises for a value that is no JSON, or none that the bus takes, and names its place."""
    if isinstance(value, str):
        _check_text(value, path)
    elif isinstance(value, (int, type(None))):
        if isinstance(value, int) and value.bit_length() > 1_023:
            raise ValueError(f"{path}: expected a number within a double; got a longer one")
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{path}: expected a finite number; got {value}")
    elif isinstance(value, (dict, list, tuple)):
        if depth > DEPTH:
            raise ValueError(f"{path}: expected at most {DEPTH} levels of objects and lists")
        if isinstance(value, dict):
            for name, member in value.items():
                if not isinstance(name, str):
                    raise TypeError(f"{path}: expected names that are text; got {name!r}")
                _check_text(name, path)
                _check(member, f"{path}.{name}", depth + 1)
        else:
            for index, member in enumerate(value):
                _check(member, f"{path}[{index}]", depth + 1)
    else:
        raise TypeError(f"{path}: expected a value of JSON; got {type(value).__name__}")


def _check_text(text: str, path: str) -> None:
    if "\0" in text:
        raise ValueError(f"{path}: expected text without U+0000")
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        raise ValueError(f"{path}: expected Unicode text; got the surrogate U+{code:04X}") from None


class Decoder:
    """Bytes in pieces of any size become the messages of whole lines."""

    def __init__(self) -> None:
        # The beginning of a line whose end is still to come.
        self._pieces: List[bytes] = []
        self._size = 0

    def receive(self, data: bytes) -> List[Message]:
        """The messages that end in this piece."""
        end = data.rfind(b"\n")
        if end < 0:
            self._keep(data)
            return []
        whole = b"".join(self._pieces) + data[:end] if self._pieces else data[:end]
        self._pieces = []
        self._size = 0
        if end + 1 < len(data):
            self._keep(data[end + 1 :])
        try:
            return [_message(json.loads(line)) for line in whole.decode().split("\n") if line]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise Garbled(f"a line from the bus is not understood: {error}") from None

    def _keep(self, data: bytes) -> None:
        self._pieces.append(data)
        self._size += len(data)
        if self._size > INCOMING_BYTES:
            raise Garbled(f"a line from the bus has more than {INCOMING_BYTES} bytes")


def _message(line: Any) -> Message:
    """The message of a line, with all that this package relies on being of its kind."""
    if not isinstance(line, dict):
        raise ValueError("it is no object")
    if "seq" in line:
        _need(line, {"seq": int, "event": dict})
        return line
    if "mark" in line:
        _need(line, {"mark": str})
        if "cursor" in line:
            _need(line, {"cursor": CURSOR})
        if line["mark"] == "gap":
            _need(line, {"from": int, "to": int, "reason": str})
        return line
    if "ok" in line:
        _need(line, {"ok": dict})
        return Answer(_id(line), line["ok"], None)
    if "err" in line:
        _need(line, {"err": dict})
        return Answer(_id(line), {}, Refused(_words(line["err"], "code", "field", "msg")))
    if "warn" in line:
        _need(line, {"warn": dict})
        names = line["warn"].get("fields", [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError("its fields are no list of names")
        return UnknownFields(tuple(names))
    if "bye" in line:
        _need(line, {"bye": dict})
        bye = _words(line["bye"], "code", "msg")
        _need(bye, {"code": str})
        return Farewell(f"{bye['code']}: {bye['msg']}" if bye.get("msg") else bye["code"])
    # A kind of line that a later version of the bus may send.
    return {"mark": "unknown", **line}


# A place in the log, as opposed to any other text.
CURSOR = "a cursor"
# What the answers to these requests have to hold; more is handed on as it came.
_ANSWERS: Dict[str, Dict[str, Any]] = {
    "publish": {"seq": int, "durability": str},
    "ping": {"last": int},
    "subscribe": {"cursor": CURSOR},
}


def check_answer(op: str, ok: Dict[str, Any]) -> None:
    """Raises where an answer lacks what its request was made for."""
    try:
        _need(ok, _ANSWERS.get(op, {}))
    except ValueError as error:
        raise Garbled(f"the answer to {op} is not understood: {error}") from None


def _need(line: Dict[str, Any], members: Mapping[str, Any]) -> None:
    for name, kind in members.items():
        value = line.get(name)
        if kind is CURSOR:
            is_right = isinstance(value, str) and _CURSOR.fullmatch(value) is not None
        else:
            # To Python, true is a number.
            is_right = isinstance(value, kind) and not isinstance(value, bool)
        if not is_right:
            raise ValueError(f"its {name} is missing, or not of its kind")


_CURSOR = re.compile(r"[^:\s]{0,64}:[0-9]{1,19}")


def _id(line: Dict[str, Any]) -> Any:
    if not isinstance(line.get("id"), (int, str, type(None))):
        raise ValueError("its id is not of its kind")
    return line.get("id")


def _words(details: Dict[str, Any], *names: str) -> Dict[str, Any]:
    for name in names:
        if not isinstance(details.get(name, ""), str):
            raise ValueError(f"its {name} is no text")
    return details
