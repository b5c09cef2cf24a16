# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""News of events for which no call waits any more."""

import logging
import threading
from collections import deque
from dataclasses import dataclass
from typing import Deque, List, Optional, Tuple

from ._errors import Refused

log = logging.getLogger("a11y_bus")


@dataclass(frozen=True)
class Complaint:
    """Something that went wrong without a call to tell it.

    `kind` is `refused` for a posted event that the bus refused, `unknown-fields` for fields that it
    ignored, `lost` for posted events that were given up, `count` of them, and `gap` for entries
    that the log did not have for an iteration without marks.
    """

    kind: str
    text: str
    refused: Optional[Refused] = None
    fields: Tuple[str, ...] = ()
    count: int = 1

    def __str__(self) -> str:
        return self.text


class Complaints:
    """The complaints until they are asked for; of too many the oldest go.

    Each is also a warning of the logger `a11y_bus`, so that a misspelt field is seen even if nobody
    asks.
    """

    KEPT = 64

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: Deque[Complaint] = deque(maxlen=self.KEPT)

    def take(self) -> List[Complaint]:
        """Hands out the complaints, and forgets them."""
        with self._lock:
            taken = list(self._kept)
            self._kept.clear()
        return taken

    def add_refusal(self, refused: Refused, request: str = "a posted event") -> None:
        self._add(Complaint("refused", f"The bus refused {request}: {refused}.", refused))

    def add_unknown_fields(self, fields: Tuple[str, ...]) -> None:
        names = ", ".join(fields)
        self._add(Complaint("unknown-fields", f"The bus ignores {names}.", fields=fields))

    def add_gap(self, first: int, last: Optional[int], reason: str) -> None:
        """Tells of entries that an iteration has missed."""
        if reason == "another-log" or last is None:
            text = "The bus has another log now; its entries follow from its beginning."
        elif reason == "withdrawn":
            text = f"The bus lost the entries {first} to {last}, and uses their numbers again."
        else:
            text = f"The log does not have the entries {first} to {last} ({reason})."
        self._add(Complaint("gap", text))

    def add_loss(self, reason: str, count: int = 1) -> None:
        """Tells of given up events; a row of losses is one complaint."""
        with self._lock:
            last = self._kept[-1] if self._kept else None
            if last and last.kind == "lost":
                del self._kept[-1]
                count += last.count
            events = "A posted event was" if count == 1 else f"{count} posted events were"
            complaint = Complaint("lost", f"{events} given up: {reason}.", count=count)
            self._kept.append(complaint)
        if not last or last.kind != "lost":
            log.warning("%s", complaint)

    def _add(self, complaint: Complaint) -> None:
        with self._lock:
            self._kept.append(complaint)
        log.warning("%s", complaint)
