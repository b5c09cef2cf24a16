# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The path of the bus."""

import pathlib
import unittest

from a11y_bus import Bus, BusGone
from a11y_bus._path import bus_path, reader_path


class PathTests(unittest.TestCase):
    def test_the_environment_names_the_socket_or_its_directory(self) -> None:
        cases = [
            ({"A11YD_SOCKET": "/a.sock", "XDG_RUNTIME_DIR": "/run/user/1"}, "/a.sock"),
            ({"A11YD_SOCKET": "", "XDG_RUNTIME_DIR": "/run/user/1"}, "/run/user/1/a11yd/bus.sock"),
            ({"XDG_RUNTIME_DIR": "/run/user/1/"}, "/run/user/1/a11yd/bus.sock"),
            ({"XDG_RUNTIME_DIR": "user"}, "/run/a11yd/bus.sock"),
            ({}, "/run/a11yd/bus.sock"),
        ]
        for environment, path in cases:
            with self.subTest(environment=environment):
                self.assertEqual(bus_path(environment), path)

    def test_readers_have_a_socket_of_their_own_on_the_bus_of_the_system(self) -> None:
        self.assertEqual(reader_path("/run/a11yd/bus.sock"), "/run/a11yd/read.sock")
        self.assertEqual(reader_path("/run/user/1/a11yd/bus.sock"), "/run/user/1/a11yd/bus.sock")

    def test_a_bus_that_is_not_there_is_told_with_its_path(self) -> None:
        for path in ("/nonexistent/bus.sock", "/" + "x" * 200):
            with self.subTest(path=path[:20]), Bus(path, app="test") as bus:
                with self.assertRaises(BusGone) as caught:
                    bus.announce("nobody hears this")
                self.assertIn("Cannot reach the bus at", str(caught.exception))
                self.assertFalse(caught.exception.in_doubt)
                with self.assertRaises(BusGone):
                    bus.subscribe()
                with self.assertLogs("a11y_bus", "WARNING"):
                    self.assertFalse(bus.post({"type": "announcement", "text": "lost"}))
                self.assertEqual(bus.take_complaints()[0].kind, "lost")

    def test_a_path_may_be_an_object(self) -> None:
        self.assertEqual(Bus(pathlib.Path("/a.sock")).path, "/a.sock")

    def test_a_name_that_the_bus_would_refuse_is_refused_at_once(self) -> None:
        for name in ("", "x" * 129, "a\nb", "\ud800"):
            with self.subTest(name=name[:5]), self.assertRaises(ValueError):
                Bus("/a.sock", app=name)


if __name__ == "__main__":
    unittest.main()
