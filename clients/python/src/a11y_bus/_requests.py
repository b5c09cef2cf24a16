# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The fields of requests, made of the arguments of methods."""

from typing import Dict, Mapping, Optional

from ._events import Text


def announcement(text: Text, fields: Mapping[str, object]) -> Dict[str, object]:
    """An announcement with further fields; `class_` stands for `class`, which is no name."""
    event: Dict[str, object] = {"type": "announcement", "text": text, **fields}
    if "class_" in event:
        event["class"] = event.pop("class_")
    return event


def publication(
    event: Mapping[str, object], ack: Optional[str] = None, dedupe: Optional[str] = None
) -> Dict[str, object]:
    """The request to publish an event."""
    fields: Dict[str, object] = {}
    if ack is not None:
        fields["ack"] = ack
    if dedupe is not None:
        fields["dedupe"] = dedupe
    fields["event"] = dict(event)
    return fields
