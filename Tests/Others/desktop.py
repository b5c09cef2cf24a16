# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""A desktop that nobody sees: a program, and a11yd and Orca side by side, who both hear it."""

import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from browser import Fault, Pages
from bus import Bus
from heard import SECONDS_PER_CHARACTER
from synthesizer import Synthesizer

NEEDED = ("Xvfb", "openbox", "xdotool", "dbus-daemon", "dbus-monitor", "orca")
PROGRAMS = {"chromium": "chromium", "firefox": "firefox-esr"}
# Seconds until a program has started, and until it has ended.
START = 60
END = 5
# Browser and readers have been quiet for so long before a step; and what that may take.
QUIET = 1
RESTLESS = 15

CHROMIUM = (
    "--no-sandbox --force-renderer-accessibility --no-first-run --disable-gpu "
    "--password-store=basic --disable-dev-shm-usage --disable-background-networking "
    "--disable-component-update --disable-sync "
).split() + ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]

# What makes toolkits and LibreOffice tell of themselves, and draw without a graphics card.
TOOLKITS = {
    "GNOME_ACCESSIBILITY": "1",
    "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
    "SAL_USE_VCLPLUGIN": "gtk3",
    "GSK_RENDERER": "cairo",
}

# No welcome, no notes of privacy, and no way into the network but the loopback.
FIREFOX = """
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("termsofuse.bypassNotification", true);
user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", "127.0.0.1");
user_pref("network.proxy.http_port", 9);
user_pref("network.proxy.ssl", "127.0.0.1");
user_pref("network.proxy.ssl_port", 9);
"""

# Orca would read each page from its beginning to its end, and tell each key that is pressed.
ORCA = """
import orca.settings
orca.settings.sayAllOnLoad = False
orca.settings.enableKeyEcho = False
"""


class Desktop:
    """All programs of one run, in a directory of their own."""

    def __init__(self, suites, programs, browser):
        """Starts a browser at once; another program is started by the steps that are for it."""
        self.programs = pathlib.Path(programs).resolve()
        self.browser = browser
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="a11yd-others."))
        self.started = []
        self.pages = Pages(suites)
        self.synthesizer = Synthesizer(str(self.directory / "voice.sock"))
        self.environment = self.variables()
        try:
            self.start()
        except BaseException:
            self.close()
            raise

    def variables(self):
        home, run, bin = (self.directory / name for name in ("home", "run", "bin"))
        for path in (home, run, bin):
            path.mkdir(mode=0o700)
        # Orca looks for other Orcas of the user in all sessions, and gives way to them.
        (bin / "pgrep").write_text("#!/bin/sh\nexit 1\n")
        (bin / "pgrep").chmod(0o755)
        keep = {name: os.environ[name] for name in ("LANG", "LC_ALL") if name in os.environ}
        return keep | {
            "PATH": f"{bin}:/usr/bin:/bin",
            "HOME": str(home),
            "XDG_RUNTIME_DIR": str(run),
            "XDG_CONFIG_HOME": str(home / ".config"),
            "XDG_DATA_HOME": str(home / ".local/share"),
            "XDG_CACHE_HOME": str(home / ".cache"),
            "TMPDIR": str(self.directory),
            "A11YD_SOCKET": str(self.directory / "bus.sock"),
            "SPEECHD_ADDRESS": f"unix_socket:{self.directory}/voice.sock",
        } | TOOLKITS

    # Programs

    def run(self, *words, until=None):
        """Starts a program; returns the first line that has the form, if one is waited for."""
        with (self.directory / f"{pathlib.Path(words[0]).name}.said").open("ab") as said:
            process = subprocess.Popen(
                [str(word) for word in words],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE if until else said,
                stderr=subprocess.STDOUT if until else said,
                start_new_session=True,
            )
        self.started.append(process)
        if not until:
            return process
        lines = queue.Queue()

        def read():
            for line in process.stdout:
                lines.put(line.decode(errors="replace").rstrip("\n"))

        threading.Thread(target=read, daemon=True).start()
        deadline = time.monotonic() + START
        try:
            while True:
                line = lines.get(timeout=deadline - time.monotonic())
                if re.search(until, line):
                    return line
        except (queue.Empty, ValueError):
            raise Fault(f"{words[0]} does not start") from None

    def start_screen(self):
        """Starts the session's bus, and a screen that nobody sees."""
        address = f"unix:path={self.directory}/session"
        bus = self.run("dbus-daemon", "--session", "--nofork", "--print-address=1",
                       f"--address={address}", until="^unix:")
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus
        self.environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus
        number = self.run("Xvfb", "-displayfd", "1", "-noreset", "-screen", "0", "1280x1024x24",
                          "-nolisten", "tcp", until="^[0-9]+$")
        self.environment["DISPLAY"] = f":{number}"
        self.run("openbox")

    def start(self):
        self.start_screen()
        empty = self.directory / "empty.toml"
        empty.write_text("")
        self.run(self.programs / "a11yd", "--config", empty, "--state", self.directory / "log",
                 until="a11yd: ready")
        self.bus = Bus(self)
        self.run(self.programs / "a11yctl", "listen", "--ms-per-char",
                 round(SECONDS_PER_CHARACTER * 1_000))
        self.run(self.programs / "a11y-atspi", "--ears", "--notifications", "--config", empty,
                 until="hearing apps")
        customs = pathlib.Path(self.environment["XDG_DATA_HOME"]) / "orca"
        customs.mkdir(parents=True)
        (customs / "orca-customizations.py").write_text(ORCA)
        self.run("orca")
        with self.synthesizer.changed:
            if not self.synthesizer.changed.wait_for(lambda: self.synthesizer.utterances, START):
                raise Fault("Orca does not speak")
        if self.browser in PROGRAMS:
            self.show()
        self.bus.trace()

    def show(self):
        """Shows the first page, and sees that its window has the keyboard."""
        self.pages.made["/first"] = "<!doctype html><html lang=en><title>First page</title></html>"
        address = f"{self.pages.address}/first"
        if self.browser == "chromium":
            self.run("chromium", *CHROMIUM, f"--user-data-dir={self.directory}/profile", address)
        else:
            profile = self.directory / "profile"
            profile.mkdir()
            (profile / "user.js").write_text(FIREFOX)
            self.run("firefox-esr", "--no-remote", "--profile", profile, address)
        self.pages.wait_for_page(0)
        self.activate("First page")

    def activate(self, title):
        """Waits for a window, and sees that it has the keyboard."""
        deadline = time.monotonic() + START
        while title not in self.xdotool("getactivewindow", "getwindowname"):
            self.xdotool("search", "--onlyvisible", "--name", title, "windowactivate")
            if time.monotonic() > deadline:
                raise Fault(f"the window {title} does not get the keyboard")

    def shut(self, program):
        """Ends a program, and those that it has left behind."""
        self.end(program)
        self.started.remove(program)

    def xdotool(self, *words):
        """What a user does at the screen."""
        return subprocess.run(["xdotool", *words], env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout

    def tool(self, *words):
        """What a11yctl prints."""
        return subprocess.run([str(self.programs / "a11yctl"), *words], env=self.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout

    # Readers

    def settle(self):
        """Waits until nothing happens any more, and silences both readers, as a user does."""
        deadline = time.monotonic() + RESTLESS
        last, since = None, time.monotonic()
        with self.synthesizer.changed:
            while time.monotonic() < min(since + QUIET, deadline):
                now = (self.synthesizer.count, self.bus.count)
                if now != last:
                    last, since = now, time.monotonic()
                self.synthesizer.changed.wait(0.1)
        self.synthesizer.silence()
        self.tool("stop")

    def utterances(self, since):
        """What each reader has begun to speak since a moment."""
        with self.synthesizer.changed:
            orca = [said for said in self.synthesizer.utterances if said.begin >= since]
        return {"a11yd": self.bus.utterances(since), "Orca": orca}

    def close(self):
        for process in reversed(self.started):
            self.end(process)
        for pid in self.left():
            os.kill(pid, signal.SIGKILL)
        self.pages.close()
        self.synthesizer.close()
        # The portal of documents has a directory mounted there, for a moment after its end.
        deadline = time.monotonic() + END
        while self.directory.exists() and time.monotonic() < deadline:
            shutil.rmtree(self.directory, ignore_errors=True)
            threading.Event().wait(0.1)

    @staticmethod
    def end(process):
        try:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(END)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        except ProcessLookupError:
            process.wait()

    def left(self):
        """The programs of this desktop that have outlived their parents, by their variables."""
        mark = f"A11YD_SOCKET={self.environment['A11YD_SOCKET']}".encode()
        for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
            try:
                if mark in path.read_bytes().split(b"\0"):
                    yield int(path.parent.name)
            except OSError:
                continue  # It has ended, or is another user's.
