# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""aria-live-region-tests: pages of buttons, each of which changes a region."""

from play import silence, words

SOURCE = "minorninth/aria-live-region-tests"
FOLDER = "aria-live-region-tests"
# Pages, and every which button of theirs: the large page is played in parts, side by side.
PARTS = (("full_live_region_tests", 0, 3), ("full_live_region_tests", 1, 3),
         ("full_live_region_tests", 2, 3), ("text_content_tests", 0, 1),
         ("silence_tests", 0, 1), ("timing_tests", 0, 1), ("rich_content_tests", 0, 1))

# The words that a click brings, where they are not "Live region succeeded" with a number.
WORDS = {
    "add new alert to page": ("Alert {}",),
    "append two new divs as children": ("This live region has a first half", "and a second half"),
    "set textContent (repeat same text)": ("Live region succeeded",),
    "set textContent of two elements in an atomic live region": ("Live region succeeded",),
    "remove display none": ("Live region succeeded",),
    "remove visibility hidden": ("Live region succeeded",),
    "reparent div with existing text": ("Live region succeeded",),
}
NEVER = ("Live region failed", "Fail 1", "Fail 2")


def play(player, part):
    name, first, step = part
    page = f"/{FOLDER}/{name}.html"
    player.pages.open(page)
    buttons = player.run("return [...document.querySelectorAll('.testContainer > button')]"
                         ".map((one) => [one.textContent, one.closest('section')"
                         ".querySelector('h2').textContent])")
    for number, (title, section) in list(enumerate(buttons))[first::step]:
        player.pages.open(page)
        count = player.run("return live_region_counter") + 1
        if "not speak" in title or "not announce" in title:
            expected = silence(title)
        else:
            texts = WORDS.get(title, ("Live region succeeded {}",))
            expected = words(title, *(text.format(count) for text in texts), never=NEVER)
        script = f"document.querySelectorAll('.testContainer > button')[{number}].click()"
        player.step(f"{name}, {section}", lambda: player.run(script), expected)
