# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""What a11yd has had spoken, and why it has not; and what the browser has told over AT-SPI."""

import collections
import json
import re
import subprocess
import threading

from heard import Utterance, plain

# Signals of a browser that are kept, and those of one step that are told.
SIGNALS = 20_000
TOLD = 12
# Tenths of a second until a program has told of its window.
SPAN = 100
MICROSECONDS = 1_000_000


class Bus:
    """Follows the log of a daemon, and the accessibility bus."""

    def __init__(self, desktop):
        self.desktop = desktop
        self.lock = threading.Lock()
        self.count = 0  # of entries and signals, which shows that something is going on
        self.entries = []
        self.delivered = {}
        self.signals = collections.deque(maxlen=SIGNALS)
        tool = str(desktop.programs / "a11yctl")
        self.follow(self.take, tool, "tail", "--json", "--from", "start")

    def follow(self, take, *words):
        process = subprocess.Popen(words, env=self.desktop.environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True, start_new_session=True)
        self.desktop.started.append(process)

        def read():
            for line in process.stdout:
                take(line)

        threading.Thread(target=read, daemon=True).start()

    def take(self, line):
        entry = json.loads(line)
        event = entry.get("event", {})
        moment = entry.get("time", 0) / MICROSECONDS
        with self.lock:
            self.entries.append(entry)
            self.count += 1
            if event.get("type") == "deliver":
                text = ", ".join(part["text"] for part in event["speak"] if "text" in part)
                self.delivered[entry["seq"]] = Utterance(text, float("inf"))
            elif event.get("type") == "speech" and event.get("of") in self.delivered:
                said = self.delivered[event["of"]]
                if event["state"] == "started":
                    said.begin = moment
                else:
                    said.end, said.is_whole = moment, event["state"] == "finished"

    def utterances(self, since):
        """The texts that were begun since a moment, without sounds that stand alone."""
        with self.lock:
            said = [one for one in self.delivered.values() if one.text]
        return sorted((one for one in said if since <= one.begin < float("inf")),
                      key=lambda one: one.begin)

    # Reasons

    def trace(self):
        """Begins to note the signals of programs."""
        address = subprocess.run(
            ["dbus-send", "--session", "--print-reply=literal", "--dest=org.a11y.Bus",
             "/org/a11y/bus", "org.a11y.Bus.GetAddress"],
            env=self.desktop.environment, stdout=subprocess.PIPE, text=True).stdout.strip()
        self.follow(self.take_signal, "dbus-monitor", "--address", address,
                    "type='signal',interface='org.a11y.atspi.Event.Object'")

    def take_signal(self, line):
        found = re.match(r"signal time=([\d.]+) .*path=\S*/(\S+); .*member=(\w+)", line)
        if found:
            self.count += 1
            self.signals.append((float(found[1]), [f"{found[3]} of {found[2]}"]))
        elif self.signals and (found := re.match(r"\s*(?:variant\s+)?string \"(.+)", line)):
            if len(self.signals[-1][1]) < 3:
                self.signals[-1][1].append(f"“{found[1].rstrip(chr(34))}”")

    def has_signal(self, words, since):
        """Waits until a program has told a change of one of these states."""
        for _ in range(SPAN):
            told = [text for moment, all in list(self.signals) if moment >= since for text in all]
            if any(text.strip("“”") == word for text in told for word in words):
                return True
            threading.Event().wait(0.1)
        return False

    def why(self, expectation, since):
        """Why words were not heard, or were: of the entry that has most of them."""
        wanted = set(plain(" ".join(expectation.words + expectation.never)).split())
        with self.lock:
            entries = [entry for entry in self.entries
                       if entry.get("time", 0) / MICROSECONDS >= since
                       and entry["event"]["type"] not in ("deliver", "speech", "outcome")
                       and entry["app"] not in ("a11yd", "a11yctl")]

        def shared(entry):
            return len(wanted & set(plain(json.dumps(entry["event"])).split()))

        best = max(entries, key=shared, default=None)
        if best is not None and (shared(best) * 2 > len(wanted) or expectation.is_silent):
            explained = self.desktop.tool("explain", str(best["seq"])).splitlines()
            return f"entry {best['seq']}: {explained[0] if explained else 'not explained'}"
        told = [" ".join(words) for moment, words in list(self.signals) if moment >= since]
        if not told:
            return "no entry has the words, and the browser has told nothing over AT-SPI"
        return ("no entry has the words; the browser has told: " + "; ".join(told[:TOLD])
                + (f"; and {len(told) - TOLD} signals more" if len(told) > TOLD else ""))
