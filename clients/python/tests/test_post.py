# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Events that nobody waits for, with a real daemon."""

import os
import select
import time
import unittest
from typing import Any, Dict

from a11y_bus import Bus
from a11y_bus._session import POSTED_BYTES
from daemon import PATIENCE, DaemonTest, words


def announcement(text: str) -> Dict[str, Any]:
    return {"type": "announcement", "text": text}


class PostTests(DaemonTest):
    def setUp(self) -> None:
        super().setUp()
        self.bus = Bus(self.daemon.socket, app="test", timeout=PATIENCE)
        self.addCleanup(self.bus.close)

    def test_posted_and_published_events_stay_in_order(self) -> None:
        with self.bus.subscribe(["announcement"]) as entries:
            self.bus.post(announcement("one"))
            self.bus.announce("two")
            self.bus.post(announcement("three"), dedupe="three")

            texts = [words(next(entries)) for _ in range(3)]
        self.assertEqual(texts, ["one", "two", "three"])

    def test_a_refusal_is_among_the_complaints(self) -> None:
        with self.assertLogs("a11y_bus", "WARNING"):
            self.assertTrue(self.bus.post({"type": "announcement"}))
            self.bus.ping()

        (complaint,) = self.bus.take_complaints()
        assert complaint.refused is not None
        self.assertEqual(complaint.refused.code, "field.missing")
        self.assertEqual(complaint.refused.field, "event.text")

    def test_a_flood_at_a_bus_that_does_not_read_ends_at_a_bound(self) -> None:
        self.bus.ping()
        self.daemon.freeze()
        event = announcement("x" * 1_000)
        taken, longest = 0, 0.0
        while True:
            start = time.monotonic()
            has_room = self.bus.post(event)
            longest = max(longest, time.monotonic() - start)
            if not has_room:
                break
            taken += 1
        self.assertGreater(taken, POSTED_BYTES // 1_100)
        self.assertLess(taken, 4 * POSTED_BYTES // 1_000)
        self.assertLess(longest, 1)
        self.assertFalse(self.bus.post(event))

        self.daemon.thaw()
        last = self.bus.ping()
        self.assertEqual(self.count(last), taken)
        (complaint,) = self.bus.take_complaints()
        self.assertEqual((complaint.kind, complaint.count), ("lost", 2))

    @unittest.skipIf("A11Y_EMULATED" in os.environ, "an emulated processor is slower")
    def test_posting_takes_at_most_60_microseconds_of_its_caller(self) -> None:
        event = {**announcement("Message 42 was sent to Anna"), "window": "main", "priority": "low"}
        bursts = []
        for _ in range(20):
            self.bus.ping()
            start = time.thread_time()
            for _ in range(200):
                self.assertTrue(self.bus.post(event))
            bursts.append((time.thread_time() - start) / 200)

        # The time of the processor, since other programs run on it, too.
        self.assertLess(sorted(bursts)[len(bursts) // 2], 60e-6)

    def test_a_flood_at_a_running_bus_is_all_on_record(self) -> None:
        posted = sum(self.bus.post(announcement(str(number))) for number in range(5_000))

        last = self.bus.ping()
        self.assertEqual(self.count(last), posted)
        lost = sum(complaint.count for complaint in self.bus.take_complaints())
        self.assertEqual(posted + lost, 5_000)

    def test_events_that_the_bus_did_not_take_before_it_went_are_told(self) -> None:
        self.bus.ping()
        self.daemon.freeze()
        posted = sum(self.bus.post(announcement("x" * 1_000)) for _ in range(800))
        self.assertEqual(posted, 800)
        self.daemon.kill()
        self.daemon.start()
        last = self.bus.ping()

        (complaint,) = self.bus.take_complaints()
        self.assertEqual(complaint.kind, "lost")
        self.assertGreater(complaint.count, 100)
        self.assertLessEqual(complaint.count + self.count(last), 800)

    def test_a_post_leaves_an_answer_to_the_thread_that_waits_for_it(self) -> None:
        self.bus.ping()
        session = self.bus._session
        session.is_watched = True
        ticket = session.ask("ping", {}, True)
        assert session.connection is not None
        self.assertTrue(select.select([session.connection], [], [], PATIENCE)[0])
        self.bus.post(announcement("one"))
        self.assertFalse(ticket.is_done)
        session.is_watched = False
        self.bus.post(announcement("two"))
        self.assertTrue(ticket.is_done)

    def test_the_last_post_before_the_end_is_on_record(self) -> None:
        with self.bus.subscribe(["announcement"]) as entries:
            with Bus(self.daemon.socket, app="short") as short:
                short.post(announcement("Goodbye"))

            self.assertEqual(words(next(entries)), "Goodbye")

    def test_refusals_that_nobody_asks_for_stop_nothing(self) -> None:
        # 20,000 refusals are more than the bus keeps for a client that does not read.
        for _ in range(20_000):
            self.bus.post({"type": "nope"})

        self.assertGreater(self.bus.announce("It goes on"), 0)
        self.assertEqual(len(self.bus.take_complaints()), 64)

    def count(self, last: int) -> int:
        """The announcements on record."""
        entries = self.bus.subscribe(["announcement"], "start", marks=True)
        count = 0
        for entry in entries:
            if "mark" in entry:
                if entry["mark"] == "caught-up":
                    break
            else:
                count += 1
        return count


if __name__ == "__main__":
    unittest.main()
