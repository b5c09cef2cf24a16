# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Publish to a11yd, the accessibility notification bus for Linux, and follow its log."""

from ._async_bus import AsyncBus
from ._async_subscription import AsyncSubscription
from ._bus import Bus
from ._complaints import Complaint
from ._entries import Entry, Explanation, Mark, Server, State
from ._errors import BusError, BusGone, NoAnswer, Refused
from ._events import (
    Action,
    Announcement,
    Busy,
    Cancel,
    ContentSizeChanged,
    DoNotDisturb,
    Element,
    Elements,
    Event,
    FocusChanged,
    Handled,
    LayoutChanged,
    PageScrolled,
    Pause,
    Place,
    Run,
    ScreenChanged,
    Speech,
    Text,
    VoiceOverStatus,
    Window,
    ZoomFocusChanged,
)
from ._introduction import Voice
from ._receipt import Receipt
from ._subscription import Subscription

__all__ = [
    "Action",
    "Announcement",
    "AsyncBus",
    "AsyncSubscription",
    "Bus",
    "BusError",
    "BusGone",
    "Busy",
    "Cancel",
    "Complaint",
    "ContentSizeChanged",
    "DoNotDisturb",
    "Element",
    "Elements",
    "Entry",
    "Event",
    "Explanation",
    "FocusChanged",
    "Handled",
    "LayoutChanged",
    "Mark",
    "NoAnswer",
    "PageScrolled",
    "Pause",
    "Place",
    "Receipt",
    "Refused",
    "Run",
    "ScreenChanged",
    "Server",
    "Speech",
    "State",
    "Subscription",
    "Text",
    "Voice",
    "VoiceOverStatus",
    "Window",
    "ZoomFocusChanged",
]
