# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Lives of a machine, each of which ends with a loss of power."""

import collections
import json
import random
import shutil
import threading
import time

from ledger import Ledger, Reading
from machine import Fault

LIVES = 20  # Of a machine with one log; then another one begins.
PUBLISHERS = 3
MOST = 1_500  # Events of a publisher between two starts.

# What may become of the disk while events are published: the command, and whether it lasts until
# somebody mends it.
TROUBLES = {
    "a write fails": ("fault write {n} EIO once", False),
    "a synchronization fails": ("fault fsync {n} EIO once", False),
    "the folder's synchronization fails": ("fault fsyncdir 0 EIO once", False),
    "making files fails": ("fault create,rename 0 EIO always", False),
    "writes fail": ("fault write {n} EIO always", True),
    "synchronizations fail": ("fault fsync {n} EIO always", True),
    "the disk is full": ("room {bytes}", True),
    "the disk can only be read": ("fault changing {n} EROFS always", True),
}


# What is done to the medium while the machine is off, once in so many lives.
ROT = 5
# How a life ends: at a moment, with a change of the disk while clients are at work, or with one of
# the first, while the daemon starts.
ENDS = ["moment", "change", "change", "start"]


class Life:
    """One life: from the power to its loss."""

    def __init__(self, machine, ledger, name, chance):
        self.machine, self.ledger, self.name, self.chance = machine, ledger, name, chance
        self.disk = machine.disk
        self.faults = []
        # What was done, in words, for whoever has to understand a finding.
        self.story = []
        self.starts = 0
        # Where somebody waits for the medium all the time, little is ever on its way.
        self.levels = self.chance.choice([["written"], ["written", "written", "synced"]])
        # The seconds that a publisher takes between two breaths.
        self.pace = self.chance.choice([0, 0.003, 0.03])
        self.is_over = threading.Event()

    def live(self):
        """Lives until the cut, and returns what was on its way to the medium then."""
        has_faults = self.disk.has_faults
        end = self.chance.choice(ENDS) if has_faults else "moment"
        self.story.append(f"cut at a {end}")
        lasts = False
        if end == "start":
            self.cut_after(self.chance.randint(0, 40))
            lasts = self.chance.random() < 0.3 and self.trouble(mends=False)
        is_power_cut, threads = True, []
        while not self.disk.look() and self.machine.start():
            if end != "start":
                self.read(is_power_cut)
            threads = self.work()
            if end == "start":
                self.pause(3)
                break
            if self.chance.random() < 0.2:
                self.story.append("the daemon alone is killed")
                self.pause(self.chance.uniform(0, 1.5))
                self.machine.kill_daemon()
                self.join(threads)
                is_power_cut, threads = False, []
                continue
            if has_faults and self.chance.random() < 0.5:
                lasts = self.trouble(mends=self.chance.random() < 0.7)
            if end == "change":
                self.cut_after(int(10 ** self.chance.uniform(0, 2.7)))
            self.pause(3 if end == "change" else self.chance.uniform(0, 1.6))
            break
        if not lasts:
            self.ledger.ends(time.monotonic())
        report = self.machine.cut()
        self.join(threads)
        return report

    def read(self, is_power_cut):
        client = self.machine.connect()
        self.ledger.judge(Reading.of(client), is_power_cut, self.machine.size())
        client.close()

    def cut_after(self, changes):
        self.disk.do(f"cut {changes}")

    def work(self):
        """Has clients at work until the daemon ends."""
        self.starts += 1
        self.is_over.clear()
        works = [(self.publish, number) for number in range(PUBLISHERS)] + [(self.follow,)]
        threads = [threading.Thread(target=self.guarded, args=work) for work in works]
        for thread in threads:
            thread.start()
        return threads

    def join(self, threads):
        self.is_over.set()
        for thread in threads:
            thread.join()
        if self.faults:
            raise self.faults[0]

    def guarded(self, work, *words):
        try:
            work(*words)
        except OSError:
            pass  # The daemon was killed.
        except Exception as fault:
            self.faults.append(fault)

    def publish(self, number):
        name = f"{self.name}.{self.starts}.{number}"
        chance, count = random.Random(name), 0
        client = self.machine.connect()
        epoch = client.ask("hello", app=f"org.example.App{number}")["ok"]["epoch"]
        while count < MOST and not self.is_over.wait(self.pace):
            texts = {}
            for count in range(count, count + chance.randint(1, 8)):
                texts[count] = f"{name} {count} " + "x" * chance.choice([0, 20, 600])
                self.ledger.sends(texts[count])
                client.send({"id": count, "op": "publish",
                             "ack": chance.choice(self.levels),
                             "event": {"type": "announcement", "text": texts[count]}})
            count += 1
            while texts:
                line = client.lines.readline()
                if not line.endswith(b"\n"):
                    return
                answer = json.loads(line)
                if "bye" in answer:
                    raise Fault(f"the bus has sent a publisher away: {answer}")
                self.ledger.answered(epoch, texts.pop(answer["id"]), answer)

    def follow(self):
        client = self.machine.connect()
        client.send({"id": 1, "op": "subscribe", "from": "now", "durable": True})
        for line in client.lines:
            if line.startswith(b'{"seq":') and line.endswith(b"\n"):
                self.ledger.delivered(line)

    def trouble(self, mends):
        """Has the disk fail; true if it still does when the power goes."""
        words = self.chance.choice(list(TROUBLES))
        self.story.append(words)
        command, lasts = TROUBLES[words]
        if mends:
            self.pause(self.chance.uniform(0, 0.5))
        # What is written by now, and not on the medium, may have no other chance to come there.
        before = time.monotonic()
        self.disk.do(command.format(
            n=self.chance.randint(0, 30), bytes=self.chance.randint(0, 200_000)))
        if not lasts:
            return False
        if not mends:
            self.ledger.ends(before)
            return True
        self.pause(self.chance.uniform(0, 0.5))
        self.disk.do("clear")
        client = self.machine.connect()
        seconds = self.machine.wait_until_well(client)
        client.close()
        self.ledger.mended(time.monotonic())
        if seconds > 5:
            raise Fault(f"the daemon came back after {seconds:.1f} s")
        return False

    def pause(self, seconds):
        """Lets the clients work, until the power goes at the latest."""
        self.disk.look(seconds)


def rot(machine, ledger, chance):
    """Flips a bit on the medium; returns where, in words."""
    segments = sorted(machine.medium.glob("*.ndjson"))
    others = [path for path in machine.medium.glob("*") if path.name == "watermark"
              or path.suffix == ".state"]
    if chance.random() < 0.7 and ledger.lines:
        seq, line = chance.choice(list(ledger.lines.items()))
        for path in segments:
            place = path.read_bytes().find(line)
            if place >= 0:
                ledger.hit.add(seq)
                flip(path, place, len(line) - 1, chance)
                return "an entry"
        return None
    if chance.random() < 0.5 and segments:
        path = chance.choice(segments)
        header = path.read_bytes().find(b"\n")
        if header > 0:
            flip(path, 0, header, chance)
            return "a header"
    if others:
        path = chance.choice(others)
        if size := path.stat().st_size:
            flip(path, 0, size, chance)
            return path.suffix.lstrip(".") or path.name
    return None


def flip(path, start, length, chance):
    content = bytearray(path.read_bytes())
    place = start + chance.randrange(length)
    content[place] ^= 1 << chance.randrange(8)
    path.write_bytes(content)


def play(machine, seed, lives, lie=None):
    """Plays the lives of one machine; returns what came of it."""
    chance = random.Random(seed)
    ledger = Ledger()
    tally, begin = collections.Counter(), time.monotonic()
    for number in range(lives + 1):
        life = Life(machine, ledger, f"{seed}.{number}", chance)
        ledger.begin()
        before = machine.place / "before"
        shutil.rmtree(before, ignore_errors=True)
        shutil.copytree(machine.medium, before)
        machine.power_on(seed * 1000 + number)
        try:
            if lie:
                machine.disk.do(f"lie {lie}")
            if number == lives:
                machine.start()
                life.read(True)
                if code := machine.stop():
                    raise Fault(f"the daemon has stopped with {code}")
                machine.disk.turn_off("kept")
                continue
            report = life.live()
            if chance.randrange(ROT) == 0 and (what := rot(machine, ledger, chance)):
                life.story.append(f"a bit of {what} flips")
        except Exception as fault:
            words = "; ".join(life.story)
            raise Fault(f"seed {seed}, life {number} ({words}): {fault}") from fault
        tally.update(life.story)
        tally.update({f"{name} on their way": report.get(name, 0) for name in ("writes", "names")})
    return {"cuts": lives, "tally": dict(tally), **ledger.counts,
            "oldest": ledger.oldest, "seconds": time.monotonic() - begin}
