# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The fields of requests, made of the arguments of methods."""

from typing import Dict, Mapping, Optional

from ._events import Text
from ._wire import encode

# The states of a reader's report.
STATES = ("started", "finished", "interrupted", "lost", "elsewhere", "progress")


def announcement(text: Text, fields: Mapping[str, object]) -> Dict[str, object]:
    """An announcement with further fields; `class_` stands for `class`, which is no name."""
    if "type" in fields:
        raise ValueError("type: an announcement has no other type; publish takes any event")
    event: Dict[str, object] = {"type": "announcement", "text": text, **fields}
    if "class_" in event:
        event["class"] = event.pop("class_")
    return event


def report_line(is_reader: bool, of: int, state: str, fields: Mapping[str, object]) -> bytes:
    """The line with a reader's report, which nobody else can make."""
    if not is_reader:
        raise ValueError("report: this subscription is no reader's; subscribe with reader=Voice()")
    if state not in STATES:
        raise ValueError(f"state: expected one of {', '.join(STATES)}; got {state!r}")
    event = {"type": "speech", "of": of, "state": state, **fields}
    return encode("publish", {"event": event})


def publication(
    event: Mapping[str, object], ack: Optional[str] = None, dedupe: Optional[str] = None
) -> Dict[str, object]:
    """The request to publish an event."""
    fields: Dict[str, object] = {}
    if ack is not None:
        fields["ack"] = ack
    if dedupe is not None:
        fields["dedupe"] = dedupe
    if not isinstance(event, Mapping):
        raise TypeError(f"event: expected a mapping of fields; got {type(event).__name__}")
    fields["event"] = dict(event)
    return fields
