# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The hello of a connection."""

import math
from typing import Dict, NamedTuple, Optional

NAME_BYTES = 128


class Voice(NamedTuple):
    """The part of a reader, an assistive technology, in its hello.

    The reader with the highest `speech`, from 0 to 100, speaks; with 0 it never does, as a braille
    display. With `reports` it promises to report every end of speech.
    """

    speech: int = 50
    reports: bool = False


def introduction(
    app: Optional[str],
    client: Optional[str] = None,
    advice: bool = False,
    voice: Optional[Voice] = None,
) -> Dict[str, object]:
    """The fields of a hello."""
    fields: Dict[str, object] = {"want": [1]}
    if app is not None:
        fields["app"] = _checked_name(app, "app")
    if client is not None:
        fields["client"] = _checked_name(client, "client")
    if advice:
        fields["advice"] = True
    if voice is not None:
        fields.update(role="reader", speech=voice.speech, reports=voice.reports)
    return fields


def _checked_name(name: str, field: str) -> str:
    # A hello that is refused would be noticed only with the first answer.
    if not isinstance(name, str):
        raise TypeError(f"{field}: expected text; got {type(name).__name__}")
    has_controls = any(ord(character) < 32 or ord(character) == 127 for character in name)
    if has_controls or not 1 <= len(name.encode()) <= NAME_BYTES:
        limits = f"1 to {NAME_BYTES} bytes without control characters"
        raise ValueError(f"{field}: expected {limits}; got {name!r}")
    return name


def checked_timeout(seconds: float) -> float:
    """The time for an answer, which is more than nothing."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise TypeError(f"timeout: expected seconds; got {type(seconds).__name__}")
    if not 0 < seconds < math.inf:
        raise ValueError(f"timeout: expected a number of seconds above 0; got {seconds!r}")
    return seconds


def checked_voice(voice: Optional[Voice]) -> Optional[Voice]:
    """The part of a reader, or none."""
    if voice is None or isinstance(voice, Voice):
        return voice
    raise TypeError(f"reader: expected a Voice; got {type(voice).__name__}")
