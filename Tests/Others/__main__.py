# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Runs suites that others wrote in real browsers, and scores a11yd beside Orca.

  python3 Tests/Others --suites DIR [--programs DIR] [--browser NAME] [--suite NAME] [--jobs N]

DIR has a directory for each suite, as docs/others.md tells. A suite that is not there is left out,
and named. The exit code is 0 if all suites have run, 1 if not, and 64 for a wrong command line.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import pathlib
import shutil
import sys
import time
import traceback

import desktop
import table
from play import Play
from suites import SUITES, natives, situations


class Words(argparse.ArgumentParser):
    def error(self, message):
        print(f"{self.prog}: {message}.", file=sys.stderr)
        sys.exit(64)


def options():
    parser = Words(prog="Tests/Others")
    parser.add_argument("--suites", required=True)
    parser.add_argument("--programs", default=".build/release")
    parser.add_argument("--browser", choices=desktop.PROGRAMS, action="append")
    parser.add_argument("--program", choices=situations.PROGRAMS, action="append")
    parser.add_argument("--suite", choices=SUITES, action="append")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--result", default=".build/others.json")
    return parser.parse_args()


def run(task, wanted):
    """Plays one part of a suite on a desktop of its own; returns the play and what has failed."""
    name, part, browser = task
    begin = time.monotonic()
    try:
        screen = desktop.Desktop(wanted.suites, wanted.programs, browser)
    except desktop.Fault as fault:
        return None, f"{name} in {browser} was not played: {fault}"
    player = Play(name, screen)
    fault = None
    try:
        SUITES[name].play(player, part)
    except Exception:
        fault = f"{name} in {browser} was not played to its end.\n{traceback.format_exc()}"
    finally:
        screen.close()
    seconds = round(time.monotonic() - begin)
    print(f"Played {name} in {browser}: {len(player.verdicts) // 2} assertions, "
          f"{seconds} seconds.", file=sys.stderr)
    return player, fault


def main():
    wanted = options()
    root = pathlib.Path(wanted.suites)
    # Whoever names a program wants no browser, and the other way round.
    browsers = wanted.browser or ([] if wanted.program else list(desktop.PROGRAMS))
    missing = [name for name in desktop.NEEDED + tuple(desktop.PROGRAMS[one] for one in browsers)
               if not shutil.which(name)]
    if missing:
        print(f"These programs are missing: {', '.join(missing)}. make deps-desktop installs them.")
        return 1
    names = wanted.suite or list(SUITES)
    absent = [name for name in names if not (root / SUITES[name].FOLDER).exists()]
    tasks = [(name, part, browser) for name in names if name not in absent
             for part in SUITES[name].PARTS for browser in browsers]
    # A program is a part of its own, without a browser.
    programs = wanted.program or ([] if wanted.browser else situations.PROGRAMS)
    if table.OWN in names:
        tasks += [(table.OWN, program, program) for program in programs]
        missing = natives.missing() if programs else []
        if missing:
            print(f"These programs are missing: {', '.join(missing)}. make deps-situations "
                  "installs them.")
            return 1
    with concurrent.futures.ThreadPoolExecutor(wanted.jobs) as pool:
        played = list(pool.map(lambda task: run(task, wanted), tasks))
    verdicts = [one for player, _ in played if player for one in player.verdicts]
    passed_over = [one for player, _ in played if player for one in player.passed_over]
    result = pathlib.Path(wanted.result)
    result.parent.mkdir(parents=True, exist_ok=True)
    result.write_text(json.dumps({"verdicts": [dataclasses.asdict(one) for one in verdicts],
                                  "passed_over": passed_over}, indent=1, ensure_ascii=False))
    table.show(verdicts, passed_over, browsers)
    for name in absent:
        print(f"{name} was left out: {root / SUITES[name].FOLDER} is not there; it comes from "
              f"https://github.com/{SUITES[name].SOURCE}.")
    faults = [fault for _, fault in played if fault]
    for fault in faults:
        print(fault)
    return 1 if faults or absent else 0


sys.exit(main())
