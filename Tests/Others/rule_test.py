# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The rule of the score, with utterances that nobody has spoken."""

import unittest

from heard import LATE, MISSING, RIGHT, SPOKEN, Expectation, Utterance


def spoken(*texts, whole=True, seconds=1):
    """Utterances one behind the other, from the moment 0."""
    return [Utterance(text, number * seconds, (number + 1) * seconds, whole)
            for number, text in enumerate(texts)]


class RuleTest(unittest.TestCase):
    def judge(self, said, verdict, **expected):
        self.assertEqual(Expectation("", **expected).judge(said, 0), verdict)

    def test_words_are_found_across_texts_and_signs(self):
        self.judge(spoken("Alpha,", "Bravo!"), RIGHT, words=("alpha bravo",))

    def test_words_that_run_together_are_missing(self):
        self.judge(spoken("Announcewhat has changed"), MISSING, words=("what has changed",))

    def test_a_text_that_was_cut_was_not_heard(self):
        self.judge(spoken("Saved", whole=False), LATE, words=("Saved",))

    def test_ten_seconds_are_late(self):
        self.judge(spoken("First", "Saved", seconds=6), LATE, words=("Saved",))

    def test_what_the_page_says_before_takes_its_time(self):
        self.judge(spoken("First", "Saved", seconds=6), RIGHT, words=("Saved",), behind=("x" * 50,))

    def test_what_must_not_be_spoken(self):
        self.judge(spoken("Saved", "failed", whole=False), SPOKEN, words=("Saved",),
                   never=("Failed",))

    def test_silence(self):
        self.judge([], RIGHT, is_silent=True)
        self.judge(spoken("Saved", whole=False), SPOKEN, is_silent=True)

    def test_an_urgent_text_comes_before_one_that_waits(self):
        self.judge(spoken("Fire", "Wait"), RIGHT, words=("Fire",), before="Wait")
        self.judge(spoken("Wait", "Fire"), LATE, words=("Fire",), before="Wait")

    def test_a_polite_text_comes_behind_the_others(self):
        self.judge(spoken("First", "Saved"), RIGHT, words=("Saved",), after=("First",))
        self.judge(spoken("Saved", "First"), LATE, words=("Saved",), after=("First",))
        self.judge(spoken("Saved"), LATE, words=("Saved",), after=("First",))

    def test_a_name_is_no_role(self):
        self.judge(spoken("Trigger Alert"), MISSING, words=("alert",), besides=("Trigger Alert",))


if __name__ == "__main__":
    unittest.main()
