# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""A speech-dispatcher without sound, which takes the time of speech and notes what was spoken."""

import html
import re
import socketserver
import threading
import time

from heard import SECONDS_PER_CHARACTER, Utterance


class Synthesizer:
    """Serves clients of speech-dispatcher at a socket; each text waits for the one before it."""

    def __init__(self, path):
        self.changed = threading.Condition()
        self.waiting = []
        self.utterances = []
        self.count = 0
        synthesizer = self

        class Talk(socketserver.StreamRequestHandler):
            def handle(self):
                synthesizer.talk(self.rfile, self.wfile)

        class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
            daemon_threads = True

        self.server = Server(path, Talk)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        threading.Thread(target=self.speak, daemon=True).start()

    def talk(self, lines, answers):
        """Answers the commands of one client, until it leaves."""
        for line in lines:
            words = line.decode(errors="replace").split()
            command = words[0].upper() if words else ""
            if command == "SPEAK":
                self.answer(answers, "230 OK RECEIVING DATA")
                self.queue(self.data(lines), answers)
            elif command in ("CHAR", "KEY", "SOUND_ICON"):
                self.queue(" ".join(words[1:]), answers)
            elif command in ("CANCEL", "STOP"):
                self.silence()
                self.answer(answers, "210 OK STOPPED")
            elif command == "HISTORY":
                self.answer(answers, "245-1", "245 OK CLIENT ID SENT")
            elif command == "GET":
                self.answer(answers, "251-0", "251 OK GET RETURNED")
            elif command == "LIST" and "VOICES" in line.decode().upper():
                self.answer(answers, "249-English\ten\tnone", "249 OK VOICE LIST SENT")
            elif command == "LIST":
                self.answer(answers, "250-espeak-ng", "250 OK MODULE LIST SENT")
            elif command == "QUIT":
                self.answer(answers, "231 HAPPY HACKING")
                return
            else:
                self.answer(answers, "200 OK")

    @staticmethod
    def data(lines):
        """The text up to the line that is a full stop alone."""
        text = []
        for line in lines:
            line = line.decode(errors="replace").rstrip("\r\n")
            if line == ".":
                break
            text.append(line[1:] if line.startswith("..") else line)
        return html.unescape(re.sub(r"<[^>]*>", "", " ".join(text))).strip()

    @staticmethod
    def answer(answers, *lines):
        try:
            answers.write("".join(f"{line}\r\n" for line in lines).encode())
            answers.flush()
        except OSError:
            pass  # The client has left.

    def queue(self, text, answers):
        with self.changed:
            self.count += 1
            number = self.count
            self.answer(answers, f"225-{number}", "225 OK MESSAGE QUEUED")
            self.waiting.append((number, text, answers))
            self.changed.notify_all()

    def silence(self):
        """Cuts the text that is spoken, and drops those that wait."""
        with self.changed:
            for number, _, answers in self.waiting:
                self.tell(answers, number, 703, "CANCELED")
            self.waiting.clear()
            if self.utterances and self.utterances[-1].end is None:
                self.utterances[-1].end = time.time()
            self.changed.notify_all()

    def tell(self, answers, number, code, word):
        self.answer(answers, f"{code}-{number}", f"{code}-1", f"{code} {word}")

    def speak(self):
        """Speaks one text after the other, for ever."""
        with self.changed:
            while True:
                self.changed.wait_for(lambda: self.waiting)
                number, text, answers = self.waiting.pop(0)
                said = Utterance(text, time.time())
                self.utterances.append(said)
                self.changed.notify_all()
                self.tell(answers, number, 701, "BEGIN")
                self.changed.wait_for(lambda: said.end, len(text) * SECONDS_PER_CHARACTER)
                if said.end is None:
                    said.end, said.is_whole = time.time(), True
                    self.tell(answers, number, 702, "END")
                else:
                    self.tell(answers, number, 703, "CANCELED")

    def close(self):
        self.server.shutdown()
        self.server.server_close()
