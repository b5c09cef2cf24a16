# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The tests of live regions of ChromeVox: pages in a script, and what is expected after a click."""

import re

from play import silence, words

SOURCE = "chromium/chromium"
FOLDER = "chromevox"
FILE = "live_regions_test.js"
PARTS = (FILE,)

INSIDE = "it calls functions inside of ChromeVox"
DISABLED = "it is switched off by its authors"
TEXT = re.compile(r"\.expect\w*Speech\w*\(((?:\s*'[^']*',?)+)")


def play(player, file):
    source = (player.pages.root / FOLDER / file).read_text(encoding="utf-8")
    for test in re.split(r"AX_TEST_F\(", source)[1:]:
        name = re.search(r"'ChromeVoxLiveRegionsTest',\s*'(\w+)'", test)[1]
        page = re.search(r"runWithLoadedTree\(`(.+?)`\)", test, re.S)
        if name.startswith("DISABLED"):
            player.pass_over(name, DISABLED)
        elif not page or "onTreeChange" in test:
            player.pass_over(name, INSIDE)
        else:
            player.pages.made[f"/{name}"] = (
                f"<!doctype html><html lang=en><title>{name}</title><body>{page[1]}</body>")
            player.pages.open(f"/{name}")
            steps(player, name, test)


def steps(player, name, test):
    """Clicks as often as the test does; a text is expected until the next click."""

    def click():
        player.run("document.querySelector('button').click()")

    if name == "SilentOnNodeChange":
        player.step(name, lambda: None, silence("hello! is not told again and again"))
        return
    clicks = re.split(r"\.call\(\w+\.doDefault|\w+\.doDefault\(\);", test)[1:]
    for number, part in enumerate(clicks, 1):
        texts = [text for call in TEXT.findall(part) for text in re.findall("'([^']*)'", call)]
        if "focusOrLive" in part:
            texts = ["Focus", "Live"]
        elif name == "FocusThenLiveRegion":
            texts = ["Focus", "Live"]
        player.step(name, click, words(f"click {number}", *texts))
