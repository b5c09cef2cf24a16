# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""aria-at: the plans of the W3C for an alert and for modal dialogs, with their commands."""

import csv
import re

from play import words

SOURCE = "w3c/aria-at"
FOLDER = "aria-at"
PARTS = (("alert", "modal-dialog"),)

KEYS = {"space": "space", "enter": "Return", "esc": "Escape", "tab": "Tab",
        "shift+tab": "shift+Tab"}
# The names of these pages and of their controls have the words of roles in them.
NAMES = ("Trigger Alert", "Alert Example", "Modal Dialog Example")
READING = "the reader's own cursor or mode is meant"
BROWSING = "the command is meant for a reader's browse mode; those of its focus mode are played"


def play(player, plans):
    for plan in plans:
        folder = player.pages.root / FOLDER / "tests/apg" / plan
        rows = {name: list(csv.DictReader((folder / f"data/{name}.csv").open(encoding="utf-8")))
                for name in ("tests", "assertions", "references", "nvda-commands")}
        page = next(row["value"] for row in rows["references"] if row["refId"] == "reference")
        known = {row["assertionId"]: row for row in rows["assertions"]}
        for test in rows["tests"]:
            script = (folder / f"data/js/{test['setupScript']}.js").read_text(encoding="utf-8")
            for row in rows["nvda-commands"]:
                if row["testId"] == test["testId"]:
                    command(player, f"/{FOLDER}/tests/apg/{plan}/{page}", script, test, known, row)


def command(player, page, script, test, known, row):
    """One command of a test, where it goes to the page and not to the reader."""
    case = f"{test['title']}, {row['command']}"
    if row["settings"] != "focusMode" and row["command"] != "esc":
        for name in test["assertions"].split():
            player.pass_over(f"{case}: {name}", BROWSING)
        return
    expected = []
    for name in test["assertions"].split():
        one = expectation(known[name])
        if one:
            expected.append(one)
        else:
            player.pass_over(f"{case}: {name}", READING)
    # A long description takes its time before what is behind it.
    described = tuple(one.words[0] for one in expected if "escription" in one.name)
    for one in expected:
        one.behind = described
    player.pages.open(page)
    player.run(script.replace("testPageDocument", "document"))
    player.step(case, lambda: player.press(KEYS[row["command"]]), *expected)


def expectation(row):
    """The expectation of an assertion in words; None where it is about the reader."""
    statement = row["assertionStatement"].split("|")[0]
    name = row["assertionId"]
    if found := re.search(r"[Nn]ame.*'(.+)'.* is conveyed|Text '(.+)' is conveyed", statement):
        return words(name, found[1] or found[2])
    if found := re.search(r"description is conveyed as: '(.+?)'?$", statement):
        return words(name, found[1])
    if found := re.search(r"[Rr]ole.*'(\w+)'.* is conveyed", statement):
        return words(name, found[1], besides=NAMES)
    if "enter or edit text" in statement:
        return words(name, "text field|entry|edit|text")
    return None
