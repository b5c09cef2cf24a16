# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Following the log, with a real daemon."""

import os
import threading
import unittest
from typing import Any, List, Optional

from a11y_bus import Bus, Refused
from daemon import PATIENCE, DaemonTest, words


class SubscribeTests(DaemonTest):
    def setUp(self) -> None:
        super().setUp()
        self.bus = Bus(self.daemon.socket, app="test", timeout=PATIENCE)
        self.addCleanup(self.bus.close)

    def texts(self, since: str, count: int, types: Optional[List[str]] = None) -> List[Any]:
        """The texts of so many announcements from a place on."""
        with self.bus.subscribe(types or ["announcement"], since) as entries:
            return [words(entry) for _, entry in zip(range(count), entries)]

    def test_a_subscription_begins_now_at_the_start_or_behind_a_cursor(self) -> None:
        self.bus.announce("one")
        with self.bus.subscribe(["announcement"]) as entries:
            before = entries.cursor
            self.bus.announce("two")
            self.assertEqual(words(next(entries)), "two")
            after = entries.cursor
            self.bus.announce("three")
        self.bus.announce("four")
        assert before is not None and after is not None

        self.assertEqual(self.texts("start", 4), ["one", "two", "three", "four"])
        self.assertEqual(self.texts(before, 3), ["two", "three", "four"])
        self.assertEqual(self.texts(after, 2), ["three", "four"])

    def test_a_place_that_the_bus_does_not_know_is_refused(self) -> None:
        epoch = self.bus.server["epoch"]
        cases = [
            ("yesterday", "cursor.invalid"),
            ("0" * 32 + ":1", "cursor.epoch"),
            (f"{epoch}:1000000", "cursor.future"),
        ]
        for since, code in cases:
            with self.subTest(since=since), self.assertRaises(Refused) as caught:
                self.bus.subscribe(since=since)
            self.assertEqual(caught.exception.code, code)

    def test_filters_choose_by_app_window_element_and_priority(self) -> None:
        with Bus(self.daemon.socket, app="other", timeout=PATIENCE) as other:
            other.announce("other")
        self.bus.announce("plain")
        self.bus.announce("high", priority="high", window="w", element="e")

        def first(**filters: Any) -> Any:
            entries = self.bus.subscribe(["announcement"], "start", **filters)
            return words(next(entries))

        self.assertEqual(first(), "other")
        self.assertEqual(first(apps=["test"]), "plain")
        self.assertEqual(first(windows=["w"]), "high")
        self.assertEqual(first(elements=["e"]), "high")
        self.assertEqual(first(priorities=["high"]), "high")
        with self.assertRaises(TypeError):
            self.bus.subscribe("announcement")

    def test_marks_come_when_they_are_asked_for(self) -> None:
        self.bus.announce("one")
        with self.bus.subscribe(["pause"], "start", marks=True, state=True) as entries:
            names = []
            for line in entries:
                assert "mark" in line
                names.append(line["mark"])
                self.assertEqual(line["cursor"], entries.cursor)
                if line["mark"] == "caught-up":
                    break
            self.assertEqual(names, ["state", "caught-up"])
            for number in range(1_001):
                self.bus.post({"type": "busy", "window": "w", "element": "e", "busy": False})
            checkpoint = next(entries)
            assert "mark" in checkpoint
            self.assertEqual(checkpoint["mark"], "checkpoint")

    def test_a_wait_has_an_end(self) -> None:
        with self.bus.subscribe(["announcement"]) as entries:
            self.assertIsNone(entries.take(timeout=0))
            self.assertIsNone(entries.take(timeout=0.01))
            self.bus.announce("one")
            self.assertEqual(words(entries.take(PATIENCE)), "one")

    def test_a_slow_subscriber_misses_nothing(self) -> None:
        # Far more than the kernel and the bus keep for a subscriber.
        text = "x" * 2_000
        with self.bus.subscribe(["announcement"]) as entries:
            for number in range(3_000):
                self.bus.announce(f"{number} {text}", ack="received")
            numbers = [int((words(next(entries)) or "").split()[0]) for _ in range(3_000)]
        self.assertEqual(numbers, list(range(3_000)))

    def test_closing_a_subscription_ends_its_iteration(self) -> None:
        entries = self.bus.subscribe(["announcement"])
        self.bus.announce("one")
        seen: List[Any] = []
        is_waiting = threading.Event()

        def iterate() -> None:
            for entry in entries:
                seen.append(words(entry))
                is_waiting.set()

        thread = threading.Thread(target=iterate)
        thread.start()
        self.assertTrue(is_waiting.wait(PATIENCE))
        entries.close()
        thread.join(PATIENCE)
        self.assertFalse(thread.is_alive())
        self.assertEqual(seen, ["one"])
        self.assertIsNone(entries.take())
        self.assertEqual(list(entries), [])

    def test_many_short_subscriptions_leave_nothing_behind(self) -> None:
        def descriptors() -> int:
            return len(os.listdir("/proc/self/fd"))

        self.bus.announce("one")
        before = descriptors()
        for _ in range(50):
            for entry in self.bus.subscribe(["announcement"], "start"):
                break
        self.assertLessEqual(descriptors(), before + 4)


if __name__ == "__main__":
    unittest.main()
