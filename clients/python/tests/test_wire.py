# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Lines out and in, without a bus."""

import json
import math
import unittest
from typing import Any, Dict, List, Tuple, Type

from a11y_bus import Refused
from a11y_bus._wire import (
    INCOMING_BYTES,
    LINE_BYTES,
    Answer,
    Decoder,
    Farewell,
    Garbled,
    UnknownFields,
    encode,
)


def nested(levels: int) -> List[Any]:
    value: List[Any] = []
    for _ in range(levels - 1):
        value = [value]
    return value


class EncodeTests(unittest.TestCase):
    def test_a_request_is_one_line_with_its_id_first(self) -> None:
        line = encode("publish", {"event": {"type": "announcement", "text": "a\nb"}}, 7)

        self.assertTrue(line.startswith(b'{"id":7,"op":"publish"'))
        self.assertEqual(line.count(b"\n"), 1)
        self.assertEqual(json.loads(line)["event"]["text"], "a\nb")

    def test_values_that_are_no_json_are_refused_with_their_place(self) -> None:
        cases: List[Tuple[Dict[str, Any], Type[Exception], str]] = [
            ({"event": {"pitch": math.nan}}, ValueError, "event.pitch"),
            ({"event": {"runs": [{"pitch": math.inf}]}}, ValueError, "event.runs[0].pitch"),
            ({"event": {"text": b"bytes"}}, TypeError, "event.text"),
            ({"event": {"text": "\ud800"}}, ValueError, "U+D800"),
            ({"event": {"text": "a\0b"}}, ValueError, "U+0000"),
            ({"event": {"\udc00": 1}}, ValueError, "U+DC00"),
            ({"event": {1: "one"}}, TypeError, "1"),
            ({"event": {"count": 10**400}}, ValueError, "event.count"),
            ({"event": {"set": {1}}}, TypeError, "event.set"),
        ]
        for fields, kind, words in cases:
            with self.subTest(words=words):
                with self.assertRaises(kind) as caught:
                    encode("publish", fields)
                self.assertIn(words, str(caught.exception))

    def test_a_value_within_itself_is_refused(self) -> None:
        event: List[Any] = []
        event.append(event)

        with self.assertRaises(ValueError):
            encode("publish", {"event": event})

    def test_the_deepest_line_has_32_levels(self) -> None:
        encode("publish", {"event": nested(31)})
        with self.assertRaises(ValueError):
            encode("publish", {"event": nested(32)})

    def test_a_line_that_is_too_long_is_refused_in_the_words_of_the_bus(self) -> None:
        head = len(encode("publish", {"event": ""})) - 1
        encode("publish", {"event": "x" * (LINE_BYTES - head)})
        with self.assertRaises(Refused) as caught:
            encode("publish", {"event": "x" * (LINE_BYTES - head + 1)})
        self.assertEqual(caught.exception.code, "line.too-long")


class DecoderTests(unittest.TestCase):
    def test_lines_may_come_in_pieces_of_any_size(self) -> None:
        lines = '{"seq":1,"event":{"text":"a\u2028b\u0085é😀"}}\n\n{"id":3,"ok":{"seq":1}}\n'
        data = lines.encode()
        for size in range(1, len(data) + 1):
            decoder = Decoder()
            messages = []
            for start in range(0, len(data), size):
                messages += decoder.receive(data[start : start + size])
            self.assertEqual(len(messages), 2)
            self.assertEqual(messages[0], {"seq": 1, "event": {"text": "a\u2028b\u0085é😀"}})
            self.assertEqual(messages[1], Answer(3, {"seq": 1}, None))

    def test_each_kind_of_line_is_told_apart(self) -> None:
        data = (
            b'{"mark":"caught-up","cursor":"e:1"}\n'
            b'{"id":1,"err":{"code":"field.invalid","field":"event.text","msg":"empty"}}\n'
            b'{"warn":{"fields":["event.foo"]},"id":null}\n'
            b'{"bye":{"code":"shutting-down","msg":"the bus ends"}}\n'
        )
        mark, answer, unknown, farewell = Decoder().receive(data)

        self.assertEqual(mark, {"mark": "caught-up", "cursor": "e:1"})
        assert isinstance(answer, Answer) and answer.refused
        self.assertEqual(answer.refused.field, "event.text")
        self.assertEqual(str(answer.refused), "field.invalid, event.text: empty")
        self.assertEqual(unknown, UnknownFields(("event.foo",)))
        self.assertEqual(farewell, Farewell("shutting-down: the bus ends"))

    def test_a_line_that_is_no_json_ends_the_connection(self) -> None:
        for line in (b"{\n", b"[]\n", b"\xff\n", b'{"err":3}\n', b'{"bye":{}}\n'):
            with self.subTest(line=line), self.assertRaises(Garbled):
                Decoder().receive(line)

    def test_a_line_without_an_end_is_bounded(self) -> None:
        decoder = Decoder()
        piece = b"x" * 1_048_576
        with self.assertRaises(Garbled):
            for _ in range(INCOMING_BYTES // len(piece) + 1):
                decoder.receive(piece)


if __name__ == "__main__":
    unittest.main()
