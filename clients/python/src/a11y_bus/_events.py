# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The objects that clients publish, as typed dictionaries.

They are for type checkers and editors alone: the bus checks every field, and any dictionary may be
published.
"""

from typing import List, Literal, Optional, Sequence, TypedDict, Union


class _Run(TypedDict):
    text: str


# “as” is a word of the language, so that it cannot stand in a class.
_Kind = TypedDict("_Kind", {"as": Literal["char", "key", "icon"]}, total=False)


class Run(_Run, _Kind, total=False):
    """A piece of a text, and how it is to be said."""

    spell: bool
    punctuation: Union[bool, Literal["some", "most"]]
    ipa: str
    lang: str
    pitch: float
    pitch_range: float
    rate: float
    volume: float
    voice: str
    capitals: Literal["none", "spell", "icon"]
    mark: str


Text = Union[str, Sequence[Run]]


class Place(TypedDict):
    """A place, from 1, among elements that belong together."""

    index: int
    count: int


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
    role: Optional[str]
    checked: Optional[Union[bool, Literal["mixed"]]]
    expanded: Optional[bool]
    required: Optional[bool]
    invalid: Optional[bool]
    set: Optional[Place]
    frame: Optional[List[int]]
    modal: Optional[bool]
    hidden: Optional[bool]
    accessible: Optional[bool]
    lang: Optional[str]
    actions: Optional[List[str]]
    responds: Optional[List[str]]


# Fields that any event may have. Those of the place stand apart, since some events require one.


class _Event(TypedDict, total=False):
    cause: Union[Literal["auto", "user"], int]
    basis: int
    key: str
    ttl_ms: int
    sensitive: bool
    foreground: bool
    origin: str


class _InWindow(TypedDict, total=False):
    window: str


class _OnElement(TypedDict, total=False):
    element: str


class _Anywhere(_Event, _InWindow, _OnElement):
    pass


# The name "class" is a keyword of Python.
_Classified = TypedDict("_Classified", {"class": str}, total=False)


class _Announcement(_Anywhere, _Classified, total=False):
    priority: Literal["low", "default", "high"]
    queue: bool
    mode: Literal["all", "latest", "latest-interrupt", "current-then-latest"]
    final: bool


class Announcement(_Announcement):
    """Words for the user."""

    type: Literal["announcement"]
    text: Text


class _Spoken(_Anywhere, total=False):
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


class FocusChanged(_Event, _InWindow):
    """The toolkit's report of the keyboard focus, which `element` names."""

    type: Literal["focus-changed"]
    element: str


class _VoiceOverStatus(_Anywhere, total=False):
    reader: str


class VoiceOverStatus(_VoiceOverStatus):
    """Whether a screen reader runs."""

    type: Literal["voiceover-status"]
    running: bool


class _Elements(_Event, _OnElement, total=False):
    upsert: Sequence[Element]
    remove: Sequence[str]
    replace: Sequence[Element]


class Elements(_Elements):
    """The elements of a window, or their changes."""

    type: Literal["elements"]
    window: str


class _Window(_Event, _OnElement, total=False):
    state: Literal["opened", "active", "inactive", "closed"]
    title: str
    modal: bool
    lock: bool


class Window(_Window):
    """A window and its state."""

    type: Literal["window"]
    window: str


class Handled(_Anywhere):
    """The answer to a gesture."""

    type: Literal["handled"]
    of: int
    handled: bool


class Busy(_Event, _InWindow):
    """Whether an element is still being filled."""

    type: Literal["busy"]
    element: str
    busy: bool


class Pause(_Anywhere):
    """A wish for quiet, or its end."""

    type: Literal["pause", "resume"]


class Cancel(_Anywhere):
    """The withdrawal of an event of one's own."""

    type: Literal["cancel"]
    of: int


class _ZoomFocusChanged(_Anywhere, total=False):
    zoom: str
    frame: List[int]


class ZoomFocusChanged(_ZoomFocusChanged):
    """The place that a magnifier is to show."""

    type: Literal["zoom-focus-changed"]


class ContentSizeChanged(_Anywhere):
    """The size of texts."""

    type: Literal["content-size-changed"]
    category: str


class _Action(_Anywhere, total=False):
    app: str
    point: List[int]
    name: str
    of: int


class Action(_Action):
    """The user's action, from the program that takes the user's keys and gestures."""

    type: Literal["action"]
    action: str


class _DoNotDisturb(_Anywhere, total=False):
    for_ms: int


class DoNotDisturb(_DoNotDisturb):
    """How little the user wants to be disturbed, from 0 to 100."""

    type: Literal["do-not-disturb"]
    level: int


class _Speech(_Anywhere, total=False):
    of: int
    reading: bool
    heard_ms: int
    reason: str
    by: str
    estimated: bool
    mark: str


class Speech(_Speech):
    """A reader's report."""

    type: Literal["speech"]
    state: Literal["started", "finished", "interrupted", "lost", "elsewhere", "progress"]


Event = Union[
    Announcement,
    LayoutChanged,
    ScreenChanged,
    PageScrolled,
    FocusChanged,
    VoiceOverStatus,
    Elements,
    Window,
    Handled,
    Busy,
    Pause,
    Cancel,
    ZoomFocusChanged,
    ContentSizeChanged,
    Action,
    DoNotDisturb,
    Speech,
]
