# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""A daemon that is killed and comes back."""

import os
import threading
import unittest
from typing import Any, Callable, List, Optional

from a11y_bus import Bus, BusGone, Receipt
from daemon import PATIENCE, DaemonTest, words


class Caller(threading.Thread):
    """A call in a thread, with its result or its error."""

    def __init__(self, call: Callable[[], Any]) -> None:
        super().__init__()
        self._call = call
        self.result: Any = None
        self.error: Optional[BaseException] = None
        self.start()

    def run(self) -> None:
        try:
            self.result = self._call()
        except BaseException as error:
            self.error = error


def wait_until_sent(bus: Bus) -> None:
    """Waits until a call in another thread has sent its request, and waits for the answer."""
    while not bus._session.is_watched:
        os.sched_yield()


class RestartTests(DaemonTest):
    def setUp(self) -> None:
        super().setUp()
        self.bus = Bus(self.daemon.socket, app="test", timeout=PATIENCE)
        self.addCleanup(self.bus.close)

    def restart(self) -> None:
        self.daemon.kill()
        self.daemon.start()

    def test_the_next_call_connects_again_and_says_hello(self) -> None:
        self.bus.announce("before")
        conn = self.bus.server["conn"]
        self.restart()
        seq = self.bus.announce("after")

        self.assertEqual(self.bus.explain(seq)["entry"]["app"], "test")
        self.assertNotEqual((conn, seq), (self.bus.server["conn"], None))
        self.restart()
        self.assertTrue(self.bus.post({"type": "announcement", "text": "posted"}))
        self.assertGreater(self.bus.ping(), seq)
        self.assertEqual(self.bus.take_complaints(), [])

    def test_a_call_while_the_bus_is_away_fails_at_once(self) -> None:
        self.bus.announce("before")
        self.daemon.kill()
        with self.assertRaises(BusGone) as caught:
            self.bus.announce("lost")

        self.assertFalse(caught.exception.in_doubt)
        self.assertIn(self.daemon.socket, str(caught.exception))
        self.daemon.start()
        self.assertGreater(self.bus.announce("after"), 0)

    def test_a_bus_that_is_stopped_says_so(self) -> None:
        entries = self.bus.subscribe(["announcement"], marks=True)
        self.bus.announce("before")
        self.daemon.stop()
        line: Any = {}
        while line.get("mark") != "away":
            line = entries.take(PATIENCE)
        self.assertIn("shutting-down", line["reason"])
        with self.assertRaises(BusGone):
            self.bus.announce("lost")

    def test_a_subscription_goes_on_behind_its_last_entry(self) -> None:
        entries = self.bus.subscribe(["announcement"], marks=True)
        seen: List[Any] = []
        has_come = threading.Condition()

        def iterate() -> None:
            for line in entries:
                with has_come:
                    seen.append(line["mark"] if "mark" in line else words(line))
                    has_come.notify_all()

        def wait_for(item: Any) -> None:
            with has_come:
                self.assertTrue(has_come.wait_for(lambda: item in seen, PATIENCE), seen)

        thread = threading.Thread(target=iterate)
        thread.start()
        self.addCleanup(thread.join, PATIENCE)
        self.addCleanup(entries.close)
        self.bus.announce("one")
        wait_for("one")
        self.daemon.kill()
        wait_for("away")
        self.daemon.start()
        self.bus.announce("two")
        wait_for("two")
        self.restart()
        self.bus.announce("three")
        wait_for("three")

        texts = ["one", "two", "three"]
        self.assertEqual([item for item in seen if item in texts], texts)
        self.assertEqual((seen.count("away"), seen.count("back")), (2, 2))
        self.assertLess(seen.index("back"), seen.index("two"))

    def test_nothing_is_missed_or_repeated_while_publishing_goes_on(self) -> None:
        published: List[int] = []
        doubtful = 0
        entries = self.bus.subscribe(["announcement"])
        for round in range(4):
            for number in range(50):
                # The daemon dies between two events, or under one.
                if number == 25:
                    killer = Caller(self.restart)
                while True:
                    try:
                        published.append(self.bus.announce(f"{round} {number}"))
                        break
                    except BusGone as error:
                        if error.in_doubt:
                            doubtful += 1
                            break
            killer.join(PATIENCE)
            self.assertIsNone(killer.error)
        last = self.bus.announce("last")
        seqs = []
        for entry in entries:
            seqs.append(entry["seq"])
            if entry["seq"] == last:
                break
        self.assertEqual(seqs, sorted(set(seqs)))
        self.assertLessEqual(set(published), set(seqs))
        self.assertLessEqual(len(seqs) - len(published) - 1, doubtful)

    def test_an_answer_that_is_lost_leaves_the_event_in_doubt(self) -> None:
        self.bus.announce("before")
        self.daemon.freeze()
        caller = Caller(lambda: self.bus.announce("in doubt"))
        wait_until_sent(self.bus)
        self.daemon.kill()
        caller.join(PATIENCE)

        assert isinstance(caller.error, BusGone)
        self.assertTrue(caller.error.in_doubt)

    def test_another_log_is_told_as_a_gap(self) -> None:
        self.bus.announce("old")
        entries = self.bus.subscribe(["announcement"], marks=True)
        self.daemon.kill()
        self.daemon.lose_log()
        self.daemon.start()
        self.bus.announce("new")
        marks: List[Any] = []
        for line in entries:
            if "mark" not in line:
                self.assertEqual(words(line), "new")
                break
            marks.append(line)
        names = [mark["mark"] for mark in marks]
        self.assertEqual([name for name in names if name != "caught-up"], ["away", "gap", "back"])
        self.assertEqual([m["reason"] for m in marks if m["mark"] == "gap"], ["another-log"])


class BacklogTests(DaemonTest):
    """The socket stays while the daemon restarts, as under systemd."""

    holds_socket = True

    def setUp(self) -> None:
        super().setUp()
        self.bus = Bus(self.daemon.socket, app="test", timeout=PATIENCE)
        self.addCleanup(self.bus.close)

    def test_a_call_waits_for_the_bus(self) -> None:
        self.bus.announce("before")
        self.daemon.kill()
        caller = Caller(lambda: self.bus.announce("meanwhile"))
        self.daemon.start()
        caller.join(PATIENCE)

        self.assertIsInstance(caller.result, Receipt)

    def test_an_event_with_a_key_is_sent_again_and_recorded_once(self) -> None:
        self.bus.announce("before")
        for kills in (False, True):
            self.daemon.freeze()
            key = f"key {kills}"
            caller = Caller(lambda: self.bus.announce(key, dedupe=key))
            wait_until_sent(self.bus)
            if kills:
                self.daemon.kill()
                self.daemon.start()
            else:
                self.daemon.thaw()
            caller.join(PATIENCE)
            self.assertIsNone(caller.error)
            again = self.bus.announce(key, dedupe=key)
            self.assertEqual(again, caller.result)
            self.assertTrue(again.is_duplicate)


if __name__ == "__main__":
    unittest.main()
