# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The film as a picture that moves, for people who look, and as text, for people who listen."""

import html
import json
import textwrap

SPEAKERS = ["Orca", "build", "assistant", "chat", "power"]
SIDES = {"alone": "speech-dispatcher alone", "bus": "the same, through a11yd"}
WIDTH, HEIGHT, MARGIN, COLUMN = 960, 600, 20, 450
LANES, LANE, NAMES = 190, 44, 74
# Seconds for which a cut stays in sight.
GLANCE = 0.8


def speaker(message):
    """Who has said it; behind the bus the voice says it all, and the words tell."""
    if message.program not in ("a11y-speech", "orca", "Orca"):
        return {"claude-code": "assistant"}.get(message.program, message.program)
    for words, who in (("Build finished", "build"), ("Battery", "power"), ("Claude", "assistant"),
                       ("from chat", "chat"), ("Anna:", "chat"), ("Ben:", "chat"),
                       ("Cleo:", "chat")):
        if words in message.text:
            return who
    return "Orca"


def fate(message):
    if message.begin is None:
        return "never begun"
    if message.is_whole:
        return "heard to its end"
    end = message.end if message.end is not None else message.begin
    return f"cut after {end - message.begin:.1f} s"


def moment_of(message):
    return message.came if message.begin is None else message.begin


# What the log tells of the second run


def entries(desk):
    lines = []
    for path in sorted((desk.directory / "log").glob("*.ndjson")):
        lines += [json.loads(line) for line in path.read_text().splitlines() if "\"event\"" in line]
    return lines


def reasons(desk):
    """What a11yctl says of the build, of a message of the chat, and of a sentence that was cut."""
    log = entries(desk)
    results = {}
    for entry in log:
        if entry["event"].get("type") == "outcome":
            results[entry["event"]["of"]] = entry["event"]["result"]
    wanted = {}
    for entry in log:
        event = entry["event"]
        if event.get("type") != "announcement":
            continue
        seq = entry["seq"]
        if entry["app"] == "build":
            wanted["the build"] = seq
        elif entry["app"] == "chat" and results.get(seq) == "summarised":
            wanted.setdefault("a message of the chat", seq)
        elif event.get("class") == "reading" and any(
                other["event"].get("type") == "deliver" and other["event"].get("again")
                and seq in other["event"]["of"] for other in log):
            wanted.setdefault("the sentence that the alarm has cut", seq)
    return [(what, desk.tool("explain", str(seq)).splitlines()[0]) for what, seq in wanted.items()]


# The picture


def film(sides, story, why):
    length = max(message.end or message.came for spoken in sides.values() for message in spoken) + 2
    words = ("Two runs of one afternoon, side by side. Left, what speech-dispatcher alone has "
             "spoken: programs cut each other. Right, the same programs through a11yd. The "
             "transcript film.md has every word.")
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'font-family="sans-serif" font-size="14"><title>One voice for the whole desktop</title>'
        f"<desc>{html.escape(words)}</desc>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#10151c"/>',
    ]
    for number, (side, title) in enumerate(SIDES.items()):
        left = MARGIN + number * (COLUMN + MARGIN)
        out += column(sides[side], title, left, length, story)
    y = LANES + LANE * len(SPEAKERS) + 44
    for what, sentence in why:
        line = f"Why, of {what}: {sentence}"
        for part in textwrap.wrap(line, 132)[:3]:
            out.append(text(MARGIN, y, part, "#b8c4d0", 12))
            y += 16
        y += 6
    return "\n".join(out + ["</svg>", ""])


def text(x, y, words, fill="#e8eef4", size=14, more=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}" font-size="{size}"{more}>'
            f"{html.escape(words)}</text>")


def shown(body, begin, end, length):
    """Shows something from one moment of the film to another, each time that it plays."""
    a, b = max(begin, 0.001) / length, min(end, length - 0.001) / length
    return (f'<g opacity="0">{body}<animate attributeName="opacity" values="0;1;0" '
            f'keyTimes="0;{a:.5f};{b:.5f}" calcMode="discrete" dur="{length:.2f}s" '
            f'repeatCount="indefinite"/></g>')


def column(spoken, title, left, length, story):
    scale = (COLUMN - NAMES - 8) / length
    start = left + NAMES
    out = [text(left, 36, title, size=20)]
    out.append(f'<rect x="{left}" y="52" width="{COLUMN}" height="92" rx="6" fill="#1b2430"/>')
    for number, name in enumerate(SPEAKERS):
        y = LANES + number * LANE
        out.append(text(left, y + 20, name, "#b8c4d0", 13))
        out.append(f'<line x1="{start}" x2="{left + COLUMN}" y1="{y + 34}" y2="{y + 34}" '
                   'stroke="#2a3644"/>')
    for moment, what in story:
        x = start + moment * scale
        out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{LANES - 12}" '
                   f'y2="{LANES + LANE * len(SPEAKERS)}" stroke="#3c4a5a" stroke-dasharray="2 4">'
                   f"<title>{html.escape(what)}</title></line>")
    for message in spoken:
        out += bar(message, start, scale)
        if message.begin is not None:
            end = message.end if message.end is not None else message.begin + 1
            who = speaker(message)
            lines = textwrap.wrap(message.text, 56)[:3]
            body = text(left + 12, 74, f"{who}:", "#8fc7ff", 13)
            for row, line in enumerate(lines):
                body += text(left + 12, 94 + 18 * row, line)
            out.append(shown(body, message.begin, end, length))
            if not message.is_whole:
                cut = text(left + COLUMN - 150, 74, f"✂ {fate(message)}", "#ff9e80", 13)
                out.append(shown(cut, end - 0.3, end + GLANCE, length))
    out.append(f'<rect x="{start}" y="{LANES - 12}" width="2" height="{LANE * len(SPEAKERS) + 8}" '
               f'fill="#ffd54f"><animate attributeName="x" from="{start}" '
               f'to="{start + length * scale:.1f}" dur="{length:.2f}s" repeatCount="indefinite"/>'
               "</rect>")
    counts = tally(spoken)
    out.append(text(left, LANES + LANE * len(SPEAKERS) + 18, counts, "#e8eef4", 13))
    return out


def bar(message, start, scale):
    """A text in its lane: full where it was spoken, with an open end where it was cut."""
    who = speaker(message)
    y = LANES + (SPEAKERS.index(who) if who in SPEAKERS else 0) * LANE + 6
    label = html.escape(f"{who}: {message.text} – {fate(message)}")
    if message.begin is None:
        x = start + message.came * scale
        return [f'<rect x="{x:.1f}" y="{y}" width="7" height="22" fill="none" stroke="#ff9e80" '
                f'stroke-dasharray="2 2"><title>{label}</title></rect>']
    x = start + message.begin * scale
    end = message.end if message.end is not None else message.begin
    width = max((end - message.begin) * scale, 2)
    fill = "#4f9dde" if message.is_whole else "#c9683f"
    out = [f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="22" fill="{fill}" '
           f'stroke="#10151c"><title>{label}</title></rect>']
    if not message.is_whole:
        out.append(text(x + width - 4, y + 16, "✂", "#ffffff", 12))
    return out


def tally(spoken):
    whole = sum(message.is_whole for message in spoken)
    never = sum(message.begin is None for message in spoken)
    cut = len(spoken) - whole - never
    return f"{whole} heard to the end, {cut} cut, {never} never begun"


# The transcript

INTRODUCTION = """\
plays this with real programs: Firefox, Orca, spd-say, an assistant's hook, speech-dispatcher and
eSpeak, on a screen that nobody sees. A tap at speech-dispatcher notes what was begun, and what was
cut. `film.svg` shows the same as a picture that moves."""


def transcript(sides, story, why):
    out = ["# One voice for the whole desktop", "", "    make film", "", INTRODUCTION, "",
           "Orca reads a page aloud from second 0 on. " + " ".join(
               f"At second {moment:.0f} {what}." for moment, what in story), ""]
    for side, title in SIDES.items():
        spoken = sides[side]
        out += [f"## {title[0].upper()}{title[1:]}", "", f"{tally(spoken)[0].upper()}"
                f"{tally(spoken)[1:]}.", ""]
        for message in sorted(spoken, key=moment_of):
            out.append(f"- At {moment_of(message):.1f} s, {speaker(message)}: {message.text} – "
                       f"{fate(message)}.")
        out.append("")
    out += ["## Why", ""]
    for what, sentence in why:
        out += [f"Of {what}: {sentence}", ""]
    return "\n".join(out).rstrip() + "\n"
