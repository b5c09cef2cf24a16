# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The example program, with a real daemon."""

import os
import signal
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any, Callable, List

from a11y_bus import Bus, Voice
from daemon import PATIENCE, DaemonTest
from lines import Lines

EXAMPLE = Path(__file__).parent.parent / "examples" / "counter.py"


@unittest.skipIf("A11Y_EMULATED" in os.environ, "an emulated program starts none of its kind")
class CounterTests(DaemonTest):
    def setUp(self) -> None:
        super().setUp()
        self.user = Bus(self.daemon.socket, app="user", timeout=PATIENCE)
        self.addCleanup(self.user.close)
        self.words = self.user.subscribe(["deliver", "outcome"], reader=Voice(reports=True))
        # The results of gestures.
        self.results: List[str] = []
        self.counter = subprocess.Popen(
            [sys.executable, str(EXAMPLE)],
            stdout=subprocess.PIPE,
            env={**os.environ, "A11YD_SOCKET": self.daemon.socket},
        )
        assert self.counter.stdout is not None
        self.printed = Lines(self.counter.stdout)
        self.addCleanup(self.printed.close)
        self.addCleanup(self.counter.wait)
        self.addCleanup(self.counter.kill)

    def listen(self, is_it: Callable[[Any], bool]) -> None:
        """Reads aloud what the bus delivers, until the event that is waited for."""
        while True:
            entry = self.words.take(PATIENCE)
            assert entry is not None, "it did not come"
            event = entry["event"]
            if event["type"] == "deliver":
                self.words.report(entry["seq"], "started")
                self.words.report(entry["seq"], "finished")
            elif event["result"] in ("handled", "unhandled"):
                self.results.append(event["result"])
            if is_it(event):
                return

    def hear(self, text: str) -> None:
        self.listen(lambda event: text in str(event.get("speak")))

    def expect(self, start: str) -> str:
        return self.printed.wait_for(start, PATIENCE)

    def act(self, action: str) -> None:
        self.user.publish({"type": "action", "action": action})

    def test_it_counts_across_a_restart_of_the_bus(self) -> None:
        self.hear("Counter is ready")
        self.assertRegex(self.expect("Announcement"), r"^Announcement [0-9]+: heard\.$")
        self.act("activate")
        self.assertEqual(self.expect("Gesture"), "Gesture: activate on count.")
        self.hear("1")
        self.act("increment")
        self.assertEqual(self.expect("Gesture"), "Gesture: increment on count.")
        self.listen(lambda event: event.get("result") == "unhandled")
        self.assertEqual(self.results, ["handled", "unhandled"])

        self.daemon.kill()
        self.assertEqual(self.printed.take(PATIENCE), "The bus is gone.")
        self.daemon.start()
        self.assertEqual(self.expect("The bus is back"), "The bus is back.")
        self.act("activate")
        self.assertEqual(self.expect("Gesture"), "Gesture: activate on count.")
        self.hear("2")

        self.counter.send_signal(signal.SIGTERM)
        self.assertEqual(self.expect("Goodbye"), "Goodbye.")
        self.assertEqual(self.counter.wait(PATIENCE), 0)

    def test_it_tells_where_the_focus_is(self) -> None:
        self.assertEqual(self.expect("Focus: count"), "Focus: count.")

    def test_it_ends_while_the_bus_is_away(self) -> None:
        self.expect("Focus: count")
        self.daemon.kill()
        self.expect("The bus is gone.")
        self.counter.send_signal(signal.SIGTERM)
        self.assertEqual(self.expect("Goodbye"), "Goodbye.")
        self.assertEqual(self.counter.wait(PATIENCE), 0)


if __name__ == "__main__":
    unittest.main()
