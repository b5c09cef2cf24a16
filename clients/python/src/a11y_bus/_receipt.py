# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The seq of a published event, with the rest of the bus's answer."""

from typing import Any, Dict, List, Optional


class Receipt(int):
    """The seq of a published event.

    It is a number and may be stored as one; `answer` holds all that the bus said of the event.
    """

    answer: Dict[str, Any]

    def __new__(cls, answer: Dict[str, Any]) -> "Receipt":
        self = super().__new__(cls, answer["seq"])
        self.answer = answer
        return self

    def __reduce__(self) -> Any:
        return type(self), (self.answer,)

    @property
    def durability(self) -> str:
        """The safety that is reached: `received`, `written` or `synced`."""
        return str(self.answer["durability"])

    @property
    def is_duplicate(self) -> bool:
        """Whether an event with the same `dedupe` key was on record already."""
        return bool(self.answer.get("duplicate", False))

    @property
    def focus(self) -> Optional[Dict[str, Any]]:
        """The decision on the event's wish for the focus: `result`, `reason` and `seq`."""
        focus: Optional[Dict[str, Any]] = self.answer.get("focus")
        return focus

    @property
    def warnings(self) -> List[Dict[str, Any]]:
        """Advice on the event: a `code`, the `field` and `msg` each."""
        return list(self.answer.get("warnings", []))
