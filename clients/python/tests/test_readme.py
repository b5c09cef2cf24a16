# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The examples of the readme, with a real daemon."""

import doctest
import io
import os
import re
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from typing import Dict, List, Tuple
from unittest import mock

from daemon import DaemonTest

README = Path(__file__).parent.parent / "README.md"


def examples() -> List[Tuple[str, str]]:
    """The programs of the readme, each with the text that it prints."""
    pattern = r"```python\n(.*?)```\n\n```text\n(.*?)```\n"
    return re.findall(pattern, README.read_text(), re.DOTALL)


class ReadmeTests(DaemonTest):
    def test_each_example_prints_what_the_readme_says(self) -> None:
        self.assertGreater(len(examples()), 5)
        self.assertEqual(len(examples()), README.read_text().count("```python"))
        checker = doctest.OutputChecker()
        for code, wanted in examples():
            # Each meets a fresh daemon.
            self.daemon.kill()
            self.daemon.lose_log()
            self.daemon.start()
            printed = io.StringIO()
            scope: Dict[str, object] = {"__name__": "__main__"}
            with self.subTest(code=code):
                with mock.patch.dict(os.environ, A11YD_SOCKET=self.daemon.socket):
                    with redirect_stdout(printed):
                        exec(compile(code, str(README), "exec"), scope)
                is_right = checker.check_output(wanted, printed.getvalue(), doctest.ELLIPSIS)
                self.assertTrue(is_right, printed.getvalue())


if __name__ == "__main__":
    unittest.main()
