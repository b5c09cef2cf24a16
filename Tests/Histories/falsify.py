# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Falsifies a history in one place each, as a faulty daemon would have left it.

Each function changes the history that it is given. A checker that takes one of them for good cannot
be believed about the true one either.
"""

import json
import random


class NoPlace(Exception):
    """The history is too short to be falsified in this way."""


def choose(chance, candidates):
    candidates = list(candidates)
    if not candidates:
        raise NoPlace
    return chance.choice(candidates)


def answered(history):
    """The publishes that were answered by a new seq, in order of their calls."""
    return [one for one in history
            if one["op"] == "publish" and "seq" in one and not one["duplicate"]]


def reads(history):
    return [one for one in history if one["op"] == "read"]


def shows(read, seq):
    return read["from"] < seq <= read["end"]


def replace(history, seq, what):
    """Has all reads that show a text at this seq show something else there."""
    for read in reads(history):
        if shows(read, seq) and read["lines"][seq - read["from"] - 1][1] is not None:
            read["lines"][seq - read["from"] - 1][1] = what


def one_by_one(history, chance):
    """Two publishes of which the first was answered before the second was called."""
    all_of_them = answered(history)
    first = choose(chance, all_of_them[:len(all_of_them) // 2])
    second = choose(chance, (one for one in all_of_them if one["call"] > first["return"]))
    return first, second


def two_answers_are_exchanged(history, chance):
    first, second = one_by_one(history, chance)
    first["seq"], second["seq"] = second["seq"], first["seq"]


def a_later_event_stands_before_an_earlier_one(history, chance):
    first, second = one_by_one(history, chance)
    first["seq"], second["seq"] = second["seq"], first["seq"]
    replace(history, first["seq"], first["id"])
    replace(history, second["seq"], second["id"])


def an_acknowledged_event_is_lost(history, chance):
    replace(history, choose(chance, answered(history))["seq"], "=00000000")


def an_event_that_nobody_has_sent_is_there(history, chance):
    line = choose(chance, (line for read in reads(history) for line in read["lines"]
                           if line[1] is not None and line[1].startswith("=")))
    replace(history, line[0], "1.1000000")


def a_repeated_event_is_there_twice(history, chance):
    first, second = one_by_one(history, chance)
    second["id"], second["app"] = first["id"], first["app"]
    replace(history, second["seq"], first["id"])


def a_new_event_is_taken_for_a_repeated_one(history, chance):
    choose(chance, answered(history))["duplicate"] = True


def an_event_is_there_before_it_is_sent(history, chance):
    publish = choose(chance, (one for one in answered(history)
                              if any(shows(read, one["seq"]) for read in reads(history))))
    seen = min(read["return"] for read in reads(history) if shows(read, publish["seq"]))
    publish["call"], publish["return"] = seen + 1, seen + 2


def a_read_ends_too_early(history, chance):
    def is_meant(read):
        return read["complete"] and any(shows(read, one["seq"]) for one in answered(history)
                                        if one["return"] < read["call"])

    read = choose(chance, filter(is_meant, reads(history)))
    read["end"] = max(one["seq"] for one in answered(history)
                      if shows(read, one["seq"]) and one["return"] < read["call"]) - 1
    del read["lines"][read["end"] - read["from"]:]


def a_read_leaves_an_entry_out(history, chance):
    read = choose(chance, (one for one in reads(history) if one["lines"]))
    del read["lines"][chance.randrange(len(read["lines"]))]


def a_ping_knows_too_little(history, chance):
    ping = choose(chance, (one for one in history if "last" in one
                           and any(other["return"] < one["call"] for other in answered(history))))
    ping["last"] = max(one["seq"] for one in answered(history)
                       if one["return"] < ping["call"]) - 1


def a_forgotten_text_is_shown(history, chance):
    def is_meant(read, line):
        publish = published.get(line[0])
        return line[1] is None and publish and any(
            one["app"] == publish["app"] and one["call"] > publish["return"]
            and one["return"] < read["call"] for one in forgets)

    published = {one["seq"]: one for one in answered(history)}
    forgets = [one for one in history if one["op"] == "forget" and "return" in one]
    line = choose(chance, (line for read in reads(history) for line in read["lines"]
                           if is_meant(read, line)))
    line[1] = published[line[0]]["id"]


def a_text_is_gone_that_nobody_forgot(history, chance):
    publish = choose(chance, (
        one for one in answered(history)
        if not any(other["op"] == "forget" and other["app"] == one["app"] for other in history)
        and any(shows(read, one["seq"]) for read in reads(history))))
    replace(history, publish["seq"], None)


def an_entry_of_the_daemon_changes(history, chance):
    seen = {}
    for read in reads(history):
        for line in read["lines"]:
            if line[1] is not None and line[1].startswith("="):
                seen.setdefault(line[0], []).append(line)
    choose(chance, (lines for lines in seen.values() if len(lines) > 1))[0][1] = "=00000000"


def the_epoch_changes(history, chance):
    choose(chance, (one for one in history if one["op"] == "start"))["epoch"] = "0" * 32


FALSEHOODS = [
    two_answers_are_exchanged, a_later_event_stands_before_an_earlier_one,
    an_acknowledged_event_is_lost, an_event_that_nobody_has_sent_is_there,
    a_repeated_event_is_there_twice, a_new_event_is_taken_for_a_repeated_one,
    an_event_is_there_before_it_is_sent, a_read_ends_too_early, a_read_leaves_an_entry_out,
    a_ping_knows_too_little, a_forgotten_text_is_shown, a_text_is_gone_that_nobody_forgot,
    an_entry_of_the_daemon_changes, the_epoch_changes,
]


def falsified(history, seed):
    """Each falsehood in words, with the history that it was put into, or None for no place."""
    whole = json.dumps(history)
    for falsehood in FALSEHOODS:
        copy = json.loads(whole)
        try:
            falsehood(copy, random.Random(seed))
        except NoPlace:
            copy = None
        yield falsehood.__name__.replace("_", " "), copy
