# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Cuts the power under a real daemon again and again, and has its disk fail.

  python3 Tests/Disk [--cuts N] [--programs DIR] [--lazyfs PROGRAM] [--seed N]

After each cut the daemon starts on what is left, and its log is compared with all that it has
acknowledged. docs/disks.md tells the rule and the results. A run that was interrupted goes on where
it was. The exit code is 0 if nothing was found, 1 if something was, 64 for a wrong command line,
and 77 where a file system of one's own cannot be mounted.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys

WITHIN = "A11Y_DISK_NAMESPACE"


class Words(argparse.ArgumentParser):
    def error(self, message):
        print(f"{self.prog}: {message}.", file=sys.stderr)
        sys.exit(64)


def options():
    parser = Words(prog="Tests/Disk")
    parser.add_argument("--cuts", type=int, default=20)
    parser.add_argument("--programs", type=pathlib.Path, default=".build/release")
    parser.add_argument("--lazyfs", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--place", type=pathlib.Path, default=".build/disk")
    return parser.parse_args()


def leave_out(why):
    print(f"Left out: {why}.")
    sys.exit(77)


def enter():
    """Goes on in namespaces that take all mounts and programs along when they end."""
    unshare = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
    if os.geteuid() != 0:
        unshare += ["--user", "--map-root-user"]
    try:
        os.close(os.open("/dev/fuse", os.O_RDWR))
        subprocess.run([*unshare, "mount", "--bind", "/dev/null",
                        "/proc/sys/kernel/random/boot_id"], check=True, capture_output=True)
        import pyfuse3  # noqa: F401
    except (OSError, subprocess.CalledProcessError, ImportError) as error:
        leave_out(f"a file system cannot be mounted here ({error})")
    os.execvpe("unshare", [*unshare, sys.executable, "-B", *sys.argv], os.environ | {WITHIN: "1"})


def main():
    wanted = options()
    if WITHIN not in os.environ:
        enter()
    import lives
    import troubles
    from machine import Fault, ForgetfulDisk, LazyDisk, Machine

    def make_disk(medium, mount):
        if wanted.lazyfs:
            return LazyDisk(wanted.lazyfs.resolve(), medium, mount)
        return ForgetfulDisk(medium, mount)

    place, programs = wanted.place.resolve(), wanted.programs.resolve()
    place.mkdir(parents=True, exist_ok=True)
    name = "lazyfs" if wanted.lazyfs else "forgetful"
    results = place / f"{name}-{wanted.cuts}-{wanted.seed}.json"
    found = {"troubles": {}, "machines": []}
    if results.exists():
        found = json.loads(results.read_text())

    def keep():
        results.write_text(json.dumps(found, indent=1))

    try:
        if not wanted.lazyfs and not found["troubles"]:
            print("Having the disk fail in each of its ways.", flush=True)
            machine = Machine(place / name, programs, make_disk)
            for words, outcome in troubles.play(machine):
                found["troubles"][words] = outcome
                print(f"{words[0].upper()}{words[1:]}: {outcome}.", flush=True)
            machine.scrap()
            for lie in ("fsync", "fsyncdir"):
                machine = Machine(place / name, programs, make_disk)
                find(lie, lambda: lives.play(machine, wanted.seed, lives.LIVES, lie))
                machine.scrap()
            keep()
        machines = found["machines"]
        while (done := sum(machine["cuts"] for machine in machines)) < wanted.cuts:
            count = min(lives.LIVES, wanted.cuts - done)
            print(f"Cutting the power, {done + 1} to {done + count} of {wanted.cuts}.", flush=True)
            machine = Machine(place / name, programs, make_disk)
            machines.append(lives.play(machine, wanted.seed + len(machines), count))
            machine.scrap()
            keep()
    except Fault as fault:
        print(f"Found: {fault}\nThe machine is in {place / name}.")
        return 1
    tell(found["machines"])
    results.replace(place / f"{name}.json")
    print("Nothing was found.")
    return 0


def find(lie, play):
    """Looks that a disk is found which answers `lie` and does nothing."""
    from machine import Fault
    try:
        play()
    except Fault as fault:
        print(f"A disk that lies about {lie} was found: {str(fault)[:80]}…", flush=True)
        return
    raise Fault(f"a disk that lies about {lie} was not found")


def tell(machines):
    """Sums up the machines, a line for each kind of thing."""
    total, tally = collections.Counter(), collections.Counter()
    for machine in machines:
        total.update({word: count for word, count in machine.items() if isinstance(count, int)})
        tally.update(machine["tally"])
    print(f"Cuts: {total['cuts']}, in {sum(machine['seconds'] for machine in machines):.0f} s.")
    print(f"Acknowledged as synced: {total['synced']}; lost: 0.")
    print(f"Given to a subscriber that wants only safe entries: {total['durable']}; lost: 0.")
    print(f"Acknowledged as written: {total['written']}; lost within the window: {total['lost']}, "
          f"at most {max(machine['oldest'] for machine in machines):.2f} s old; "
          "lost outside of it: 0.")
    print(f"Acknowledged as received: {total['received']}; refused: {total['refused']}.")
    print(f"Told as damaged: {total['rotten']}; of them not hit by a flipped bit: 0.")
    for words, count in sorted(tally.items()):
        print(f"{words[0].upper()}{words[1:]}: {count}.")


if __name__ == "__main__":
    sys.exit(main())
