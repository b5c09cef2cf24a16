# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Publishing and asking, with a real daemon."""

import threading
import unittest
from typing import Any, Dict, List

from a11y_bus import Announcement, Bus, BusGone, NoAnswer, Receipt, Refused
from a11y_bus._wire import LINE_BYTES, encode
from daemon import PATIENCE, DaemonTest, words


class PublishTests(DaemonTest):
    def setUp(self) -> None:
        super().setUp()
        self.bus = Bus(self.daemon.socket, app="test", timeout=PATIENCE)
        self.addCleanup(self.bus.close)

    def event(self, seq: int) -> Dict[str, Any]:
        event: Dict[str, Any] = self.bus.explain(seq)["entry"]["event"]
        return event

    def test_what_cannot_be_an_event_is_a_mistake_at_once(self) -> None:
        with self.assertRaisesRegex(ValueError, "no other type"):
            self.bus.announce("x", type="window")
        for event in ("{}", None):
            with self.assertRaisesRegex(TypeError, "expected a mapping"):
                self.bus.publish(event)  # type: ignore[arg-type]
        for seconds in (0, -1, float("nan")):
            with self.assertRaisesRegex(ValueError, "above 0"):
                Bus(self.daemon.socket, timeout=seconds)

    def test_an_announcement_is_on_record_with_its_fields(self) -> None:
        seq = self.bus.announce("Saved", priority="high", class_="status")

        wanted = {"type": "announcement", "text": "Saved", "priority": "high", "class": "status"}
        self.assertEqual(self.event(seq), wanted)
        self.assertEqual(self.bus.explain(seq)["entry"]["app"], "test")

    def test_a_typed_event_is_published_like_any_dictionary(self) -> None:
        event: Announcement = {"type": "announcement", "text": [{"text": "98110", "spell": True}]}

        self.assertEqual(self.event(self.bus.publish(event)), event)

    def test_a_receipt_is_the_seq_and_tells_the_rest(self) -> None:
        self.bus.publish({"type": "window", "window": "w", "state": "active"})
        receipt = self.bus.publish({"type": "screen-changed", "window": "w", "element": "none"})
        again = [self.bus.announce("Twice", dedupe="key", ack="synced") for _ in range(2)]

        self.assertIsInstance(receipt, Receipt)
        assert receipt.focus is not None
        self.assertEqual(receipt.focus["result"], "denied")
        self.assertTrue(receipt.warnings)
        self.assertEqual(again[0], again[1])
        self.assertEqual([one.is_duplicate for one in again], [False, True])
        self.assertEqual(again[0].durability, "synced")

    def test_a_refusal_names_the_field(self) -> None:
        with self.assertRaises(Refused) as caught:
            self.bus.announce("Saved", priority="urgent")

        self.assertEqual(caught.exception.code, "field.invalid")
        self.assertEqual(caught.exception.field, "event.priority")
        self.assertIn("urgent", caught.exception.msg)
        self.assertGreater(self.bus.announce("It goes on"), 0)

    def test_an_unknown_field_is_ignored_and_told(self) -> None:
        with self.assertLogs("a11y_bus", "WARNING") as logs:
            seq = self.bus.announce("Saved", priorty="high")

        (complaint,) = self.bus.take_complaints()
        self.assertEqual(complaint.fields, ("event.priorty",))
        self.assertIn("event.priorty", logs.output[0])
        self.assertNotIn("priorty", self.event(seq))
        self.assertEqual(self.bus.take_complaints(), [])

    def test_any_text_comes_out_as_it_went_in(self) -> None:
        for text in ("😀 e\u0301", "\u2028 \u2029 \x85 \x1b", "שלום \u202e", '"\\\n\t', "\x7f"):
            with self.subTest(text=text):
                self.assertEqual(self.event(self.bus.announce(text))["text"], text)

    def test_a_value_that_is_no_json_is_refused_before_it_is_sent(self) -> None:
        before = self.bus.ping()
        with self.assertRaises(ValueError):
            self.bus.announce("\ud800")
        with self.assertRaises(ValueError):
            self.bus.publish({"type": "announcement", "text": "a", "ttl_ms": float("nan")})
        with self.assertRaises(TypeError):
            self.bus.publish({"type": "announcement", "text": b"bytes"})
        with self.assertRaises(ValueError):
            self.bus.post({"type": "announcement", "text": "\0"})

        self.assertEqual(self.bus.ping(), before)

    def test_the_longest_line_is_taken_and_a_longer_one_refused(self) -> None:
        def event(pad: int) -> Dict[str, Any]:
            parts = [{"id": str(number), "label": "x" * 4_096} for number in range(15)]
            return {
                "type": "elements",
                "window": "w",
                "upsert": [*parts, {"id": "pad", "label": "x" * pad}],
            }

        self.bus.ping()
        # The id is the next one of this connection: behind that of hello and of ping.
        pad = LINE_BYTES + 1 - len(encode("publish", {"event": event(0)}, 3))
        self.assertLess(pad, 4_096)
        self.assertGreater(self.bus.publish(event(pad)), 0)
        with self.assertRaises(Refused) as caught:
            self.bus.publish(event(pad + 1))
        self.assertEqual(caught.exception.code, "line.too-long")

    def test_questions_have_answers(self) -> None:
        self.bus.publish({"type": "window", "window": "w", "state": "active", "title": "W"})

        self.assertEqual(self.bus.server["protocol"], 1)
        self.assertEqual(self.bus.state()["windows"][0]["title"], "W")
        self.assertEqual(self.bus.state(at=1)["windows"], [])
        self.assertTrue(self.bus.rules())
        self.assertTrue(self.bus.stats())
        self.assertIn("announcement", self.bus.describe()["events"])
        with self.assertRaises(Refused) as caught:
            self.bus.explain(1_000_000)
        self.assertEqual(caught.exception.code, "seq.unknown")

    def test_a_bus_that_does_not_answer_is_not_waited_for(self) -> None:
        self.bus.announce("before")
        self.daemon.freeze()
        with self.assertRaises(NoAnswer) as caught:
            self.bus.announce("late", timeout=0.05)
        self.assertEqual(str(caught.exception), "The bus did not answer within 0.05 seconds.")
        with self.assertRaises(NoAnswer):
            Bus(self.daemon.socket, app="other", timeout=0.05).subscribe()

        self.daemon.thaw()
        seq = self.bus.announce("after")
        self.assertEqual(self.event(seq)["text"], "after")

    def test_a_closed_bus_takes_nothing(self) -> None:
        self.bus.close()
        with self.assertRaises(BusGone):
            self.bus.announce("Saved")
        self.assertFalse(self.bus.post({"type": "announcement", "text": "Saved"}))


class ThreadTests(DaemonTest):
    def test_each_thread_gets_its_own_answers(self) -> None:
        seqs: Dict[int, str] = {}
        failures: List[BaseException] = []

        def work(bus: Bus, name: str) -> None:
            try:
                for number in range(100):
                    text = f"{name} {number}"
                    seqs[bus.announce(text)] = text
                    bus.post({"type": "announcement", "text": f"posted {text}"})
            except BaseException as error:
                failures.append(error)

        with Bus(self.daemon.socket, app="test", timeout=PATIENCE) as bus:
            names = [f"thread {number}" for number in range(8)]
            threads = [threading.Thread(target=work, args=(bus, name)) for name in names]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(PATIENCE)
            last = bus.ping()
            self.assertEqual(failures, [])
            self.assertEqual(len(seqs), 800)
            posted = 0
            for entry in bus.subscribe(["announcement"], "start", marks=True):
                if "mark" in entry:
                    if entry["mark"] == "caught-up":
                        break
                elif entry["seq"] in seqs:
                    self.assertEqual(words(entry), seqs.pop(entry["seq"]))
                else:
                    posted += (words(entry) or "").startswith("posted ")
            self.assertEqual((seqs, posted), ({}, 800))
            self.assertGreater(last, 1_600)

    def test_closing_ends_the_waits_of_other_threads(self) -> None:
        bus = Bus(self.daemon.socket, app="test", timeout=PATIENCE)
        bus.ping()
        entries = bus.subscribe(["announcement"])
        self.daemon.freeze()
        ends: List[str] = []

        def ask() -> None:
            try:
                bus.announce("never answered")
            except BusGone as error:
                ends.append(str(error))

        def iterate() -> None:
            ends.append(str(list(entries)))

        threads = [threading.Thread(target=ask), threading.Thread(target=ask)]
        threads += [threading.Thread(target=iterate)]
        for thread in threads:
            thread.start()
        bus.close()
        for thread in threads:
            thread.join(PATIENCE)
        self.assertEqual(len(ends), 3)
        self.assertIn("[]", ends)
        self.assertIn("close", "".join(ends))


if __name__ == "__main__":
    unittest.main()
