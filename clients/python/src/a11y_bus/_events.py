# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The objects that apps publish, as typed dictionaries.

They are for type checkers and editors alone: the bus checks every field, and any dictionary may be
published.
"""

from typing import List, Literal, Optional, Sequence, TypedDict, Union


class _Run(TypedDict):
    text: str


class Run(_Run, total=False):
    """A piece of a text, and how it is to be said."""

    spell: bool
    punctuation: bool
    ipa: str
    lang: str
    pitch: float


Text = Union[str, Sequence[Run]]


class _Element(TypedDict):
    id: str


class Element(_Element, total=False):
    """An element of a window; members that are None are removed from what the bus knows."""

    parent: Optional[str]
    index: Optional[int]
    label: Optional[str]
    value: Optional[str]
    hint: Optional[str]
    traits: Optional[List[str]]
    frame: Optional[List[int]]
    modal: Optional[bool]
    hidden: Optional[bool]
    accessible: Optional[bool]
    lang: Optional[str]
    actions: Optional[List[str]]
    responds: Optional[List[str]]


class _Event(TypedDict, total=False):
    """The fields that any event may have."""

    window: str
    element: str
    cause: Union[Literal["auto", "user"], int]
    basis: int
    key: str
    ttl_ms: int
    sensitive: bool
    foreground: bool
    origin: str


# "class" is no name in Python.
_Classified = TypedDict("_Classified", {"class": str}, total=False)


class _Announcement(_Event, _Classified, total=False):
    priority: Literal["low", "default", "high"]
    queue: bool
    mode: Literal["all", "latest", "latest-interrupt", "current-then-latest"]
    final: bool


class Announcement(_Announcement):
    """Words for the user."""

    type: Literal["announcement"]
    text: Text


class _Spoken(_Event, total=False):
    text: Text


class LayoutChanged(_Spoken):
    """Some of the window has changed; `element` asks for the focus."""

    type: Literal["layout-changed"]


class _ScreenChanged(_Spoken, total=False):
    modal: bool


class ScreenChanged(_ScreenChanged):
    """The window shows something else; `element` asks for the focus."""

    type: Literal["screen-changed"]


class _PageScrolled(_Spoken, total=False):
    continuous: bool


class PageScrolled(_PageScrolled):
    """A page has been scrolled, as `text` says: "Page 5 of 17"."""

    type: Literal["page-scrolled"]


class FocusChanged(_Event):
    """The toolkit's report of the keyboard focus, which `element` names."""

    type: Literal["focus-changed"]


class _Elements(_Event, total=False):
    upsert: Sequence[Element]
    remove: Sequence[str]
    replace: Sequence[Element]


class Elements(_Elements):
    """The elements of a window, or their changes."""

    type: Literal["elements"]


class _Window(_Event, total=False):
    state: Literal["opened", "active", "inactive", "closed"]
    title: str
    modal: bool


class Window(_Window):
    """A window and its state."""

    type: Literal["window"]


class Handled(_Event):
    """The answer to a gesture."""

    type: Literal["handled"]
    of: int
    handled: bool


class Busy(_Event):
    """Whether an element is still being filled."""

    type: Literal["busy"]
    busy: bool


class Pause(_Event):
    """A wish for quiet, or its end."""

    type: Literal["pause", "resume"]


class Cancel(_Event):
    """The withdrawal of an event of one's own."""

    type: Literal["cancel"]
    of: int


Event = Union[
    Announcement,
    LayoutChanged,
    ScreenChanged,
    PageScrolled,
    FocusChanged,
    Elements,
    Window,
    Handled,
    Busy,
    Pause,
    Cancel,
]
