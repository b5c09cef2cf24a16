# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The ways in which a request can fail."""

from typing import Any, Dict, Optional


class BusError(Exception):
    """The base of all errors of this package."""


class Refused(BusError):
    """The bus understood the request, and refused it.

    `code` is one of the protocol's closed set, `field` names the mistake's place if it has one, and
    `msg` says what was expected and what came. `details` holds all that the bus said, as
    `retry_ms` where waiting helps, or `last` where a cursor lay beyond the log.
    """

    def __init__(self, details: Dict[str, Any]) -> None:
        self.details = details
        self.code: str = details.get("code", "internal")
        self.field: Optional[str] = details.get("field")
        self.msg: str = details.get("msg", "")
        place = f"{self.code}, {self.field}" if self.field else self.code
        super().__init__(f"{place}: {self.msg}" if self.msg else place)

    def __reduce__(self) -> Any:
        return type(self), (self.details,)


class BusGone(BusError):
    """The bus cannot be reached, or the connection broke before it answered.

    `in_doubt` tells whether the request may have taken effect nevertheless: it was sent, and its
    answer is lost.
    """

    def __init__(self, text: str, in_doubt: bool = False) -> None:
        super().__init__(text, in_doubt)
        self.in_doubt = in_doubt

    def __str__(self) -> str:
        return str(self.args[0])


class NoAnswer(BusError):
    """The bus did not answer in time; the request may still take effect."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds

    def __str__(self) -> str:
        return f"The bus did not answer within {self.seconds:g} seconds."
