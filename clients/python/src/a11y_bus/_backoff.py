# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The waits between attempts to reach a bus that is not there."""

import random


class Backoff:
    """Waits that double, up to a bound, and vary.

    A bus that stays away costs next to nothing, and the clients of a restarted one do not come all
    at once.
    """

    FIRST_SECONDS = 0.05
    LONGEST_SECONDS = 2.0

    def __init__(self) -> None:
        self._bound = self.FIRST_SECONDS

    def next_wait(self) -> float:
        """The seconds until the next attempt: from half of the bound to the bound."""
        bound = self._bound
        self._bound = min(2 * bound, self.LONGEST_SECONDS)
        return bound * random.uniform(0.5, 1)

    def reset(self) -> None:
        """Forgets earlier failures."""
        self._bound = self.FIRST_SECONDS
