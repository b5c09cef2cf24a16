# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The lines that a process prints, with a deadline for each."""

import os
import select
import time
from typing import IO


class Lines:
    """The lines of a pipe."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._rest = b""
        self._said = ""

    def take(self, seconds: float) -> str:
        """The next line."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self._rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._pipe], [], [], left)[0]:
                raise AssertionError(f"no line came in time after: {self._said}")
            piece = os.read(self._pipe.fileno(), 65_536)
            if not piece:
                raise AssertionError(f"the process ended after: {self._said}{self._rest!r}")
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\n")
        self._said += line.decode() + "\n"
        return line.decode()

    def wait_for(self, start: str, seconds: float) -> str:
        """The next line that begins like this."""
        deadline = time.monotonic() + seconds
        while True:
            line = self.take(max(0.0, deadline - time.monotonic()))
            if line.startswith(start):
                return line

    def close(self) -> None:
        self._pipe.close()
