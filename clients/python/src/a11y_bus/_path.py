# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The path of the bus."""

import os
from typing import Mapping, Union

Path = Union[str, "os.PathLike[str]"]

SYSTEM = "/run/a11yd/bus.sock"
SYSTEM_READERS = "/run/a11yd/read.sock"


def bus_path(environment: Mapping[str, str] = os.environ) -> str:
    """The socket that the environment names, else the user's own bus, else the system's."""
    named = environment.get("A11YD_SOCKET")
    if named:
        return named
    runtime = environment.get("XDG_RUNTIME_DIR", "")
    # A relative runtime directory counts as none, as its specification has it.
    return os.path.join(runtime, "a11yd/bus.sock") if runtime.startswith("/") else SYSTEM


def reader_path(path: str) -> str:
    """The same for a reader, for whom the system's bus has a socket of its own."""
    return SYSTEM_READERS if path == SYSTEM else path
