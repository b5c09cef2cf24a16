# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Answers that no bus gives: whoever sends them, the app gets an error of this package."""

import json
import os
import random
import socket
import tempfile
import threading
import unittest
from typing import Any, Callable, Dict, List

from a11y_bus import Bus, BusError
from daemon import HANGS, PATIENCE

EPOCH = "0" * 32
HELLO: Dict[str, Any] = {"protocol": 1, "epoch": EPOCH, "uid": 1000, "conn": 1}
ENTRY: Dict[str, Any] = {
    "seq": 8,
    "time": 1,
    "mono": 1,
    "app": "x",
    "uid": 1,
    "conn": 1,
    "event": {"type": "announcement", "text": "Hello"},
    "crc": "00000000",
}
GAP: Dict[str, Any] = {"mark": "gap", "from": 1, "to": 7, "reason": "retention"}
CAUGHT_UP: Dict[str, Any] = {"mark": "caught-up", "cursor": EPOCH + ":8"}
# What stands in the place of any member of a good answer.
STRANGERS: List[Any] = [None, True, -1, 2**70, 1.5, "", "x", ":", [], [1], {}, {"a": 1}]


def bent(value: Any) -> List[Any]:
    """The value with each of its members replaced by strangers, or left out."""
    results: List[Any] = []
    if not isinstance(value, dict):
        return results
    for name, member in value.items():
        others = [{**value, name: stranger} for stranger in STRANGERS]
        others += [{**value, name: inner} for inner in bent(member)]
        results += others + [{key: value[key] for key in value if key != name}]
    return results


class HostileBus:
    """A bus that answers hello well, and every other request with one line."""

    def __init__(self, path: str) -> None:
        self.line = b""
        self.hello: Any = {"ok": HELLO}
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(path)
        self._listener.listen(64)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                peer, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(peer,), daemon=True).start()

    def _answer(self, peer: socket.socket) -> None:
        with peer, peer.makefile("rb") as requests:
            try:
                for text in requests:
                    request = json.loads(text)
                    if request["op"] == "hello":
                        answer = {"id": request.get("id"), **self.hello}
                        peer.sendall(json.dumps(answer).encode() + b"\n")
                    else:
                        id = json.dumps(request.get("id")).encode()
                        peer.sendall(self.line.replace(b'"ID"', id))
                        return
            except OSError:
                return

    def close(self) -> None:
        self._listener.close()


class HostileTests(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory(prefix="a11yd-py-", dir="/tmp")
        self.addCleanup(directory.cleanup)
        self.path = os.path.join(directory.name, "bus.sock")
        self.hostile = HostileBus(self.path)
        self.addCleanup(self.hostile.close)

    def ask(self, call: Callable[[Bus], Any], line: bytes) -> None:
        """Makes a call that is answered so: it succeeds, or fails with an error of the package."""
        self.hostile.line = line
        with self.subTest(line=line[:200]), Bus(self.path, app="test", timeout=PATIENCE) as bus:
            try:
                call(bus)
            except BusError:
                pass
            bus.take_complaints()

    def test_answers_of_the_wrong_kind(self) -> None:
        receipt = {"seq": 7, "durability": "written", "duplicate": True, "warnings": []}
        refusal = {"code": "field.invalid", "field": "x", "msg": "no"}
        calls: List[Any] = [
            (lambda bus: bus.announce("x").durability, {"id": "ID", "ok": receipt}),
            (lambda bus: bus.ping(), {"id": "ID", "ok": {"last": 7}}),
            (lambda bus: bus.ping(), {"id": "ID", "err": refusal}),
            (lambda bus: bus.ping(), {"warn": {"fields": ["x"]}, "id": None}),
            (lambda bus: bus.ping(), {"bye": {"code": "internal", "msg": "x"}}),
        ]
        for call, answer in calls:
            for line in bent(answer):
                self.ask(call, json.dumps(line).encode() + b"\n")

    def test_greetings_of_the_wrong_kind(self) -> None:
        for hello in bent({"ok": HELLO}) + bent({"err": {"code": "internal", "msg": "x"}}):
            self.hostile.hello = hello
            self.ask(lambda bus: bus.ping(), b'{"id":"ID","ok":{"last":7}}\n')

    def test_subscriptions_of_the_wrong_kind(self) -> None:
        def follow(bus: Bus) -> None:
            with bus.subscribe(since="start") as entries:
                for _ in range(3):
                    entries.take(timeout=0)

        good = {"id": "ID", "ok": {"cursor": EPOCH + ":7"}}
        for answer in bent(good):
            self.ask(follow, json.dumps(answer).encode() + b"\n")
        for kind in (ENTRY, GAP, CAUGHT_UP):
            for line in bent(kind):
                lines = json.dumps(good) + "\n" + json.dumps(line) + "\n"
                self.ask(follow, lines.encode())

    def test_bytes_of_any_kind(self) -> None:
        dice = random.Random(1)
        good = b'{"id":"ID","ok":{"seq":7,"durability":"written"}}\n'
        for _ in range(300):
            line = bytearray(good)
            for _ in range(dice.randint(1, 4)):
                line[dice.randrange(len(line) - 1)] = dice.choice(b'{}[]":,0-aef\\\n\x00\xff')
            self.ask(lambda bus: bus.announce("x"), bytes(line) + b"\n")


def load_tests(loader: Any, tests: Any, pattern: Any) -> Any:
    """A test that hangs ends all."""
    import faulthandler

    faulthandler.dump_traceback_later(4 * HANGS, exit=True)
    return tests


if __name__ == "__main__":
    unittest.main()
