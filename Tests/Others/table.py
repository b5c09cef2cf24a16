# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Prints verdicts: each miss with its reason, what does not apply, and tables for the documents."""

import collections

from heard import LATE, MISSING, RIGHT, SPOKEN, plain

READERS = ("a11yd", "Orca")
# The suite of our own, which is no score.
OWN = "situations"
# Seconds by which a11yd may begin later.
LATER = 0.5


def show(verdicts, passed_over, browsers):
    show_misses(verdicts)
    show_passed_over(passed_over)
    for browser in browsers if any(one.suite != OWN for one in verdicts) else ():
        show_suites(browser, [one for one in verdicts if one.browser == browser])
    others = [one for one in verdicts if one.suite != OWN]
    if others:
        show_document(others, browsers)
    own = [one for one in verdicts if one.suite == OWN]
    if own:
        show_situations(own)


def show_misses(verdicts):
    misses = [one for one in verdicts if one.reader == "a11yd" and one.verdict != RIGHT]
    orca = {key(one): one for one in verdicts if one.reader == "Orca"}
    for one in misses:
        other = orca[key(one)]
        print(f"{one.suite}, {one.browser}: {one.case}: {one.assertion}: {one.verdict}.")
        print(f"  a11yd has said: {' / '.join(one.said) or 'nothing'}")
        print(f"  Orca has said: {' / '.join(other.said) or 'nothing'} ({other.verdict})")
        print(f"  Why: {one.why}")


def key(one):
    return one.suite, one.browser, one.case, one.assertion


def show_passed_over(passed_over):
    reasons = collections.Counter((suite, browser, reason)
                                  for suite, browser, _, reason in passed_over)
    for (suite, browser, reason), count in reasons.items():
        print(f"{suite}, {browser}: {count} not applicable: {reason}.")


def show_suites(browser, verdicts):
    print(f"\n{browser}:\n")
    print("| suite | reader | assertions | right | late or cut | missing | must not |")
    print("|---|---|---|---|---|---|---|")
    suites = list(dict.fromkeys(one.suite for one in verdicts))
    for suite in suites + [None]:
        for reader in READERS:
            chosen = [one.verdict for one in verdicts
                      if one.reader == reader and suite in (one.suite, None)]
            counts = " | ".join(str(chosen.count(one)) for one in (RIGHT, LATE, MISSING, SPOKEN))
            print(f"| {suite or 'all'} | {reader} | {len(chosen)} | {counts} |")


def show_situations(verdicts):
    """Side by side what was said in each situation, and which of both has told it better."""
    mine = {key(one): one for one in verdicts if one.reader == "a11yd"}
    counts = collections.Counter()
    print("| situation | Orca | a11yd | a11yd is |")
    print("|---|---|---|---|")
    for other in [one for one in verdicts if one.reader == "Orca"]:
        one = mine[key(other)]
        result = compare(one, other)
        counts[one.browser, result] += 1
        print(f"| {one.case}, {one.browser} | {cell(other)} | {cell(one)} | {result} |")
    print("\n| program | better | equal | worse |")
    print("|---|---|---|---|")
    for place in dict.fromkeys(one.browser for one in verdicts):
        chosen = [str(counts[place, result]) for result in ("better", "equal", "worse")]
        print(f"| {place} | {' | '.join(chosen)} |")
    sums = [sum(count for (_, result), count in counts.items() if result == wanted)
            for wanted in ("better", "equal", "worse")]
    print("\n{} better, {} equal, {} worse.".format(*sums))


def cell(one):
    seconds = "" if one.seconds is None else f" ({one.seconds:.1f} s)"
    return (" / ".join(one.said) or "nothing").replace("|", "¦") + seconds


def compare(one, other):
    """The same words or more, at most so much later, and nothing twice.

    It is better that tells what the other one has not, or whose last word is heard sooner by as
    much.
    """
    if (one.verdict == RIGHT) != (other.verdict == RIGHT):
        return "better" if one.verdict == RIGHT else "worse"
    if one.verdict != RIGHT:
        return "equal"
    if is_late(one, other) or (is_twice(one) and not is_twice(other)):
        return "worse"
    is_sooner = one.heard is not None and one.heard + LATER < other.seconds
    return "better" if is_sooner else "equal"


def is_late(one, other):
    return one.seconds is not None and one.seconds > other.seconds + LATER


def is_twice(one):
    """Whether a text of some words is told once more, by itself or within another."""
    texts = [plain(text) for text in one.said if not text.endswith(" (cut)")]
    texts = [text for text in texts if len(text.split()) > 1]
    return any(text in other for place, text in enumerate(texts)
               for number, other in enumerate(texts) if number != place)


def show_document(verdicts, browsers):
    """The table for the documents: how many were heard right."""
    names = " | ".join(f"{browser}: {', '.join(READERS)}" for browser in browsers)
    print(f"\n| suite (assertions) | {names} |")
    print("|---" * (len(browsers) + 1) + "|")
    suites = list(dict.fromkeys(one.suite for one in verdicts))
    for suite in suites + [None]:
        chosen = [one for one in verdicts if suite in (one.suite, None)]
        cells = []
        for browser in browsers:
            cells.append(", ".join(
                str(sum(one.verdict == RIGHT and one.browser == browser and one.reader == reader
                        for one in chosen)) for reader in READERS))
        count = max((sum(one.browser == browser and one.reader == READERS[0] for one in chosen)
                     for browser in browsers), default=0)
        print(f"| {suite or 'all'} ({count}) | {' | '.join(cells)} |")
    print()
