# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Orca's own tests of pages that change: the functions run as they stand, with keys of a user."""

import ast
import types

from browser import Fault
from play import silence, words

SOURCE = "GNOME/orca"
FOLDER = "orca"
WHERE = "tests/integration_tests"
PARTS = (("live_regions", "alert", "dynamic_content"),)

KEYS = {"KEYSYM_TAB": "Tab", "KEYSYM_SPACE": "space", "KEYSYM_DOWN": "Down", "KEYSYM_UP": "Up"}
READING = "the caret goes through the page, which is the reader's own"
SETTINGS = "it changes settings of Orca, or waits for Orca to read the page"
BRAILLE = "braille"


class NotApplicable(Exception):
    """A test that is about the reader alone."""


class Braille:
    """Lines of braille, which equal everything."""

    def __eq__(self, _):
        return True

    def __getitem__(self, _):
        return self


class Heard:
    """What was spoken after the last key, to be compared with what a test expects."""

    def __init__(self, harness):
        self.harness = harness

    def __eq__(self, expected):
        self.harness.expect(expected)
        return True


class Harness:
    """Keys and speech as the tests know them."""

    def __init__(self, player, name):
        self.player = player
        self.name = name
        self.keys = []
        self.count = 0
        self.keyboard = types.SimpleNamespace(tap_key=self.tap, **{name: name for name in KEYS})

    def tap(self, key):
        if key in ("KEYSYM_DOWN", "KEYSYM_UP"):
            raise NotApplicable(READING)
        self.keys.append(KEYS[key])

    def expect(self, expected):
        for key in self.keys[:-1]:
            self.player.press_and_wait(key)
        last = self.keys[-1]
        self.keys = []
        self.count += 1
        name = f"{self.count}: {', '.join(expected) or 'nothing'}"
        expectation = words(name, *expected) if expected else silence(name)
        self.player.step(self.name, lambda: self.player.press(last), expectation)


def refuse(*_, **__):
    raise NotApplicable(SETTINGS)


def play(player, files):
    for file in files:
        path = player.pages.root / FOLDER / WHERE / f"test_web_{file}.py"
        tree = ast.parse(path.read_text(encoding="utf-8"))
        # The harness below takes the place of what is imported.
        tree.body = [one for one in tree.body if isinstance(one, (ast.FunctionDef, ast.Assign))]
        for one in tree.body:
            if isinstance(one, ast.FunctionDef):
                one.decorator_list, one.args.args[0].annotation = [], None
        code = compile(tree, str(path), "exec")
        for function in [one.name for one in tree.body if isinstance(one, ast.FunctionDef)]:
            player.pages.open(f"/{FOLDER}/{WHERE}/web_pages/web_{file}.html")
            run(player, code, function)


def run(player, code, function):
    """Runs one test function of the file."""
    harness = Harness(player, function)
    session = types.SimpleNamespace(orca=types.SimpleNamespace(get=refuse, set=refuse))

    def speech(_, overall=0, **__):
        # Only a page that is read to its end has such a long time.
        if overall >= 4:
            refuse()
        return Heard(harness)

    names = {
        "keyboard": harness.keyboard,
        "speech": speech,
        "capture": lambda *_, **__: (Heard(harness), Braille()),
        "reset_web_state": lambda _: None,
        "move_to_bottom": lambda _: None,
        "BrailleLine": lambda *_: None,
    }
    exec(code, names)
    try:
        names[function](session)
    except (NotApplicable, Fault) as reason:
        player.pass_over(function, f"{reason}")
