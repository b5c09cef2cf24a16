# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""A connection, with a bus that is played by the test."""

import os
import select
import socket
import tempfile
import unittest
from typing import List

from a11y_bus import Bus, BusGone
from a11y_bus._backoff import Backoff
from a11y_bus._connection import Connection
from a11y_bus._wire import Farewell, Message
from daemon import PATIENCE


class ConnectionTests(unittest.TestCase):
    def setUp(self) -> None:
        self.directory = tempfile.TemporaryDirectory(prefix="a11yd-py-", dir="/tmp")
        self.addCleanup(self.directory.cleanup)
        self.path = os.path.join(self.directory.name, "bus.sock")
        self.listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(self.listener.close)
        self.listener.bind(self.path)
        self.listener.listen()

    def messages(self, connection: Connection) -> List[Message]:
        """All that has come before the end."""
        messages: List[Message] = []
        while connection.end is None:
            self.assertTrue(select.select([connection], [], [], PATIENCE)[0])
            messages += connection.receive() or []
        return messages

    def test_the_last_words_of_a_bus_that_takes_nothing_more_are_read(self) -> None:
        connection = Connection(self.path)
        self.addCleanup(connection.close)
        peer, _ = self.listener.accept()
        with peer:
            peer.sendall(b'{"bye":{"code":"shutting-down","msg":"the bus ends"}}\n')
            peer.shutdown(socket.SHUT_RD)
            end = connection.send(b"a line\n")
            self.assertEqual((end, connection.accepted), (7, 0))
            self.assertEqual(connection.outward_interest, 0)
        self.assertEqual(self.messages(connection), [Farewell("shutting-down: the bus ends")])
        self.assertEqual(connection.end, "it was closed")

    def test_a_line_is_accepted_when_its_last_byte_is(self) -> None:
        connection = Connection(self.path)
        self.addCleanup(connection.close)
        peer, _ = self.listener.accept()
        with peer:
            line = b"x" * 1_000_000 + b"\n"
            end = connection.send(line)
            self.assertLess(connection.accepted, end)
            self.assertEqual(connection.accepted + connection.unsent, end)
            received = 0
            while received < len(line):
                received += len(peer.recv(1_000_000))
                connection.push()
            self.assertEqual((connection.accepted, connection.unsent), (end, 0))

    def test_the_reason_that_the_bus_gave_is_told(self) -> None:
        with Bus(self.path, app="test", timeout=PATIENCE) as bus:
            self.assertTrue(bus.post({"type": "announcement", "text": "one"}))
            peer, _ = self.listener.accept()
            self.listener.close()
            with peer:
                peer.sendall(b'{"bye":{"code":"quota.exceeded","msg":"too much is shown"}}\n')
                # The rest is read, so that the kernel does not report a loss.
                peer.recv(65_536)
                ticket = bus._session.ask("publish", {"event": {}}, False)
                peer.recv(65_536)
            connection = bus._session.connection
            assert connection is not None
            self.assertTrue(select.select([connection], [], [], PATIENCE)[0])
            while bus._session.connection is not None:
                bus.take_complaints()
            assert isinstance(ticket.error, BusGone)
            self.assertIn("quota.exceeded: too much is shown", str(ticket.error))
            self.assertTrue(ticket.error.in_doubt)

    def test_garbled_lines_end_the_connection(self) -> None:
        connection = Connection(self.path)
        self.addCleanup(connection.close)
        peer, _ = self.listener.accept()
        with peer:
            peer.sendall(b"hello\n")
            self.assertEqual(self.messages(connection), [])
        self.assertIn("is not understood", connection.end or "")


class BackoffTests(unittest.TestCase):
    def test_waits_double_up_to_a_bound(self) -> None:
        backoff = Backoff()
        bounds = [0.05 * 2**number for number in range(6)] + [2.0] * 3
        for bound in bounds:
            wait = backoff.next_wait()
            self.assertGreaterEqual(wait, bound / 2)
            self.assertLessEqual(wait, bound)
        backoff.reset()
        self.assertLessEqual(backoff.next_wait(), Backoff.FIRST_SECONDS)


if __name__ == "__main__":
    unittest.main()
