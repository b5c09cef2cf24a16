# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""A file system that forgets what was not synchronized, and fails when it is told to.

  python3 Tests/Disk/forgetful.py MEDIUM MOUNT SEED

A mount is the life of a machine. MEDIUM is a directory with what the medium holds before it and
after it; in between the file system keeps two pictures of each file and of the names: what a
program sees, and what the medium has. fsync(2) of a file brings its bytes there and says nothing of
its name; that takes an fsync of the folder. When the power goes, each change that was on its way
comes to the medium whole, in part or not at all, sector by sector even, as the seed has it.

Commands are lines on standard input, each answered with a line:

  fault CALLS AFTER ERROR once|always   CALLS are joined by commas, "changing" is all that change
                                        something; AFTER of them go well before
  room BYTES                            so many more bytes can be written
  clear                                 no faults, and room again
  lie CALL                              fsync or fsyncdir is answered, and does nothing
  cut AFTER                             the power goes with a change after so many: it is the last
                                        that happens, nothing is answered any more, and "frozen" is
                                        printed
  end lost|kept                         unmounts, with a loss of power or after all has come to the
                                        medium; the answer tells in JSON what was on its way
"""

import errno
import json
import os
import pathlib
import random
import stat
import sys
import time

import pyfuse3
import trio

SECTOR = 512
# The calls that change something, and are answered with EROFS by a medium that can only be read.
CHANGING = ("write", "create", "rename", "unlink", "mkdir", "truncate")
CALLS = (*CHANGING, "read", "open", "fsync", "fsyncdir")


class Node:
    """A file or a folder: as it is seen, and as the medium has it."""

    def __init__(self, ino, mode, data=b""):
        self.ino, self.mode = ino, mode
        self.seen, self.durable = bytearray(data), bytearray(data)
        self.pending = []
        self.links = 1
        self.modified = time.time_ns()

    is_folder = property(lambda self: stat.S_ISDIR(self.mode))

    def write(self, offset, data):
        lay(self.seen, offset, data)
        self.pending.append((offset, bytes(data)))
        self.modified = time.time_ns()

    def truncate(self, size):
        resize(self.seen, size)
        self.pending.append((size, None))

    def synchronize(self):
        for change in self.pending:
            apply(self.durable, *change)
        self.pending = []

    def lose_track(self, chance):
        """The medium has refused. Nothing that was on its way is tried again; a part is there."""
        for change in self.pending:
            if chance.random() < 0.3:
                apply(self.durable, *change)
        self.pending = []

    def lose_power(self, chance):
        """Leaves what the medium has got of the changes, and tells how many it has wholly."""
        kind = chance.choice(["none", "all", "front", "any"])
        front = chance.randint(0, len(self.pending))
        size, kept = len(self.seen), 0
        for index, (offset, data) in enumerate(self.pending):
            is_kept = kind == "all" or kind == "front" and index < front
            is_torn = kind == "any" or kind == "front" and index == front
            if is_torn and data is not None:
                data, is_kept = self.tear(offset, data, chance, kind == "any"), False
            elif kind == "any":
                is_kept = chance.random() < 0.5
            if is_kept or is_torn and data is not None:
                kept += is_kept
                for start, piece in [(offset, data)] if is_kept else data:
                    apply(self.durable, start, piece)
        # A file may have its new size before the bytes.
        if kind in ("front", "any") and size > len(self.durable) and chance.random() < 0.4:
            resize(self.durable, chance.randint(len(self.durable), size))
        return kept

    @staticmethod
    def tear(offset, data, chance, is_any):
        """The pieces of a write that come to the medium."""
        if not is_any or chance.random() < 0.5:
            return [(offset, data[:chance.randint(0, len(data))])]
        pieces, start = [], 0
        while start < len(data):
            end = ((offset + start) // SECTOR + 1) * SECTOR - offset
            if chance.random() < 0.5:
                pieces.append((offset + start, data[start:end]))
            start = end
        return pieces


def lay(content, offset, data):
    if offset > len(content):
        resize(content, offset)
    content[offset:offset + len(data)] = data


def resize(content, size):
    del content[size:]
    content.extend(bytes(size - len(content)))


def apply(content, offset, data):
    if data is None:
        resize(content, offset)
    elif data:
        lay(content, offset, data)


class Fault:
    def __init__(self, calls, after, error, times):
        self.calls, self.after, self.times = calls.split(","), int(after), times
        if "changing" in self.calls:
            self.calls += CHANGING
            self.calls.remove("changing")
        if unknown := set(self.calls) - set(CALLS):
            raise ValueError(f"no such call: {unknown}")
        self.error = getattr(errno, error)

    def strikes(self, call):
        if call not in self.calls:
            return False
        self.after -= 1
        return self.after == -1 or self.after < 0 and self.times == "always"


class Forgetful(pyfuse3.Operations):
    enable_writeback_cache = False

    def __init__(self, medium, seed):
        super().__init__()
        self.medium, self.chance = pathlib.Path(medium), random.Random(seed)
        self.nodes, self.room, self.faults, self.lies = {}, None, [], set()
        # Until the power goes: None is never.
        self.left = None
        self.is_frozen = False
        self.thaw = trio.Event()
        # The struck calls, as "write EIO"; told at the end.
        self.struck = {}
        # Names are keys of folder and name; a change is (folders, name, node before, node after).
        self.seen, self.changes = {}, []
        self.root = self.load(self.medium, pyfuse3.ROOT_INODE)
        self.durable = dict(self.seen)

    def load(self, path, ino=None):
        status = path.lstat()
        is_folder = stat.S_ISDIR(status.st_mode)
        node = self.new_node(status.st_mode, b"" if is_folder else path.read_bytes(), ino)
        node.modified = status.st_mtime_ns
        for inner in sorted(path.iterdir()) if is_folder else ():
            self.seen[node, os.fsencode(inner.name)] = self.load(inner)
        return node

    def new_node(self, mode, data=b"", ino=None):
        node = Node(ino or len(self.nodes) + 2, mode, data)
        self.nodes[node.ino] = node
        return node

    # The end of a life.

    def finish(self, is_lost):
        on_their_way = sum(len(node.pending) for node in self.nodes.values())
        report = {"writes": on_their_way, "names": len(self.changes), "struck": self.struck}
        if is_lost:
            self.lose_names()
            kept = sum(node.lose_power(self.chance) for node in self.nodes.values())
            report["kept"] = kept
        else:
            self.durable = dict(self.seen)
            for node in self.nodes.values():
                node.synchronize()
        for path in sorted(self.medium.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        self.store(self.root, self.medium)
        return report

    def store(self, folder, path):
        for (parent, name), node in self.durable.items():
            if parent is not folder:
                continue
            place = path / os.fsdecode(name)
            if node.is_folder:
                place.mkdir()
                self.store(node, place)
            else:
                place.write_bytes(node.durable)
            place.chmod(stat.S_IMODE(node.mode))
            os.utime(place, ns=(node.modified, node.modified))

    def lose_names(self):
        """Names come to the medium in any order, but are taken away there in their order."""
        kind = self.chance.choice(["none", "all", "front", "any"])
        front = self.chance.randint(0, len(self.changes))
        keeps_removals = True
        for index, change in enumerate(self.changes):
            is_kept = kind == "all" or kind == "front" and index < front or (
                kind == "any" and self.chance.random() < 0.5)
            if all(after is None for _, _, after in change):
                keeps_removals = is_kept = is_kept and keeps_removals
            if is_kept:
                self.carry_out(change)

    def carry_out(self, change):
        """Brings a change of names to the medium."""
        for key, before, after in change:
            if after is not None:
                self.durable[key] = after
            elif self.durable.get(key) is before:
                del self.durable[key]

    # Faults.

    async def enter(self, call):
        """Lets a call through, ends the life with it, or has it fail."""
        if self.is_frozen:
            await self.stop()
        if self.left is not None and call in (*CHANGING, "fsync", "fsyncdir"):
            self.left -= 1
            if self.left < 0:
                self.is_frozen = True
                print("frozen", flush=True)
                # It may still have its effect, unseen.
                return self.chance.random() < 0.5 or await self.stop()
        for fault in self.faults:
            if fault.strikes(call):
                name = f"{call} {errno.errorcode[fault.error]}"
                self.struck[name] = self.struck.get(name, 0) + 1
                raise pyfuse3.FUSEError(fault.error)

    async def leave(self):
        if self.is_frozen:
            await self.stop()

    async def stop(self):
        await self.thaw.wait()
        raise pyfuse3.FUSEError(errno.EIO)

    def take_room(self, count):
        """How many of so many more bytes there is room for."""
        if self.room is None or count <= 0:
            return count
        taken = min(self.room, count)
        self.room -= taken
        return taken

    def give_room(self, count):
        if self.room is not None:
            self.room += max(0, count)

    # Files.

    def attributes(self, node):
        entry = pyfuse3.EntryAttributes()
        entry.st_ino, entry.st_mode = node.ino, node.mode
        entry.st_nlink = node.links
        entry.st_size = len(node.seen)
        entry.st_blocks = -(-len(node.seen) // SECTOR)
        entry.st_uid, entry.st_gid = os.getuid(), os.getgid()
        entry.st_atime_ns = entry.st_mtime_ns = entry.st_ctime_ns = node.modified
        entry.entry_timeout = 300
        # The number of links is asked for by whoever wants to know that a file has its name.
        entry.attr_timeout = 0
        return entry

    def find(self, parent, name):
        node = self.seen.get((self.nodes[parent], name))
        if node is None:
            raise pyfuse3.FUSEError(errno.ENOENT)
        return node

    def change(self, *steps):
        """Changes names in one step: each has a key, the node before and the node after."""
        nodes = {after for _, _, after in steps}
        for key, before, after in steps:
            if before is not None and before not in nodes:
                before.links = 0
                self.give_room(len(before.seen))
            if after is None:
                self.seen.pop(key)
            else:
                self.seen[key] = after
        self.changes.append(steps)

    async def lookup(self, parent, name, ctx=None):
        if name == b"..":
            return self.attributes(self.root)
        return self.attributes(self.nodes[parent] if name == b"." else self.find(parent, name))

    async def getattr(self, inode, ctx=None):
        return self.attributes(self.nodes[inode])

    async def setattr(self, inode, attr, fields, fh, ctx):
        node = self.nodes[inode]
        if fields.update_size:
            await self.enter("truncate")
            self.give_room(len(node.seen) - attr.st_size)
            node.truncate(attr.st_size)
            await self.leave()
        if fields.update_mode:
            node.mode = stat.S_IFMT(node.mode) | stat.S_IMODE(attr.st_mode)
        if fields.update_mtime:
            node.modified = attr.st_mtime_ns
        return self.attributes(node)

    async def create(self, parent, name, mode, flags, ctx):
        await self.enter("create")
        node = self.new_node(mode)
        self.change(((self.nodes[parent], name), None, node))
        await self.leave()
        return pyfuse3.FileInfo(fh=node.ino), self.attributes(node)

    async def mkdir(self, parent, name, mode, ctx):
        await self.enter("mkdir")
        if (self.nodes[parent], name) in self.seen:
            raise pyfuse3.FUSEError(errno.EEXIST)
        node = self.new_node(stat.S_IFDIR | mode)
        self.change(((self.nodes[parent], name), None, node))
        await self.leave()
        return self.attributes(node)

    async def unlink(self, parent, name, ctx):
        await self.enter("unlink")
        node = self.find(parent, name)
        self.change(((self.nodes[parent], name), node, None))
        await self.leave()

    async def rmdir(self, parent, name, ctx):
        node = self.find(parent, name)
        if any(folder is node for folder, _ in self.seen):
            raise pyfuse3.FUSEError(errno.ENOTEMPTY)
        await self.unlink(parent, name, ctx)

    async def rename(self, parent, name, to, new_name, flags, ctx):
        await self.enter("rename")
        node = self.find(parent, name)
        target = (self.nodes[to], new_name)
        replaced = self.seen.get(target)
        self.change(((self.nodes[parent], name), node, None), (target, replaced, node))
        await self.leave()

    async def open(self, inode, flags, ctx):
        await self.enter("open")
        return pyfuse3.FileInfo(fh=inode)

    async def read(self, fh, offset, size):
        await self.enter("read")
        return bytes(self.nodes[fh].seen[offset:offset + size])

    async def write(self, fh, offset, data):
        await self.enter("write")
        node = self.nodes[fh]
        growth = max(0, offset + len(data) - max(offset, len(node.seen)))
        count = len(data) - growth + self.take_room(growth)
        if count <= 0:
            self.struck["write ENOSPC"] = self.struck.get("write ENOSPC", 0) + 1
            raise pyfuse3.FUSEError(errno.ENOSPC)
        node.write(offset, data[:count])
        await self.leave()
        return count

    async def fsync(self, fh, datasync):
        try:
            await self.enter("fsync")
        except pyfuse3.FUSEError:
            if not self.is_frozen:
                self.nodes[fh].lose_track(self.chance)
            raise
        if "fsync" not in self.lies:
            self.nodes[fh].synchronize()
        await self.leave()

    async def opendir(self, inode, ctx):
        return inode

    async def readdir(self, fh, start, token):
        entries = [(name, node) for (folder, name), node in self.seen.items()
                   if folder.ino == fh]
        for index, (name, node) in enumerate(entries):
            if index >= start and not pyfuse3.readdir_reply(
                    token, name, self.attributes(node), index + 1):
                break

    async def fsyncdir(self, fh, datasync):
        await self.enter("fsyncdir")
        changes, self.changes = self.changes, []
        for change in changes:
            is_of_folder = any(folder.ino == fh for (folder, _), _, _ in change)
            if is_of_folder and "fsyncdir" not in self.lies:
                self.carry_out(change)
            else:
                self.changes.append(change)
        await self.leave()

    async def statfs(self, ctx):
        data = pyfuse3.StatvfsData()
        data.f_bsize = data.f_frsize = SECTOR
        data.f_blocks = (1 << 40) // SECTOR
        data.f_bfree = data.f_bavail = (1 << 39 if self.room is None else self.room) // SECTOR
        data.f_files = data.f_ffree = data.f_favail = 1 << 20
        data.f_namemax = 255
        return data

    async def flush(self, fh):
        pass

    async def release(self, fh):
        pass

    async def releasedir(self, fh):
        pass

    async def forget(self, inodes):
        pass


def obey(disk, words):
    """Carries out a command; returns its answer."""
    match words:
        case ["fault", calls, after, error, ("once" | "always") as times]:
            disk.faults.append(Fault(calls, after, error, times))
        case ["room", count]:
            disk.room = int(count)
        case ["clear"]:
            disk.faults, disk.room = [], None
        case ["lie", ("fsync" | "fsyncdir") as call]:
            disk.lies.add(call)
        case ["cut", after]:
            disk.left = int(after)
        case _:
            raise ValueError(f"no such command: {words}")
    return "ok"


async def listen(disk, results):
    text = b""
    while True:
        await trio.lowlevel.wait_readable(0)
        more = os.read(0, 4096)
        *lines, text = (text + more).split(b"\n")
        # Without a driver the medium stays as it was.
        for line in lines if more else [b"end"]:
            words = line.decode().split()
            if words[0] == "end":
                disk.is_frozen = True
                disk.thaw.set()
                results.extend(words[1:])
                pyfuse3.terminate()
                return
            print(obey(disk, words), flush=True)


async def serve(disk, results):
    async with trio.open_nursery() as nursery:
        nursery.start_soon(pyfuse3.main)
        nursery.start_soon(listen, disk, results)


def main(words):
    medium, mount, seed = words
    disk = Forgetful(medium, int(seed))
    options = set(pyfuse3.default_options) - {"default_permissions"} | {"fsname=forgetful"}
    pyfuse3.init(disk, mount, options)
    print("mounted", flush=True)
    results = []
    try:
        trio.run(serve, disk, results)
    finally:
        pyfuse3.close(unmount=True)
    for how in results:
        print(json.dumps(disk.finish(is_lost=how == "lost")), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
