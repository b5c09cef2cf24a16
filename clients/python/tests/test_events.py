# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The typed dictionaries, compared with the schema of a real daemon."""

import unittest
from typing import Any, Dict, get_args, get_type_hints

from a11y_bus import Bus, Element, Event, Run
from daemon import PATIENCE, DaemonTest


class EventTests(DaemonTest):
    def setUp(self) -> None:
        super().setUp()
        with Bus(self.daemon.socket, app="test", timeout=PATIENCE) as bus:
            self.schema: Dict[str, Any] = bus.describe()["events"]

    def compare(self, kind: Any, schema: Dict[str, Any]) -> None:
        """Compares names, and those that are required, and words."""
        self.assertEqual(set(schema["properties"]), set(get_type_hints(kind)))
        self.assertEqual(set(schema["required"]), set(kind.__required_keys__))
        for name, hint in get_type_hints(kind).items():
            words = [word for word in get_args(hint) if isinstance(word, str)]
            if words and name != "type":
                self.assertEqual(set(words), set(schema["properties"][name]["enum"]), name)

    def test_the_dictionaries_have_the_fields_of_the_schema(self) -> None:
        types = []
        for kind in get_args(Event):
            for type in get_args(get_type_hints(kind)["type"]):
                with self.subTest(type=type):
                    types.append(type)
                    self.compare(kind, self.schema[type])
        self.assertEqual(set(types), set(self.schema))

    def test_elements_and_runs_have_the_members_of_the_schema(self) -> None:
        text = self.schema["announcement"]["properties"]["text"]
        element = self.schema["elements"]["properties"]["upsert"]["items"]
        runs = next(form["items"] for form in text["anyOf"] if "items" in form)

        self.assertEqual(set(element["properties"]), set(get_type_hints(Element)))
        self.assertEqual(set(runs["properties"]), set(get_type_hints(Run)))


if __name__ == "__main__":
    unittest.main()
