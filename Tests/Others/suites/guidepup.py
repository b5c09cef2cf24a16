# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""guidepup's virtual screen reader: pages that scripts make, and the phrases of its own reader."""

import re

from play import silence, words

SOURCE = "guidepup/virtual-screen-reader"
FOLDER = "virtual-screen-reader"
WHERE = "test/int"
PARTS = (("ariaLive", "ariaLive2", "liveRegionRoles", "alertdialog"),)

TYPING = "what a person types is told by the reader's own echo, letter by letter"
# The names of the page with dialogs have the words of roles in them.
NAMES = ("Open Alert Dialog", "Close Alert Dialog 1", "Alert Dialog 1 Title")
NAVIGATING = "the reader's own cursor goes there"

# The setup of a page runs as it stands; typing is that of the user.
MODULE = """
const module = {};
const typing = {
  click: async (field) => {
    field.focus();
    getSelection().selectAllChildren(field);
    getSelection().collapseToEnd();
  },
  keyboard: async (text) => {
    for (const letter of text) document.execCommand("insertText", false, letter);
  },
};
const require = () => ({ default: typing });
SOURCE
Object.values(module.exports)[0]();
"""


def play(player, files):
    for file in files:
        folder = player.pages.root / FOLDER / WHERE
        test = (folder / f"{file}.int.test.ts").read_text(encoding="utf-8")
        script = folder / f"{file}.js"
        if script.exists():
            page = ("<!doctype html><html lang=en><title>Regions</title><body></body>"
                    f"<script>{MODULE.replace('SOURCE', script.read_text(encoding='utf-8'))}"
                    "</script>")
            regions(player, file, test, page)
        elif file == "ariaLive2":
            attributes(player, test)
        else:
            dialogs(player, test)


def blocks(test):
    """The tests of a file, each with its name, its source and the phrases that it expects."""
    for block in re.split(r"\bit\(", test)[1:]:
        name = re.search(r'"([^"]+)"', block)[1]
        log = re.search(r"toEqual\(\[(.*?)\]\)", block, re.S)
        yield name, block, re.findall(r'"([^"]+)"', log[1]) if log else []


def phrase(text):
    """A phrase without the urgency, with what other readers say for its role."""
    text = re.sub(r"^(polite|assertive): ", "", text)
    return [one for one in text.split(", ") if one not in ("button", "heading", "level 1")]


def regions(player, file, test, page):
    player.pages.made[f"/{file}"] = page
    for name, block, phrases in blocks(test):
        trigger = re.search(r'"(#trigger-[\w-]+)"', block)[1]
        button = next(one for one in phrases if one.startswith("button, "))
        heard = [one for one in phrases if re.match("(polite|assertive): ", one)]
        player.pages.open(f"/{file}")
        player.step(name, lambda: player.run(f"document.querySelector('{trigger}').focus()"),
                    words("its button", "button", *phrase(button)))
        if len(heard) > 3:
            player.pass_over(name, TYPING)
            continue
        expected = silence("silence") if not heard else region(heard)
        player.step(name, lambda: player.run(f"document.querySelector('{trigger}').click()"),
                    *([expected] if not isinstance(expected, list) else expected))


def region(heard):
    """The last phrase, and that an assertive one comes before the polite text that waits."""
    *before, last = [re.sub(r"^(polite|assertive): ", "", one) for one in heard]
    never = () if "Initial" in last else ("Initial Content",)
    expected = [words("its words", last, behind=tuple(before), never=never)]
    if before and heard[-1].startswith("assertive"):
        expected.append(words("its urgency", last, before=before[-1]))
    elif before:
        expected.append(words("its order", last, after=tuple(before), behind=tuple(before)))
    return expected


def attributes(player, test):
    """The page of the second group, whose region has all attributes."""
    for name, block, phrases in blocks(test):
        if "virtual.type" in block:
            player.pass_over(name, TYPING)
            continue
        html = re.findall(r"innerHTML = `(.*?)`", test, re.S)[1]
        player.pages.made["/attributes"] = (
            f"<!doctype html><html lang=en><title>Region</title><body>{html}</body>")
        player.pages.open("/attributes")
        script = re.search(r'querySelector\("#target"\)!(\.textContent = "[^"]+")', block)[1]
        player.step(name, lambda: player.run(f"document.querySelector('#target'){script}"),
                    words("its words", *phrase(phrases[-1])))


def dialogs(player, test):
    html = re.search(r"innerHTML = `(.*?)`", test, re.S)[1]
    player.pages.made["/dialogs"] = (
        f"<!doctype html><html lang=en><title>Dialogs</title><body>{html}</body>")

    def focus(button):
        return lambda: player.run(f"[...document.querySelectorAll('button')].find((one) => "
                                  f"one.textContent === '{button}').focus()")

    for name, block, phrases in blocks(test):
        player.pages.open("/dialogs")
        player.step(name, focus("Open Alert Dialog"),
                    words("the first button", "button", "Open Alert Dialog"))
        player.step(name, focus("Close Alert Dialog 1"),
                    words("the way in: its name", "Alert Dialog 1 Title"),
                    words("the way in: its role", "alertdialog|alert|dialog", besides=NAMES),
                    words("the way in: the button", "Close Alert Dialog 1"))
        then = re.search(r'getByRole\("button", \{ name: "([^"]+)"', block)
        if then:
            title = next((one.split(", ")[1] for one in phrases
                          if re.match("alertdialog, .* 2", one)), None)
            expected = (words("the way into another", title, then[1]) if title else
                        words("within", then[1], never=("Alert Dialog 1 Title",)))
            player.step(name, focus(then[1]), expected)
        player.pass_over(name, NAVIGATING)
