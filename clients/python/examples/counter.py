#!/usr/bin/python3
# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""A window with one button that counts."""

import signal
import sys
from typing import Any, Union

from a11y_bus import Bus, BusError, Elements, Entry, Mark, Window

APP = "org.example.Counter"


def say(words: str) -> None:
    print(words, flush=True)


class Counter:
    """The app: one number, and the button that counts it on."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.count = 0
        self.announcement = 0

    def open(self) -> None:
        self.show()
        self.bus.publish({"type": "screen-changed", "window": "main", "element": "count"})
        self.announcement = self.bus.announce("Counter is ready")

    def show(self) -> None:
        """Shows the window with its element, whatever the bus still knows of it."""
        window: Window = {
            "type": "window",
            "window": "main",
            "state": "active",
            "title": "Counter",
        }
        value = str(self.count)
        elements: Elements = {
            "type": "elements",
            "window": "main",
            "replace": [{"id": "count", "label": "Count", "value": value, "traits": ["button"]}],
        }
        self.bus.publish(window)
        self.bus.publish(elements)

    def receive(self, line: Union[Entry, Mark]) -> None:
        if "mark" in line:
            if line["mark"] == "away":
                say("The bus is gone.")
            elif line["mark"] == "back":
                say("The bus is back.")
                self.show()
            return
        event = line["event"]
        if event["type"] == "outcome" and event["of"] == self.announcement:
            say(f"Announcement {self.announcement}: {event['result']}.")
        elif event["type"] == "focus":
            say(f"Focus: {event['element'] or 'nowhere'}.")
        elif event["type"] == "gesture":
            self.answer(line["seq"], event)

    def answer(self, seq: int, gesture: Any) -> None:
        """Counts on, or says that there is nothing to do for the gesture."""
        say(f"Gesture: {gesture['name']} on {gesture.get('element') or 'nothing'}.")
        is_handled = gesture["name"] == "activate"
        if is_handled:
            self.count += 1
            value = str(self.count)
            cause = gesture["action"]
            element = {"id": "count", "value": value}
            self.bus.publish(
                {"type": "elements", "window": "main", "upsert": [element], "cause": cause}
            )
            self.bus.announce(value, cause=cause)
        self.bus.publish({"type": "handled", "of": seq, "handled": is_handled})


def main() -> int:
    with Bus(app=APP) as bus:
        types = ["outcome", "focus", "gesture"]
        entries = bus.subscribe(types, apps=[APP], marks=True)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: entries.close())
        counter = Counter(bus)
        counter.open()
        for line in entries:
            try:
                counter.receive(line)
            except BusError as error:
                # If the bus has gone, the next line says so; a refusal is no reason to end.
                print(f"counter: {error}", file=sys.stderr)
    say("Goodbye.")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BusError as error:
        sys.exit(f"counter: {error}")
