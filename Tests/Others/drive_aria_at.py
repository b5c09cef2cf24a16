# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Carries out a test plan of aria-at with Orca, through the AT Driver of a11yctl.

  python3 Tests/Others/drive_aria_at.py --suites DIR [--programs DIR] [--plan NAME]
      [--browser NAME]

DIR has a directory aria-at, as docs/others.md tells. Each command of the plan gets a desktop of its
own from a11yctl driver run; what is heard there is printed with each assertion. The exit code is 0
if all commands were carried out, 1 if not, and 64 for a wrong command line.
"""

import argparse
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

from heard import Utterance, contains
from suites.aria_at import FOLDER, expectation

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEYS = {"space": "\ue00d", "enter": "\ue006", "esc": "\ue00c", "tab": "\ue004"}
# Orca's key for its two modes is the one of its own, Insert, with A.
TURN = ["\ue016", "a"]
# Seconds until something is heard, without a word before it is quiet, and between two questions.
PATIENCE = 40
QUIET = 2.5
PAUSE = 0.2


class Listener:
    """The words that a session of the driver captures; the client is that of docs/ci.md."""

    def __init__(self):
        page = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
        names = {}
        exec(re.search(r"```python\n(.*?)```", page, re.DOTALL)[1], names)
        self.driver = names["Driver"](os.environ["AT_DRIVER_URL"])
        self.driver.command("session.new", capabilities={})
        self.said = []

    def look(self):
        """Takes what was said meanwhile: an answer comes behind all words before it."""
        self.driver.command("settings.getSupportedSettings")
        events, self.driver.events = self.driver.events, []
        new = [event["params"]["data"] for event in events
               if event["method"] == "interaction.capturedOutput"]
        self.said += new
        threading.Event().wait(PAUSE)
        return new

    def hear(self, words):
        """Waits for words, and then until it is quiet."""
        deadline = time.monotonic() + PATIENCE
        while not any(words in text for text in self.said):
            if time.monotonic() > deadline:
                raise TimeoutError(f"“{words}” is not heard; heard was {self.said}")
            self.look()
        self.settle()

    def settle(self):
        last = time.monotonic()
        while time.monotonic() < last + QUIET:
            if self.look():
                last = time.monotonic()

    def press(self, *keys):
        """Presses keys; what was said before them does not count any more."""
        self.said = []
        self.driver.command("interaction.userIntent", name="pressKeys", keys=list(keys))


def carry_out(key, mode):
    """Runs the setup of the page, gives one command, and prints what is heard then."""
    listener = Listener()
    listener.hear("Run Test Setup")
    listener.press(KEYS["space"])
    listener.hear("Trigger Alert")
    if mode == "focusMode":
        listener.press(*TURN)
        listener.hear("Focus mode")
    listener.press(KEYS[key])
    listener.settle()
    print(json.dumps(listener.said))


def judge(wanted, page, row, assertions):
    """One command on a desktop of its own; whether it was carried out."""
    words = [wanted.programs / "a11yctl", "driver", "run", "--orca", "--browser", wanted.browser,
             "--page", page.as_uri(), "--", sys.executable, "-B", __file__,
             "--command", row["command"], "--mode", row["settings"]]
    result = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    case = f"{wanted.browser}, {row['command']}, {row['settings']}"
    if result.returncode != 0:
        print(f"{case}: was not carried out. {(result.stderr.splitlines() or [''])[-1]}")
        return False
    said = json.loads(result.stdout)
    print(f"{case}: {' | '.join(said) or 'nothing'}")
    for name, sentence, expected in assertions:
        heard = [Utterance(text.replace("Trigger Alert", ""), 0) for text in said]
        right = all(contains(heard, one) for one in expected.words)
        print(f"  {'heard' if right else 'not heard'}: {sentence}")
    return True


def options():
    parser = argparse.ArgumentParser()
    parser.error = lambda message: (print(f"{message}.", file=sys.stderr), sys.exit(64))
    parser.add_argument("--suites", type=pathlib.Path)
    parser.add_argument("--programs", type=lambda name: pathlib.Path(name).resolve(),
                        default=".build/release")
    parser.add_argument("--plan", default="alert")
    parser.add_argument("--browser", choices=("chromium", "firefox"), default="firefox")
    parser.add_argument("--command", choices=KEYS, help=argparse.SUPPRESS)
    parser.add_argument("--mode", help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    wanted = options()
    if wanted.command:
        return carry_out(wanted.command, wanted.mode)
    folder = wanted.suites / FOLDER / "tests/apg" / wanted.plan
    rows = {name: list(csv.DictReader((folder / f"data/{name}.csv").open(encoding="utf-8")))
            for name in ("tests", "assertions", "references", "nvda-commands")}
    page = next(row["value"] for row in rows["references"] if row["refId"] == "reference")
    known = {row["assertionId"]: row for row in rows["assertions"]}
    done = True
    for test in rows["tests"]:
        # The plan has this page with a button that does the setup of the test.
        place = (folder / page).with_suffix(f".{test['setupScript']}.html")
        assertions = [(name, known[name]["assertionStatement"], expectation(known[name]))
                      for name in test["assertions"].split()]
        for row in rows["nvda-commands"]:
            if row["testId"] == test["testId"]:
                done = judge(wanted, place.resolve(), row, assertions) and done
    return 0 if done else 1


sys.exit(main())
