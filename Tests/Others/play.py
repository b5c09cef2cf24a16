# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Plays the steps of a suite at a desktop, and keeps the verdicts."""

import dataclasses
import threading
import time

from browser import Fault
from heard import RIGHT, Expectation, contains

# Seconds in which words might still come that must not; and for words that are late.
SILENCE = 2.5
LATER = 4
# Seconds in which a key moves the focus.
MOVE = 3
# Controls on the way to the one that is looked for.
MOST_STEPS = 40


@dataclasses.dataclass
class Verdict:
    """How one assertion ended for one reader."""

    suite: str
    browser: str
    reader: str
    case: str
    assertion: str
    verdict: str
    said: list
    why: str = ""
    # Seconds until the text with the last of the words was begun, and until that word.
    seconds: float | None = None
    heard: float | None = None


class Play:
    """One suite in one browser."""

    def __init__(self, suite, desktop):
        self.suite = suite
        self.desktop = desktop
        self.pages = desktop.pages
        self.verdicts = []
        self.passed_over = []

    def pass_over(self, case, reason):
        """Counts an assertion apart that does not apply."""
        self.passed_over.append((self.suite, self.desktop.browser, case, reason))

    def run(self, script):
        return self.pages.run(script)

    def press(self, *keys):
        self.desktop.xdotool("key", *keys)

    def reach(self, name):
        """Goes to the control of which one of both readers tells this name."""
        for _ in range(MOST_STEPS):
            self.desktop.settle()
            start = time.time()
            self.press("Tab")
            deadline = time.monotonic() + MOVE
            while time.monotonic() < deadline:
                said = self.desktop.utterances(start)
                if any(contains(all, name) for all in said.values()):
                    return
                if all(said.values()):
                    break
                threading.Event().wait(0.1)
        raise Fault(f"the keyboard does not come to {name}")

    def press_and_wait(self, key):
        """Presses a key that moves the focus, and waits until the page has moved it."""
        place = "return [...document.querySelectorAll('*')].indexOf(document.activeElement)"
        before = self.run(place)
        # A window that gets a new page may have no place for keys in that moment.
        for _ in range(3):
            self.press(key)
            deadline = time.monotonic() + MOVE
            while time.monotonic() < deadline:
                if self.run(place) != before:
                    return
        raise Fault(f"{key} does not move the focus")

    def step(self, case, act, *expectations):
        """Silences both readers, acts, and judges what they say then."""
        try:
            self.desktop.settle()
            start = time.time()
            act()
        except Fault as fault:
            for expectation in expectations:
                self.pass_over(f"{case}: {expectation.name}", f"{fault}")
            return
        self.wait(expectations, start)
        for reader, said in self.desktop.utterances(start).items():
            for expectation in expectations:
                self.keep(case, expectation, reader, said, start)

    def keep(self, case, expectation, reader, said, start):
        verdict = expectation.judge(said, start)
        texts = [f"{one.text}{'' if one.is_whole else ' (cut)'}" for one in said]
        why = ""
        if verdict != RIGHT and reader == "a11yd":
            why = self.desktop.bus.why(expectation, start)
        self.verdicts.append(Verdict(self.suite, self.desktop.browser, reader, case,
                                     expectation.name, verdict, texts, why,
                                     expectation.begun(said, start),
                                     expectation.heard(said, start)))

    def wait(self, expectations, start):
        """Waits until all is as expected and both are quiet, or until it is too late."""
        least = SILENCE if any(one.is_about_silence for one in expectations) else 0
        limit = max(one.limit for one in expectations)
        changed = threading.Condition()
        with changed:
            while True:
                changed.wait(0.1)
                since = time.time() - start
                said = self.desktop.utterances(start)
                is_speaking = any(one.end is None for all in said.values() for one in all)
                is_right = all(one.judge(all, start) == RIGHT
                               for one in expectations for all in said.values())
                if since >= limit + LATER:
                    return
                if since >= limit and not is_speaking:
                    return
                if is_right and since >= least and not is_speaking:
                    return


def words(name, *expected, **more):
    """An expectation of words."""
    return Expectation(name, words=expected, **more)


def silence(name):
    """An expectation of nothing."""
    return Expectation(name, is_silent=True)
