# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The part of a reader, with a real daemon."""

import unittest
from typing import Any, Dict

from a11y_bus import Bus, Voice
from daemon import PATIENCE, DaemonTest


class ReaderTests(DaemonTest):
    def setUp(self) -> None:
        super().setUp()
        self.app = Bus(self.daemon.socket, app="app", timeout=PATIENCE)
        self.reader = Bus(self.daemon.socket, app="reader", timeout=PATIENCE)
        self.addCleanup(self.app.close)
        self.addCleanup(self.reader.close)
        self.words = self.reader.subscribe(
            ["deliver", "silence"], reader=Voice(60, reports=True), marks=True
        )

    def delivery(self) -> Any:
        """The next delivery."""
        while True:
            line: Any = self.words.take(PATIENCE)
            self.assertIsNotNone(line)
            if line.get("event", {}).get("type") == "deliver":
                return line

    def outcome(self, outcomes: Any) -> Dict[str, Any]:
        event: Dict[str, Any] = outcomes.take(PATIENCE)["event"]
        return event

    def test_reports_decide_whether_an_announcement_was_heard(self) -> None:
        outcomes = self.app.subscribe(["outcome"])
        self.assertEqual(self.app.state()["reader"]["conn"], self.words.server["conn"])
        seq = self.app.announce("Saved")
        delivery = self.delivery()
        self.assertEqual(delivery["event"]["of"], [seq])
        self.assertEqual(delivery["event"]["to"], self.words.server["conn"])
        self.assertEqual(delivery["event"]["speak"][0]["text"], "Saved")

        self.assertTrue(self.words.report(delivery["seq"], "started"))
        self.assertTrue(self.words.report(delivery["seq"], "finished", heard_ms=400))
        outcome = self.outcome(outcomes)
        self.assertEqual((outcome["of"], outcome["result"]), (seq, "heard"))

    def test_a_report_that_cannot_be_meant_is_a_mistake_at_once(self) -> None:
        plain: Any = self.app.subscribe(["announcement"])
        with self.assertRaisesRegex(ValueError, "no reader's"):
            plain.report(1, "started")
        with self.assertRaisesRegex(ValueError, "expected one of started"):
            self.words.report(1, "done")
        wrong: Any = "me"
        with self.assertRaisesRegex(TypeError, "expected a Voice"):
            self.app.subscribe(reader=wrong)

    def test_the_text_of_a_secure_element_is_told_to_the_reader_alone(self) -> None:
        everything = self.app.subscribe(["deliver", "elements", "announcement"], marks=True)
        self.app.announce("The code is 271828", sensitive=True)
        delivery = self.delivery()
        self.assertEqual(delivery["event"]["speak"][0]["redacted"], "9-32")
        secret: Any = self.words.take(PATIENCE)
        self.assertEqual((secret["mark"], secret["of"]), ("secret", delivery["seq"]))
        self.assertEqual(secret["speak"][0]["text"], "The code is 271828")

        self.words.report(delivery["seq"], "started")
        self.words.report(delivery["seq"], "finished")
        field = {
            "id": "pin",
            "label": "Pin",
            "value": "314159",
            "traits": ["text-field", "secure"],
        }
        self.app.publish({"type": "elements", "window": "w", "upsert": [field]})
        seq = self.app.announce("end")
        line: Any = {}
        seen = []
        while line.get("seq") != seq:
            line = everything.take(PATIENCE)
            seen.append(str(line))
        self.assertNotIn("271828", "".join(seen))
        self.assertNotIn("314159", "".join(seen))
        self.assertIn("redacted", "".join(seen))

    def test_a_report_to_a_bus_that_is_away_is_given_up(self) -> None:
        self.daemon.kill()
        lines = []
        while "away" not in lines:
            line: Any = self.words.take(PATIENCE)
            lines.append(line.get("mark"))

        self.assertFalse(self.words.report(1, "finished"))


if __name__ == "__main__":
    unittest.main()
