# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Asks whether one order explains all that many clients were answered by a daemon that was killed.

  python3 Tests/Histories [--daemon FILE] [--seconds N] [--seed N] [--publishers N]
      [--porcupine DIR] [--history FILE]

Records a history, or takes one of FILE, and checks it. Then it is falsified in one place after the
other, and each time the check has to notice. With --porcupine DIR, a copy of Porcupine's sources,
that checker has to find the same. The history is left in .build/histories. The exit code is 0 if
all is well, 1 if not, and 64 for a wrong command line.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

import check
from falsify import falsified
from record import Play

HOME = pathlib.Path(".build/histories")
ADAPTER = pathlib.Path(__file__).parent / "porcupine"


class Words(argparse.ArgumentParser):
    def error(self, message):
        print(f"{self.prog}: {message}.", file=sys.stderr)
        sys.exit(64)


def options():
    parser = Words(prog="Tests/Histories")
    parser.add_argument("--daemon", default=".build/release/a11yd")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--publishers", type=int, default=12)
    parser.add_argument("--porcupine", type=pathlib.Path)
    parser.add_argument("--history", type=pathlib.Path)
    return parser.parse_args()


def load(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


def save(history, name):
    HOME.mkdir(parents=True, exist_ok=True)
    path = HOME / f"{name}.ndjson"
    with open(path, "w") as file:
        file.writelines(json.dumps(one) + "\n" for one in history)
    return path


def describe(history):
    counts = collections.Counter(one["op"] for one in history)
    kills = sum(one.get("signal") == "SIGKILL" for one in history)
    published = [one for one in history if one["op"] == "publish"]
    lost = {one["id"] for one in published if "return" not in one}
    fresh = {one["id"] for one in published if "seq" in one and not one["duplicate"]}
    there = {line[1] for one in history for line in one.get("lines", ())}
    lines = sum(len(one.get("lines", ())) for one in history)
    clients = len({one["client"] for one in history} - {0})
    print(f"Recorded {counts['publish']} publishes, {counts['read']} reads of {lines} entries,"
          f" {counts['ping']} pings and {counts['forget']} requests to forget,"
          f" of {clients} clients.")
    print(f"The daemon was killed {kills} times, and left {counts['stop'] - kills} times;"
          f" {len(lost)} events had no answer, and {len((lost & there) - fresh)} of them are"
          " there.")


class Ours:
    """The checker in check.py."""

    name = "Ours"

    def judge(self, histories):
        """For each history whether an order was found, and what was said, with the seconds."""
        verdicts = []
        for history in histories:
            begin = time.monotonic()
            try:
                log, entries = check.check(history)
                verdict = (True, f"{log} operations on the log, {entries} entries")
            except check.Fault as fault:
                verdict = (False, str(fault))
            verdicts.append((*verdict, time.monotonic() - begin))
        return verdicts


class Porcupine:
    """Porcupine with the adapter, which is built against sources that somebody has fetched."""

    name = "Porcupine"

    def __init__(self, sources):
        folder = HOME / "porcupine"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(ADAPTER / "main.go", folder)
        module = "github.com/anishathalye/porcupine"
        (folder / "go.mod").write_text(
            f"module histories\n\ngo 1.16\n\nrequire {module} v0.0.0\n\n"
            f"replace {module} => {sources.resolve()}\n")
        # Nothing is fetched: all of it is here.
        environment = {**os.environ, "GOFLAGS": "-mod=mod", "GOPROXY": "off"}
        subprocess.run(["go", "build", "-o", "histories"], cwd=folder, env=environment, check=True)
        self.program = folder / "histories"

    def judge(self, histories):
        paths = [save(history, f"porcupine-{index}") for index, history in enumerate(histories)]
        said = subprocess.run([self.program, *paths], stdout=subprocess.PIPE, text=True).stdout
        for path in paths:
            path.unlink()
        verdicts = []
        for line in said.splitlines():
            word, seconds, what = line.split(" ", 2)
            verdict = {"yes": True, "no": False}.get(word)
            verdicts.append((verdict, what.split(": ", 1)[1], float(seconds)))
        return verdicts


def main():
    wanted = options()
    checkers = [Ours()]
    if wanted.porcupine:
        checkers.append(Porcupine(wanted.porcupine))
    if wanted.history:
        history = load(wanted.history)
    else:
        print(f"Recording for {wanted.seconds:g} seconds with seed {wanted.seed}.", flush=True)
        history = Play(wanted.daemon, wanted.seconds, wanted.seed, wanted.publishers).run()
        print(f"The history is in {save(history, wanted.seed)}.")
    describe(history)
    is_well = True
    for checker in checkers:
        (is_found, what, seconds), = checker.judge([history])
        is_well &= is_found is True
        found = "One order explains all" if is_found else "No order explains all"
        print(f"{checker.name}: {found}, {what}; {seconds:.1f} s.", flush=True)
    if is_well:
        is_well = refuse_falsehoods(history, wanted.seed, checkers)
    return 0 if is_well else 1


def refuse_falsehoods(history, seed, checkers):
    """Whether our checker notices each falsehood, and no other finds an order for one.

    To show that there is none Porcupine has to try them all, which may take it too long.
    """
    names, histories = zip(*falsified(history, seed))
    for name, one in zip(names, histories):
        if one is None:
            print(f"The history is too short for a falsehood: {name}.")
            return False
    is_well = True
    for checker in checkers:
        verdicts = checker.judge(histories)
        seconds = sum(verdict[2] for verdict in verdicts)
        refused = sum(verdict[0] is False for verdict in verdicts)
        undecided = sum(verdict[0] is None for verdict in verdicts)
        print(f"{checker.name}: {refused} of {len(names)} falsified histories are refused,"
              f" {undecided} are undecided after their time; {seconds:.1f} s.", flush=True)
        for name, verdict in zip(names, verdicts):
            if verdict[0]:
                print(f"{checker.name}: an order was found: {name}.")
                is_well = False
    return is_well


if __name__ == "__main__":
    sys.exit(main())
