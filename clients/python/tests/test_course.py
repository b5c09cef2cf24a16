# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The way of a subscription through the log, without a bus."""

import json
import unittest
from typing import Any, Dict, List

from a11y_bus import BusGone, Refused
from a11y_bus._complaints import Complaints
from a11y_bus._course import Course
from a11y_bus._wire import Decoder


class CourseTests(unittest.TestCase):
    def setUp(self) -> None:
        self.complaints = Complaints()
        self.course = Course({"want": [1]}, {"from": "start"}, True, self.complaints)

    def receive(self, *lines: Dict[str, Any]) -> List[Any]:
        data = "".join(json.dumps(line) + "\n" for line in lines).encode()
        self.course.receive(Decoder().receive(data))
        taken: List[Any] = []
        while True:
            line = self.course.take()
            if line is None:
                return taken
            taken.append(line)

    def requests(self) -> List[Any]:
        lines = [json.loads(line) for line in self.course.outgoing.splitlines()]
        self.course.outgoing = b""
        return lines

    def follow(self) -> None:
        """Comes as far as entry 5."""
        self.course.begin()
        self.assertEqual([line["op"] for line in self.requests()], ["hello", "subscribe"])
        answers = [{"id": 1, "ok": {"conn": 3}}, {"id": 2, "ok": {"cursor": "old:0"}}]
        self.receive(*answers, {"seq": 5, "event": {}})
        self.assertEqual(self.course.cursor, "old:5")

    def refuse(self, code: str, **details: Any) -> List[Any]:
        return self.receive({"id": 2, "err": {"code": code, "msg": "", **details}})

    def test_it_goes_on_behind_the_last_line_that_was_taken(self) -> None:
        self.follow()
        self.course.lose("it was cut off")
        self.course.lose("nobody listens there")
        self.assertEqual(self.receive(), [{"mark": "away", "reason": "it was cut off"}])

        self.course.begin()
        self.assertEqual(self.requests()[1]["from"], "old:5")
        lines = self.receive({"id": 2, "ok": {"cursor": "new:5"}}, {"seq": 6, "event": {}})
        self.assertEqual(lines[0], {"mark": "back", "cursor": "new:5"})
        self.assertEqual(self.course.cursor, "new:6")

    def test_its_place_is_behind_what_was_taken_and_not_what_has_come(self) -> None:
        self.follow()
        data = b'{"seq":6,"event":{}}\n{"seq":7,"event":{}}\n'
        self.course.receive(Decoder().receive(data))
        self.assertEqual(self.course.cursor, "old:5")

        self.course.take()
        self.assertEqual(self.course.cursor, "old:6")

    def test_entries_that_the_bus_has_lost_are_a_gap(self) -> None:
        self.follow()
        self.course.lose("it was cut off")
        self.course.begin()
        self.requests()

        lines = self.refuse("cursor.future", last=3)
        self.assertEqual(lines[1], {"mark": "gap", "from": 4, "to": 5, "reason": "withdrawn"})
        self.assertEqual(self.requests()[0]["from"], "old:3")

    def test_a_gap_is_a_complaint_where_nobody_asks_for_marks(self) -> None:
        gap = {"mark": "gap", "from": 6, "to": 9, "reason": "retention"}
        self.follow()
        self.assertEqual(self.receive(gap), [gap])
        self.assertEqual(self.complaints.take(), [])

        self.course = Course({"want": [1]}, {"from": "start"}, False, self.complaints)
        self.follow()
        with self.assertLogs("a11y_bus", "WARNING"):
            self.assertEqual(self.receive(gap), [])
            self.course.lose("it was cut off")
            self.course.begin()
            self.assertEqual(self.refuse("cursor.future", last=3), [])
            self.assertEqual(self.refuse("cursor.epoch"), [])
        told = [(complaint.kind, complaint.text) for complaint in self.complaints.take()]
        self.assertEqual(
            told,
            [
                ("gap", "The log does not have the entries 6 to 9 (retention)."),
                ("gap", "The bus lost the entries 4 to 5, and uses their numbers again."),
                ("gap", "The bus has another log now; its entries follow from its beginning."),
            ],
        )

    def test_another_log_is_a_gap_and_read_from_its_start(self) -> None:
        for code in ("cursor.epoch", "cursor.invalid"):
            self.setUp()
            self.follow()
            self.course.lose("it was cut off")
            self.course.begin()
            self.requests()

            lines = self.refuse(code)
            gap = {"mark": "gap", "from": 6, "to": None, "reason": "another-log"}
            self.assertEqual(lines[1], gap)
            self.assertEqual(self.requests()[0]["from"], "start")

    def test_a_bus_in_trouble_is_asked_again_later(self) -> None:
        self.follow()
        self.course.lose("it was cut off")
        self.course.begin()
        self.refuse("shutting-down")

        self.assertIsNone(self.course.failure)
        self.assertIn("shutting-down", self.course.trouble or "")

    def test_the_first_refusal_and_the_first_loss_are_final(self) -> None:
        self.course.begin()
        self.refuse("cursor.future", last=3)
        self.assertIsInstance(self.course.failure, Refused)

        self.setUp()
        self.course.begin()
        self.course.lose("it was cut off")
        self.assertIsInstance(self.course.failure, BusGone)

    def test_marks_that_nobody_asked_for_still_move_the_place(self) -> None:
        self.course = Course({"want": [1]}, {"from": "now"}, False, Complaints())
        self.follow()
        lines = self.receive({"mark": "checkpoint", "cursor": "old:900"})

        self.assertEqual(lines, [])
        self.assertEqual(self.course.cursor, "old:900")


if __name__ == "__main__":
    unittest.main()
