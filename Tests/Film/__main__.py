# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Makes the film: one afternoon at a desk, twice, with the same real programs.

Orca reads a page in Firefox aloud. A build ends, an assistant wants a permission, a chat is busy,
and the battery runs low; each says so with spd-say or its own hook. The first time all of them
speak to speech-dispatcher, as today. The second time speech-dispatcher has the door before it, and
the bus decides. A tap at speech-dispatcher notes both times what was begun, and what was cut.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Others"))

import desktop  # noqa: E402
from browser import Fault  # noqa: E402

import picture  # noqa: E402
from tap import Tap  # noqa: E402

PAGE = """<!doctype html><html lang="en"><title>Bees in the city</title>
<h1>Bees in the city</h1>
<p>On the roof of the old post office there are nine hives, and nobody in the street below knows of
them. In June each of them holds fifty thousand bees.</p>
<p>They fly two miles to the lime trees by the river, and to balconies where somebody has forgotten
to cut the thyme. What they bring home in a summer weighs as much as a child.</p>
<p>Their keeper comes on Sundays. She lifts the lids without gloves, and says that it is a matter of
not being in a hurry.</p>
</html>"""

# Orca reads the page when it is told to, and says nothing of keys.
ORCA = """
import orca.settings
orca.settings.sayAllOnLoad = False
orca.settings.enableKeyEcho = False
"""

CHATTER = [
    "Anna: are you there", "Ben: he is reading", "Anna: reading what", "Ben: about bees",
    "Cleo: bees?", "Anna: bees!", "Ben: nine hives", "Cleo: where", "Ben: on a roof",
    "Anna: which roof", "Ben: the post office", "Cleo: of course",
]
WISH = {
    "session_id": "film", "hook_event_name": "Notification", "cwd": "/bees",
    "message": "Claude needs your permission to use Bash",
    "notification_type": "permission_prompt",
}

# Seconds from the beginning of the reading, and what happens then.
STORY = [
    (3.0, "a build has ended", "build", "default"),
    (7.0, "an assistant wants a permission", "assistant", "high"),
    (12.0, "the chat is busy", "chat", "low"),
    (17.0, "the battery runs low", "power", "high"),
]
# The reading has ended when nothing was begun for so many seconds; and what it may take.
QUIET, LONGEST = 6, 120


class Desk(desktop.Desktop):
    """A desktop with one voice, and Orca speaking to it."""

    def __init__(self, programs, has_door):
        self.has_door = has_door
        super().__init__(HERE, programs, "firefox")

    def variables(self):
        # The voice of the other runs has no sound; here a real one speaks.
        self.synthesizer.close()
        variables = super().variables()
        at = self.directory
        variables["PULSE_SERVER"] = f"unix:{at}/sound.sock"
        variables["SPEECHD_ADDRESS"] = f"unix_socket:{at}/{'door' if self.has_door else 'tap'}.sock"
        return variables

    def start(self):
        at, empty = self.directory, self.directory / "empty.toml"
        empty.write_text("")
        (at / "ssip.toml").write_text("keep_reading = true\n")
        self.start_screen()
        self.run("pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
                 "-L", "module-null-sink sink_name=out",
                 "-L", f"module-native-protocol-unix auth-anonymous=1 socket={at}/sound.sock")
        self.wait_for(at / "sound.sock")
        self.run("speech-dispatcher", "--run-single", "--timeout", "0",
                 "--communication-method", "unix_socket", "--socket-path", at / "speechd.sock",
                 "--pid-file", at / "speechd.pid", "--log-dir", at)
        self.wait_for(at / "speechd.sock")
        self.tap = Tap(f"{at}/tap.sock", f"{at}/speechd.sock")
        if self.has_door:
            self.run(self.programs / "a11yd", "--config", empty, "--state", at / "log",
                     until="a11yd: ready")
            tap = f"unix_socket:{at}/tap.sock"
            self.run(self.programs / "a11y-speech", "--config", empty, "--speech-address", tap,
                     until="speaking with")
            self.run(self.programs / "a11y-ssip", "--config", at / "ssip.toml", "--listen",
                     f"unix_socket:{at}/door.sock", "--speech-address", tap)
            self.wait_for(at / "door.sock")
            self.run(self.programs / "a11y-atspi", "--ears", "--config", empty,
                     until="hearing apps")
        customs = pathlib.Path(self.environment["XDG_DATA_HOME"]) / "orca"
        customs.mkdir(parents=True)
        (customs / "orca-customizations.py").write_text(ORCA)
        self.run("orca")
        self.wait_until(lambda: self.tap.messages, "Orca speaks")
        self.pages.made["/first"] = PAGE
        profile = at / "profile"
        profile.mkdir()
        (profile / "user.js").write_text(desktop.FIREFOX)
        self.run("firefox-esr", "--no-remote", "--profile", profile, f"{self.pages.address}/first")
        self.pages.wait_for_page(0)
        self.activate("Bees in the city")
        self.be_quiet()

    def wait_until(self, condition, what):
        deadline = time.monotonic() + desktop.START
        while not condition():
            if time.monotonic() > deadline:
                raise Fault(f"not within {desktop.START} seconds: {what}")
            threading.Event().wait(0.05)

    def wait_for(self, path):
        self.wait_until(path.exists, f"{path.name} is there")

    def be_quiet(self):
        """Waits until nothing was begun for a while."""
        deadline = time.monotonic() + LONGEST
        while time.monotonic() < deadline:
            moments = [moment for message in list(self.tap.messages)
                       for moment in (message.came, message.begin, message.end) if moment]
            is_speaking = any(message.begin and not message.end
                              for message in list(self.tap.messages))
            if not is_speaking and self.tap.now - max(moments, default=0) > QUIET:
                return
            threading.Event().wait(0.2)

    def say(self, program, text, priority):
        priority = {"high": "important", "default": "text", "low": "notification"}[priority]
        self.run("spd-say", "-N", program, "-P", priority, text)

    def play(self):
        """Has the page read aloud, and the rest happen in between; returns what was spoken."""
        self.xdotool("key", "ctrl+Home")
        self.be_quiet()
        start = self.tap.now
        self.xdotool("key", "KP_Add")
        for moment, _, program, priority in STORY:
            threading.Event().wait(max(0, start + moment - self.tap.now))
            if program == "build":
                self.say(program, "Build finished, 212 tests passed", priority)
            elif program == "power":
                self.say(program, "Battery at 4 percent", priority)
            elif program == "chat":
                for text in CHATTER:
                    self.say(program, text, priority)
                    threading.Event().wait(0.2)
            elif self.has_door:
                subprocess.run([str(self.programs / "a11yctl"), "hook", "claude-code"],
                               input=json.dumps(WISH), text=True, env=self.environment, check=True)
            else:
                self.say("claude-code", WISH["message"], priority)
        self.be_quiet()
        spoken = [message for message in self.tap.messages if message.came >= start]
        for message in spoken:
            for name in ("came", "begin", "end"):
                moment = getattr(message, name)
                setattr(message, name, None if moment is None else round(moment - start, 2))
        return spoken

    def close(self):
        if hasattr(self, "tap"):
            self.tap.close()
        super().close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True, help="the directory of the programs")
    parser.add_argument("--out", required=True, help="the directory for film and transcript")
    chosen = parser.parse_args()
    out = pathlib.Path(chosen.out)
    out.mkdir(parents=True, exist_ok=True)
    sides, why = {}, []
    for name, has_door in (("alone", False), ("bus", True)):
        print(f"Playing with {'the door' if has_door else 'speech-dispatcher alone'}.", flush=True)
        desk = Desk(chosen.programs, has_door)
        try:
            sides[name] = desk.play()
            if has_door:
                why = picture.reasons(desk)
        finally:
            desk.close()
    story = [(moment, what) for moment, what, _, _ in STORY]
    (out / "film.svg").write_text(picture.film(sides, story, why))
    (out / "film.md").write_text(picture.transcript(sides, story, why))
    print(f"The film is {out}/film.svg, and its transcript {out}/film.md.")


if __name__ == "__main__":
    try:
        main()
    except Fault as fault:
        sys.exit(f"The film cannot be made: {fault}.")
