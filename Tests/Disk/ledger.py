# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""What a machine's clients know, against what its log has after each start.

Nothing is asked of the daemon here but lines: what it has acknowledged, what it has delivered when
only safe entries were wanted, and what a subscription from the start gives.
"""

import dataclasses
import json
import threading
import time

from machine import RETAINED, Fault


@dataclasses.dataclass
class Reading:
    """The log from its start, as a subscriber gets it."""

    hello: dict
    lines: dict
    gaps: list
    opened: dict

    @staticmethod
    def of(client):
        hello = client.ask("hello", app="org.example.Judge")["ok"]
        # The log may begin later by now.
        cursor = client.ask("subscribe", **{"from": "start"})["ok"]["cursor"]
        hello["first"] = int(cursor.split(":")[1]) + 1
        lines, gaps, opened = {}, [], None
        for line in client.lines:
            if line.startswith(b'{"seq":'):
                seq = int(line[7:line.index(b",")])
                if seq in lines:
                    raise Fault(f"{seq} was delivered twice")
                if lines and seq < next(reversed(lines)):
                    raise Fault(f"{seq} came late")
                lines[seq] = line
                if b'"event":{"type":"opened"' in line:
                    opened = json.loads(line)
                continue
            mark = json.loads(line)
            if mark.get("mark") == "gap" and mark["reason"] == "retention":
                # Retention has overtaken this reading.
                hello["first"] = mark["to"] + 1
            elif mark.get("mark") == "gap":
                gaps.append((mark["from"], mark["to"]))
            elif mark.get("mark") == "caught-up":
                break
            elif "err" in mark:
                raise Fault(f"the log cannot be read: {mark}")
        return Reading(hello, lines, gaps, opened)

    def epoch(self, seq):
        return next((epoch["epoch"] for epoch in reversed(self.hello["epochs"])
                     if epoch["first"] <= seq), None)


@dataclasses.dataclass
class Answer:
    seq: int
    epoch: str
    text: str
    level: str
    at: float
    # When nothing more could reach the medium: the cut, or the beginning of a disk's trouble.
    end: float


class Ledger:
    def __init__(self):
        self.lock = threading.Lock()
        # The lines that the last start found, and those that a durable subscriber has had since.
        self.lines, self.safe = {}, {}
        self.sent, self.answers = set(), []
        # Entries whose bytes were changed on the medium, and those that are known to be missing.
        self.hit, self.missing = set(), set()
        self.first = 1
        self.counts = dict.fromkeys(
            ["synced", "written", "received", "refused", "durable", "lost", "rotten"], 0)
        # The greatest age of an entry that was written and lost, in seconds.
        self.oldest = 0.0

    def sends(self, text):
        with self.lock:
            self.sent.add(text)

    def answered(self, epoch, text, answer):
        with self.lock:
            if "ok" in answer:
                ok = answer["ok"]
                level = ok["durability"]
                now = time.monotonic()
                self.answers.append(Answer(ok["seq"], epoch, text, level, now, self.end))
                self.counts[level] += 1
            elif answer["err"]["code"] == "storage.degraded":
                self.counts["refused"] += 1
            else:
                raise Fault(f"refused: {answer}")

    def delivered(self, line):
        with self.lock:
            self.safe[int(line[7:line.index(b",")])] = line
            self.counts["durable"] += 1

    def begin(self):
        """The power is there."""
        self.end = float("inf")

    def ends(self, at):
        """Nothing more may reach the medium in this life."""
        with self.lock:
            self.end = at
            for answer in self.answers:
                answer.end = min(answer.end, at)

    def mended(self, at):
        """The disk takes again what it did not take for a while."""
        with self.lock:
            for answer in self.answers:
                answer.at = max(answer.at, at)

    def judge(self, reading, is_power_cut, size):
        """Compares; raises a Fault at the first thing that the contract does not allow.

        `size` is that of the log's directory.
        """
        first, last = reading.hello["first"], reading.hello["last"]
        # A cut may have taken as much as was written within the window.
        if first > self.first and size < RETAINED // 4:
            raise Fault(f"the log of {size} bytes begins with {first}, not {self.first}")
        self.first = first
        self.judge_numbers(reading, first, last)
        for seq, line in (self.lines | self.safe).items():
            if seq >= first and reading.lines.get(seq) != line and seq not in self.hit:
                what = "differs" if seq in reading.lines else "is missing"
                raise Fault(f"{seq}, which was safe, {what}: {line[:200]}")
        self.judge_answers(reading, first, is_power_cut)
        self.judge_new(reading)
        # All that a start has found is on the medium before it is delivered.
        found = reading.opened["seq"]
        self.lines = {seq: line for seq, line in reading.lines.items() if seq < found}
        self.safe, self.answers = {}, []

    def judge_numbers(self, reading, first, last):
        """Each number is there, or in a gap that tells its bounds; and gaps have no more."""
        told = set()
        for begin, end in reading.gaps:
            told.update(range(max(begin, first), end + 1))
        absent = set(range(first, last + 1)) - reading.lines.keys()
        if told != absent:
            raise Fault(f"missing are {runs(absent)}, told are {runs(told)}")
        is_seen = {seq for seq in absent - self.missing if seq in self.lines}
        if unexpected := is_seen - self.hit:
            raise Fault(f"damaged without cause: {runs(unexpected)}")
        self.missing = absent
        self.counts["rotten"] += len(is_seen)

    def judge_answers(self, reading, first, is_power_cut):
        """What was answered is there, unless the power went within the time that hello tells."""
        window = 2 * reading.hello["durability"]["loss_window_ms"] / 1000
        for answer in self.answers:
            line = reading.lines.get(answer.seq)
            is_same = reading.epoch(answer.seq) == answer.epoch
            if line and is_same:
                if json.loads(line)["event"].get("text") != answer.text:
                    raise Fault(f"{answer} has become {line[:200]}")
                continue
            if answer.seq < first or answer.seq in self.hit:
                continue
            if answer.seq > reading.hello["last"] and answer.epoch == reading.hello["epoch"]:
                raise Fault(f"{answer} is lost, and its number will be given again in its epoch")
            if answer.level == "synced":
                raise Fault(f"{answer} is lost")
            if answer.level == "written":
                age = answer.end - answer.at
                if not is_power_cut or age > window:
                    raise Fault(f"{answer} is lost, {age:.1f} s old")
                self.counts["lost"] += 1
                self.oldest = max(self.oldest, age)

    def judge_new(self, reading):
        """Nothing is invented, nothing comes twice, and each client's events are in their order."""
        highest = {}
        for seq in sorted(reading.lines.keys() - self.lines.keys()):
            event = json.loads(reading.lines[seq])["event"]
            if event["type"] != "announcement":
                continue
            if event["text"] not in self.sent:
                raise Fault(f"{seq} was never sent: {reading.lines[seq][:200]}")
            client, number = event["text"].split()[:2]
            if int(number) <= highest.get(client, -1):
                raise Fault(f"{seq} is out of its order: {reading.lines[seq][:200]}")
            highest[client] = int(number)


def runs(numbers):
    """Numbers as runs, to be read."""
    found = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join(f"{a}-{b}" if a < b else str(a) for a, b in found) or "none"
