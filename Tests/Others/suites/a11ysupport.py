# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""a11ysupport.io: pages for live regions, with assertions that people try with screen readers."""

import json

from play import silence, words

SOURCE = "accessibilitysupported/a11ysupport.io"
FOLDER = "a11ysupport.io"
REGIONS = ("alert-role-named", "alert-role-unnamed", "log-role-named", "log-role-unnamed",
           "status-role-named", "status-role-unnamed")
TESTS = REGIONS + ("aria-live", "aria-relevant", "aria-atomic-divs", "aria-atomic-spans",
                   "aria-describedby-with-role-alert", "aria-current-change")
PARTS = (TESTS,)

READING = "its name and role are told while a person reads the page, which is the reader's own"
NAMES = {"alert-role-named": "important message", "log-role-named": "chat",
         "status-role-named": "polite message"}
# What the pages of aria-relevant do, and which of it each value lets through.
CHANGES = {"additions": "DOM was added", "removals": "DOM was removed", "text": "Content changed"}
RELEVANT = ("additions", "removals", "text", "additions removals text", "additions text")


def play(player, tests):
    for test in tests:
        data = json.loads((player.pages.root / FOLDER / f"data/tests/tech/aria/{test}.json")
                          .read_text(encoding="utf-8"))
        asserted = [one["feature_assertion_id"] for one in data["assertions"]]
        page = f"/{FOLDER}/data/tests/html/{data['html_file']}"
        player.pages.open(page)
        if test in REGIONS:
            region(player, test, asserted)
        elif test == "aria-relevant":
            relevant(player, page)
        elif test == "aria-live":
            live(player, page)
        elif test.startswith("aria-atomic"):
            atomic(player, test, page)
        else:
            focus(player, test, asserted[0])


def click(player, number):
    return lambda: player.run(f"document.querySelector('#trigger-{number}').click()")


def announcements(player):
    """The two polite texts that these pages put before theirs."""
    return player.run("return [firstAnnouncement, secondAnnouncement]")


def region(player, test, asserted):
    first, second = announcements(player)
    is_log = test.startswith("log")
    text = "Me: where is the cake?" if is_log else "I am now populated"
    whole = f"Existing content. {text}"
    old = "Customer support: hello"
    behind = (first, second)
    known = {
        "automatic_announcement": words("automatic_announcement", text, behind=behind),
        "convey_aria_live_value_assertive":
            words("convey_aria_live_value_assertive", text, before=second),
        "convey_aria_live_value_polite":
            words("convey_aria_live_value_polite", text, after=behind, behind=behind),
        "convey_aria_atomic_value_true":
            words("convey_aria_atomic_value_true", whole, behind=behind),
        "convey_aria_atomic_value_false":
            words("convey_aria_atomic_value_false", text, never=(old,), behind=behind),
        "convey_name_and_role_in_announcement_if_named":
            words("convey_name_and_role_in_announcement_if_named", NAMES.get(test, ""), text,
                  behind=behind),
    }
    for name in asserted:
        if name not in known:
            player.pass_over(f"{test}: {name}", READING)
    player.step(test, click(player, 1), *(known[name] for name in asserted if name in known))


def live(player, page):
    first, second = announcements(player)
    text = "I am now populated aria-live="
    player.step("aria-live off", click(player, 1), silence("convey_value_off"))
    player.pages.open(page)
    player.step("aria-live polite", click(player, 2),
                words("automatic_announcement", text + "polite", behind=(first, second)),
                words("convey_value_polite", text + "polite", after=(first, second),
                      behind=(first, second)))
    player.pages.open(page)
    player.step("aria-live assertive", click(player, 3),
                words("convey_value_assertive", text + "assertive", before=second))


def relevant(player, page):
    for number, value in enumerate(RELEVANT):
        player.pages.open(page)
        heard = [text for kind, text in CHANGES.items() if kind in value.split()]
        never = [text for text in CHANGES.values() if text not in heard]
        player.step("aria-relevant", click(player, number),
                    words(value, *heard, never=tuple(never)))


def atomic(player, test, page):
    player.step(test, click(player, 1),
                words("convey_value_false", "what has changed", never=("announce",)))
    player.pages.open(page)
    player.step(test, click(player, 2), words("convey_value_true", "Announce entire region"))


def focus(player, test, name):
    if test == "aria-current-change":
        player.run("document.querySelector('#target1-activate').focus()")
        player.step(test, lambda: player.run("document.querySelector('#target1-activate').click()"),
                    words(name, "current"))
    else:
        player.step(test, lambda: player.run("document.querySelector('#target').focus()"),
                    words(name, "Example label", "error"))
