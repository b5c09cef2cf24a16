# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Each way in which a disk fails, by itself, with what the daemon is to do meanwhile and after.

While the log cannot be written, events are delivered all the same and answered with `received`, a
request for `synced` is refused with `storage.degraded`, and a11yctl says so. Within 5 s after the
disk takes something again, the log has all of them.
"""

import dataclasses
import json

from ledger import Reading, runs
from machine import Fault

COMEBACK = 5  # Seconds.
WRONG = "The log cannot be written"


@dataclasses.dataclass
class Trouble:
    words: str
    command: str
    # What an event is answered with meanwhile, and one that is to be synced.
    written: str
    synced: str
    # What the daemon says of it.
    says: str = ""
    # Segments that are filled meanwhile, so that files are begun.
    segments: int = 0
    # The disk fails before the daemon starts.
    is_early: bool = False


DEGRADED = ("received", "storage.degraded", "The log cannot be written: ")
TROUBLES = [
    Trouble("one write fails, EIO", "fault write 0 EIO once", "written", "synced"),
    Trouble("writes fail, EIO", "fault write 0 EIO always", *DEGRADED),
    Trouble("one fdatasync fails, EIO", "fault fsync 0 EIO once", "written", "synced",
            "The disk has failed to keep what it took: "),
    Trouble("fdatasync fails, EIO", "fault fsync 0 EIO always", *DEGRADED),
    Trouble("one fsync of the folder fails, EIO", "fault fsyncdir 0 EIO once", "written", "synced",
            segments=1),
    Trouble("fsync of the folder fails, EIO", "fault fsyncdir 0 EIO always", *DEGRADED,
            segments=1),
    Trouble("files cannot be made, EIO", "fault create,rename 0 EIO always", "written", "synced",
            segments=2),
    Trouble("the disk is full, ENOSPC", "room 3000", *DEGRADED, segments=1),
    Trouble("the disk can only be read, EROFS", "fault changing 0 EROFS always", *DEGRADED),
    Trouble("a start on a full disk, ENOSPC", "room 0", *DEGRADED, is_early=True),
    Trouble("a start on a disk that can only be read, EROFS", "fault changing 0 EROFS always",
            *DEGRADED, is_early=True),
]


class Trial:
    """One trouble, on a log that other troubles have left."""

    def __init__(self, machine, number, trouble):
        self.machine, self.trouble = machine, trouble
        self.name, self.count, self.texts = f"trial-{number}", 0, {}
        self.seed = 10_000 + number
        machine.power_on(self.seed)

    def play(self):
        machine, trouble = self.machine, self.trouble
        if trouble.is_early:
            machine.disk.do(trouble.command)
        self.start()
        if not trouble.is_early:
            self.publish(20, "synced")
            machine.disk.do(trouble.command)
        for _ in range(trouble.segments):
            self.publish(100, "written")
        # A synchronization fails only when there is one.
        self.expect("synced", trouble.synced)
        self.expect("written", trouble.written)
        self.expect("synced", trouble.synced)
        is_degraded = trouble.written == "received"
        self.look(is_degraded)
        machine.disk.do("clear")
        seconds = machine.wait_until_well(self.client, COMEBACK)
        self.expect("synced", "synced")
        self.look(False)
        self.check_said()
        self.cut()
        back = f", back in the log after {seconds:.1f} s" if is_degraded else ""
        return f"answered {trouble.written}, {trouble.synced}{back}"

    def start(self):
        if not self.machine.start():
            raise Fault("the daemon has not started")
        self.client, self.follower = self.machine.connect(), self.machine.connect()
        self.client.ask("hello", app="org.example.Trial")
        self.follower.ask("subscribe", **{"from": "now"})

    def ask(self, ack):
        """Publishes an event, which is delivered unless it is refused at once; the answer."""
        self.count += 1
        text = f"{self.name} {self.count} " + "x" * 600
        answer = self.client.ask(
            "publish", ack=ack, event={"type": "announcement", "text": text})
        if "err" in answer and "was taken as seq" not in answer["err"]["msg"]:
            return answer["err"]["code"]
        for line in self.follower.lines:
            entry = json.loads(line)
            if entry.get("event", {}).get("text") == text:
                self.texts[entry["seq"]] = text
                break
        return answer["ok"]["durability"] if "ok" in answer else answer["err"]["code"]

    def publish(self, count, ack):
        for _ in range(count):
            self.ask(ack)

    def expect(self, ack, level):
        if (answer := self.ask(ack)) != level:
            raise Fault(f"{ack} was answered with {answer}, not with {level}")

    def look(self, is_degraded):
        """What a11yctl and hello say is what is so."""
        told = {
            "hello": self.machine.connect().ask("hello", app="org.example.Look")["ok"][
                "durability"]["degraded"],
            "stats": "The log cannot be written at the moment." in self.machine.ctl("stats")[1],
            "doctor": f"Wrong: {WRONG}" in self.machine.ctl(
                "doctor", "--log", str(self.machine.state))[1]}
        if wrong := [name for name, so in told.items() if so != is_degraded]:
            raise Fault(f"told wrongly by {', '.join(wrong)}: degraded is {is_degraded}")

    def check_said(self):
        self.machine.listen()
        said = "\n".join(self.machine.said)
        if self.trouble.says not in said:
            raise Fault(f"the daemon does not say “{self.trouble.says}”: {said[-500:]}")

    def cut(self):
        """The power goes; all that was heard is there, since a later entry was synced."""
        self.machine.cut()
        self.machine.power_on(20_000)
        self.start()
        reading = Reading.of(self.machine.connect())
        stored = [event["text"] for line in reading.lines.values()
                  if (event := json.loads(line)["event"])["type"] == "announcement"
                  and event["text"].startswith(f"{self.name} ")]
        if stored != list(self.texts.values()):
            raise Fault(f"{len(self.texts)} were delivered, {len(stored)} are stored")
        if self.machine.stop() != 0:
            raise Fault("the daemon has not stopped in order")
        self.machine.disk.turn_off("kept")


class ReadingTrial(Trial):
    """A medium that cannot be read: what is missing is told, and is there again when it can."""

    def play(self):
        disk = self.machine.disk
        if self.trouble.is_early:
            before = self.fill()
            disk.do(self.trouble.command)
            self.start()
            self.expect("written", self.trouble.written)
            found = self.read()
        else:
            before = self.fill()
            self.start()
            disk.do(self.trouble.command)
            found = self.read()
            self.expect("written", self.trouble.written)
            self.expect("synced", self.trouble.synced)
        disk.do("clear")
        if self.read().lines.keys() & before != before and not self.trouble.is_early:
            raise Fault("entries that can be read again are not delivered")
        self.machine.wait_until_well(self.client, COMEBACK)
        self.expect("synced", "synced")
        self.cut()
        missing = len(before - found.lines.keys())
        return (f"answered {self.trouble.written}; {missing} of {len(before)} entries told as a "
                "gap, all there again later")

    def fill(self):
        """Makes a log of some segments, and stops; the seqs."""
        self.start()
        self.publish(300, "written")
        before = set(Reading.of(self.machine.connect()).lines)
        if self.machine.stop() != 0:
            raise Fault("the daemon has not stopped in order")
        # The kernel is not to have anything of it in memory.
        self.machine.disk.turn_off("kept")
        self.machine.power_on(self.seed + 1_000)
        return before

    def read(self):
        reading = Reading.of(self.machine.connect())
        told = {seq for begin, end in reading.gaps for seq in range(begin, end + 1)}
        if overlap := told & reading.lines.keys():
            raise Fault(f"missing by a mark, and delivered: {runs(overlap)}")
        span = set(range(reading.hello["first"], max(reading.lines) + 1))
        if untold := span - told - reading.lines.keys():
            raise Fault(f"missing without a mark: {runs(untold)}")
        return reading


READING = [
    Trouble("reads fail, EIO", "fault read 0 EIO always", "written", "synced"),
    Trouble("a start where reads fail, EIO", "fault read 0 EIO always", "written", "synced",
            is_early=True),
    Trouble("a start where one read fails, EIO", "fault read 3 EIO once", "written", "synced",
            is_early=True),
    Trouble("a start where every call fails, EIO",
            "fault open,read,changing,fsync,fsyncdir 0 EIO always", "received",
            "storage.degraded", is_early=True),
]


def play(machine):
    """Plays all troubles; a line for each."""
    trials = [(Trial, trouble) for trouble in TROUBLES]
    trials += [(ReadingTrial, trouble) for trouble in READING]
    for number, (trial, trouble) in enumerate(trials):
        machine.said.clear()
        try:
            yield trouble.words, trial(machine, number, trouble).play()
        except Fault as fault:
            raise Fault(f"{trouble.words}: {fault}") from fault
