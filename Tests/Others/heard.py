# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""What was spoken, and whether that is what a suite expects; one rule for both readers."""

import dataclasses
import re

# Twenty characters a second, as a11yctl listen has it.
SECONDS_PER_CHARACTER = 0.05
# Expected words are whole so many seconds after the step, or they are late.
LIMIT = 10

RIGHT = "heard right"
LATE = "late or cut"
MISSING = "missing"
SPOKEN = "spoken though it must not be"
VERDICTS = (RIGHT, LATE, MISSING, SPOKEN)


@dataclasses.dataclass
class Utterance:
    """A text that a reader has begun to speak; without an end it is being spoken."""

    text: str
    begin: float
    end: float | None = None
    is_whole: bool = False


@dataclasses.dataclass
class Expectation:
    """One assertion of a suite about what is spoken after a step."""

    name: str
    # Each of these is spoken whole, in any order; alternatives are divided by a bar.
    words: tuple = ()
    # None of these is spoken, not even its beginning.
    never: tuple = ()
    # Nothing at all is spoken.
    is_silent: bool = False
    # The words begin before this text is whole.
    before: str = ""
    # The words begin when these texts are whole.
    after: tuple = ()
    # What the page itself has spoken before the words, which takes its time.
    behind: tuple = ()
    # Names that hold the words as well, and do not count.
    besides: tuple = ()

    @property
    def limit(self):
        return LIMIT + sum(map(len, self.behind)) * SECONDS_PER_CHARACTER

    @property
    def is_about_silence(self):
        return self.is_silent or bool(self.never)

    def judge(self, said, start):
        """The verdict about the utterances since the start of the step."""
        said = [dataclasses.replace(one, text=self.without_names(one.text)) for one in said]
        if self.is_silent:
            return SPOKEN if said else RIGHT
        if any(contains(said, words) for words in self.never):
            return SPOKEN
        whole = [one for one in said if one.is_whole]
        in_time = [one for one in whole if one.end <= start + self.limit]
        if all(contains(in_time, words) for words in self.words) and self.is_in_order(said):
            return RIGHT
        return LATE if all(contains(said, words) for words in self.words) else MISSING

    def begun(self, said, start):
        """Seconds from the step until the last of the words was begun; None without them."""
        if not self.words or not all(contains(said, words) for words in self.words):
            return None
        return max(moment(said, words)[0] for words in self.words) - start

    def heard(self, said, start):
        """Seconds from the step until the last of the words was reached within its text."""
        if self.begun(said, start) is None:
            return None
        return max(reached(said, words) for words in self.words) - start

    def without_names(self, text):
        for name in self.besides:
            text = text.replace(name, "")
        return text

    def is_in_order(self, said):
        begin = min((moment(said, words)[0] for words in self.words), default=0)
        if self.before and contains(said, self.before):
            _, end, is_whole = moment(said, self.before)
            return not is_whole or begin < end
        for words in self.after:
            if not contains(said, words):
                return False
            _, end, is_whole = moment(said, words)
            if not is_whole or begin < end - 0.01:
                return False
        return True


def plain(text):
    """Words in lower case with single spaces, so that no sign makes a difference."""
    words = re.findall(r"[^\W_]+", text.lower())
    return f" {' '.join(words)} "


def contains(said, words):
    text = plain(" ".join(one.text for one in said))
    return any(plain(choice) in text for choice in words.split("|"))


def moment(said, words):
    """When the last of the words began and ended, and whether to the end."""
    for count in range(1, len(said) + 1):
        if contains(said[:count], words):
            last = said[count - 1]
            return last.begin, last.end or float("inf"), last.is_whole
    return float("inf"), float("inf"), False


def reached(said, words):
    """When a voice has come to words, character by character."""
    begin, _, _ = moment(said, words)
    text = plain(next(one.text for one in said if one.begin == begin))
    places = [text.find(plain(choice)) for choice in words.split("|")]
    place = min((place for place in places if place >= 0), default=0)
    return begin + place * SECONDS_PER_CHARACTER
