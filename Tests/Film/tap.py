# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""A tap in front of speech-dispatcher: it passes everything on, and notes what was spoken when."""

import dataclasses
import html
import re
import socket
import socketserver
import threading
import time

# Seconds for which a program that has left is listened for: it has queued its text and gone.
BEHIND = 90
# Events of SSIP, and what they say of a message.
EVENTS = {"701": "begin", "702": "end", "703": "cancel"}


@dataclasses.dataclass
class Message:
    """A text that a program has sent; moments are seconds since the beginning of the tap."""

    program: str
    text: str
    came: float
    begin: float | None = None
    end: float | None = None
    is_whole: bool = False


class Tap:
    """Stands at one socket in front of another."""

    def __init__(self, path, behind):
        self.behind = behind
        self.start = time.monotonic()
        self.messages = []
        tap = self

        class Visit(socketserver.BaseRequestHandler):
            def handle(self):
                Client(tap, self.request).serve()

        class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
            daemon_threads = True

        self.server = Server(path, Visit)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def now(self):
        return time.monotonic() - self.start

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Client:
    """One program and its connection to speech-dispatcher."""

    def __init__(self, tap, near):
        self.tap, self.near = tap, near
        self.far = socket.socket(socket.AF_UNIX)
        self.far.connect(tap.behind)
        self.program = "a program"
        self.data = None  # the lines of a text that is being sent
        self.unnumbered, self.numbered = [], {}
        self.wants_events = False
        self.asked = 1  # answers to what the tap has asked itself, which the program does not see
        self.early = {}  # beginnings that were told before the number of their message

    def serve(self):
        # A program that has not asked for events gets none, but the tap does.
        self.far.sendall(b"SET SELF NOTIFICATION ALL ON\r\n")
        threading.Thread(target=self.listen, daemon=True).start()
        for line, raw in self.lines(self.near):
            if self.data is None and line.strip().upper() in ("QUIT", "BYE"):
                self.near.sendall(b"231 HAPPY HACKING\r\n")
                break
            self.heed(line)
            self.far.sendall(raw)
        # It may have left; what it has queued is spoken all the same.
        self.far.settimeout(BEHIND)

    def listen(self):
        detail = []
        for line, raw in self.lines(self.far):
            if self.asked and line[:1] != "7":
                self.asked -= 1
                continue
            if line[:1] != "7" or self.wants_events:
                try:
                    self.near.sendall(raw)
                except OSError:
                    pass
            if line[3:4] == "-":
                detail.append(line[4:])
                continue
            self.hear(line[:3], detail)
            detail = []

    @staticmethod
    def lines(end):
        rest = b""
        while True:
            try:
                more = end.recv(65536)
            except OSError:
                return
            if not more:
                return
            rest += more
            while b"\n" in rest:
                raw, rest = rest.split(b"\n", 1)
                yield raw.decode(errors="replace").rstrip("\r"), raw + b"\n"

    def heed(self, line):
        """Takes a line of the program."""
        if self.data is not None:
            if line == ".":
                text, self.data = " ".join(self.data), None
                self.note(html.unescape(re.sub(r"<[^>]*>", "", text)).strip())
            else:
                self.data.append(line[1:] if line.startswith("..") else line)
            return
        words = line.split()
        command = words[0].upper() if words else ""
        if command == "SPEAK":
            self.data = []
        elif command == "SET" and "NOTIFICATION" in line.upper():
            self.wants_events = True
        elif command in ("CHAR", "KEY"):
            self.note(" ".join(words[1:]))
        elif command == "SET" and len(words) > 3 and words[2].upper() == "CLIENT_NAME":
            self.program = words[3].strip('"').split(":")[1]

    def note(self, text):
        message = Message(self.program, re.sub(r"\s+", " ", text), self.tap.now)
        self.unnumbered.append(message)
        self.tap.messages.append(message)

    def hear(self, code, detail):
        """Takes an answer or an event of speech-dispatcher."""
        if code == "225" and self.unnumbered:
            message = self.numbered[detail[0]] = self.unnumbered.pop(0)
            message.begin = self.early.pop(detail[0], None)
        elif code == "227" and self.unnumbered:
            self.unnumbered.pop(0)
        elif code == "701" and detail and detail[0] not in self.numbered:
            self.early[detail[0]] = self.tap.now
        elif code in EVENTS and detail and detail[0] in self.numbered:
            message = self.numbered[detail[0]]
            if EVENTS[code] == "begin":
                message.begin = self.tap.now
            else:
                message.end, message.is_whole = self.tap.now, EVENTS[code] == "end"
