# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Says whether one order of the operations of a history explains all answers.

In that order each operation happens at one moment between its call and its return, and what it is
answered is what a log would answer that one client at a time uses. The log has two faces, and a
history is in order where it is so for each of them alone:

- The log is the list of the events that clients have published. A publish puts its event behind all
  others, unless the log has its id, and then it is answered by the seq that this one has. A read
  that is complete, and a ping, tell of everything that stands there, and of nothing else.
- Each seq holds an entry that is never another: a text, until it is forgotten and ever after.
  Forgetting an app is an operation on each seq alone, since it is no promise that the texts of an
  app go at one moment.

A request that a stop has left without an answer has been carried out before the daemon was gone, or
never; one to forget may have been carried out by the next start. Tests/Histories/porcupine has the
same model for a checker that others wrote.
"""

import bisect
import collections
import json

FORGOTTEN = None
# Of a seq at which no event stands yet, and of one at which the daemon's own entry may stand.
ABSENT, UNKNOWN = "absent", "unknown"
INFINITY = float("inf")
# A daemon that takes its leave carries out nothing more, and says so.
NEVER = "shutting-down"


class Fault(Exception):
    """What no order explains."""


def linearize(operations, state, step):
    """Finds an order by the search of Wing and Gong, with Lowe's memory of where it has been.

    An operation is (call, return, what it is); `step` gives the states that it may lead to. One
    that only looks takes its place as soon as it fits: nothing would become possible by its
    waiting. One that forgets or publishes may change nothing now, and something later.
    """
    # At one and the same moment calls come first, for then both operations are under way.
    moments = sorted((moment, is_return, number) for number, operation in enumerate(operations)
                     for is_return, moment in enumerate(operation[:2]))
    size = len(moments)
    returns = {number: place for place, (_, is_return, number) in enumerate(moments) if is_return}
    # The calls and returns of what has no place in the order yet, as a ring around `size`.
    after, before = [*range(1, size + 1), 0], [size, *range(size)]
    path, seen, done = [], set(), 0
    furthest, blamed = 0, None
    place, choices = after[size], None
    while after[size] != size:
        _, is_return, number = moments[place]
        if not is_return:
            states = step(state, operations[number][2]) if choices is None else choices
            choices = None
            for index, following in enumerate(states):
                mark = (done | 1 << number, following)
                if mark not in seen:
                    seen.add(mark)
                    is_forced = states == [state] and not may_change(operations[number][2])
                    path.append((place, state, None if is_forced else states[index + 1:]))
                    done, state = mark
                    for one in (place, returns[number]):
                        after[before[one]], before[after[one]] = after[one], before[one]
                    place = after[size]
                    break
            else:
                place = after[place]
            continue
        # It has returned, and fits nowhere: an earlier choice was wrong.
        if blamed is None or len(path) > furthest:
            furthest, blamed = len(path), number
        while choices is None:
            if not path:
                what = operations[blamed][2]
                raise Fault(f"no order explains {what} behind {furthest} operations")
            place, state, choices = path.pop()
            number = moments[place][2]
            done ^= 1 << number
            for one in (returns[number], place):
                after[before[one]] = before[after[one]] = one


def may_change(operation):
    if isinstance(operation, Publish):
        return operation.how != "known"
    return isinstance(operation, Forget)


class Event:
    """An event on the log, and what stands before it. A log is its last event."""

    def __init__(self, seq, name, before):
        self.seq, self.name, self.before = seq, name, before
        self.count = before.count + 1 if before else 0
        self.followers = {}

    def append(self, seq, name):
        """The log with one event more; the same one each time, so that equal ones are one."""
        return self.followers.setdefault((seq, name), Event(seq, name, self))


class Publish(collections.namedtuple("Publish", "name seq how")):
    """`how`: new, known by its id, or unsure where it has no answer."""

    def __repr__(self):
        return f"the publish of {self.name} at {self.seq}"


class Forget(collections.namedtuple("Forget", "app is_sure")):
    """Of an app; one that has no answer, or may be of another app, is not sure to have a part."""


class Sight(collections.namedtuple("Sight", "what client")):
    """What a client saw at a seq."""

    def __repr__(self):
        what = "a forgotten entry" if self.what is FORGOTTEN else self.what
        return f"client {self.client}'s sight of {what}"


class Read(collections.namedtuple("Read", "start end is_complete lines client")):
    """Entries behind `start` up to `end`."""

    def __repr__(self):
        return f"client {self.client}'s read from {self.start} to {self.end}"


class Log:
    """What the events of a history are, and the steps of a log of them."""

    def __init__(self, history):
        # At each seq the id that somebody was told stands there; two are a fault that shows later.
        self.names = collections.defaultdict(set)
        for one in history:
            if one["op"] == "publish" and "seq" in one:
                self.names[one["seq"]].add(one["id"])
            for seq, what in one.get("lines", ()):
                if what is not FORGOTTEN and not what.startswith("="):
                    self.names[seq].add(what)
        self.seqs = sorted(self.names)
        self.places = collections.defaultdict(list)
        for seq in self.seqs:
            for name in self.names[seq]:
                self.places[name].append(seq)

    def count(self, seq):
        """The events up to a seq."""
        return bisect.bisect_right(self.seqs, seq)

    def fits(self, log, seq):
        """Whether the next event stands at this seq: those of clients come one after the other."""
        return log.count < len(self.seqs) and self.seqs[log.count] == seq

    def step(self, log, operation):
        if isinstance(operation, Publish):
            return self.publish(log, *operation)
        if isinstance(operation, Read):
            return [log] if self.shows(log, operation) else []
        return [log] if log.count == self.count(operation) else []  # A ping's last seq.

    def publish(self, log, name, seq, how):
        if how == "known":
            return [log] if holds(log, seq, name) else []
        has_it = any(holds(log, place, name) for place in self.places[name])
        grown = [log.append(seq, name)] if self.fits(log, seq) and not has_it else []
        return grown if how == "new" else [*grown, log]

    def shows(self, log, read):
        """Whether the read shows this log, or for one that is not complete, a log that grew on."""
        count = self.count(read.end)
        if log.count < count or read.is_complete and log.count > count:
            return False
        while log.count > count:
            log = log.before
        while log.seq > read.start:
            if read.lines[log.seq - read.start - 1] not in (log.name, FORGOTTEN):
                return False
            log = log.before
        return True


def holds(log, seq, name):
    while log.seq > seq:
        log = log.before
    return (log.seq, log.name) == (seq, name)


def publishes(history, log):
    """The publishes, but for those without an answer that nobody has noticed.

    Those change nothing but what a forgotten entry may once have been, and no log says that.
    """
    stops = sorted(one["return"] for one in history if one["op"] == "stop")
    attempts = collections.defaultdict(list)
    operations = []
    for one in history:
        if one["op"] == "publish" and one.get("error") != NEVER:
            attempts[one["id"]].append(one)
    for name, tries in attempts.items():
        answered = [one for one in tries if "seq" in one]
        for one in answered:
            how = "known" if one["duplicate"] else "new"
            operations.append((one["call"], one["return"], Publish(name, one["seq"], how)))
        # What was new to the log by a later try was not there by an earlier one.
        if any(not one["duplicate"] for one in answered):
            continue
        lost = [one for one in tries if "seq" not in one]
        for one in lost:
            for seq in log.places[name]:
                end = next((stop for stop in stops if stop >= one["call"]), INFINITY)
                how = "new" if len(lost) == 1 else "unsure"
                operations.append((one["call"], end, Publish(name, seq, how)))
    return operations


def check_form(history):
    """What needs no order: nothing is refused, no seq is left out, and the epoch stays."""
    epochs = {one["epoch"] for one in history if one["op"] == "start"}
    if len(epochs) > 1:
        raise Fault(f"the epoch has changed: {epochs}")
    for one in history:
        if one.get("error", NEVER) != NEVER:
            raise Fault(f"client {one['client']}'s {one['op']} was refused: {one['error']}")
        if one["op"] == "read":
            if [line[0] for line in one["lines"]] != [*range(one["from"] + 1, one["end"] + 1)]:
                raise Fault(f"client {one['client']}'s read from {one['from']} to {one['end']}"
                            " leaves entries out")


def check_log(history, log, published):
    operations = list(published)
    for one in history:
        if one["op"] == "ping" and "last" in one:
            operations.append((one["call"], one["return"], one["last"]))
        elif one["op"] == "read":
            what = [line[1] for line in one["lines"]]
            read = Read(one["from"], one["end"], one["complete"], what, one["client"])
            operations.append((one["call"], one["return"], read))
    linearize(operations, Event(0, "", None), log.step)
    return len(operations)


def step_entry(state, operation):
    """`state`: what stands at a seq."""
    if isinstance(operation, Publish):
        if operation.how == "known":
            return [] if state == ABSENT else [state]
        grown = [operation.name] if state == ABSENT else []
        return grown if operation.how == "new" else [*grown, state]
    if isinstance(operation, Forget):
        if state == ABSENT:
            return [state]
        return [FORGOTTEN] if operation.is_sure else [state, FORGOTTEN]
    if state == UNKNOWN and operation.what is not FORGOTTEN:
        return [operation.what]
    return [state] if state == operation.what else []


def check_entries(history, log, published):
    starts = sorted((one["call"], one["return"]) for one in history if one["op"] == "start")
    apps = {one["id"]: one["app"] for one in history if one["op"] == "publish"}
    seqs = collections.defaultdict(list)
    forgets = []
    for operation in published:
        seqs[operation[2].seq].append(operation)
    for one in history:
        if one["op"] == "forget" and "error" not in one:
            end = next((back for call, back in starts if call >= one["call"]), INFINITY)
            forget = Forget(one["app"], "return" in one)
            forgets.append((one["call"], one.get("return", end), forget))
        for seq, what in one.get("lines", ()):
            seqs[seq].append((one["call"], one["return"], Sight(what, one["client"])))
    for seq, operations in seqs.items():
        names = log.names.get(seq)
        concerned = {apps.get(name) for name in names or ()}
        begin = min(operation[0] for operation in operations) if names else 0
        end = max(operation[1] for operation in operations)
        for call, back, forget in forgets if names or is_forgotten(operations) else ():
            # Those before and behind all that is known of the entry tell nothing of it. Whose an
            # entry of the daemon's is, only the daemon knows.
            if back >= begin and call <= end and (not names or forget.app in concerned):
                sure = forget.is_sure and bool(names)
                operations.append((call, back, Forget(forget.app, sure)))
        try:
            linearize(operations, ABSENT if names else UNKNOWN, step_entry)
        except Fault as fault:
            raise Fault(f"at seq {seq} {fault}") from None
    return len(seqs)


def is_forgotten(operations):
    return any(isinstance(what, Sight) and what.what is FORGOTTEN for _, _, what in operations)


def check(history):
    """Returns how many operations the log has, and how many entries were seen; or a Fault."""
    check_form(history)
    log = Log(history)
    published = publishes(history, log)
    return check_log(history, log, published), check_entries(history, log, published)
