# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""The bus for asyncio, with a real daemon."""

import asyncio
import signal
import unittest
from typing import Any, Awaitable, List
from unittest import mock

from a11y_bus import AsyncBus, BusGone, NoAnswer, Refused
from a11y_bus._session import POSTED_BYTES
from daemon import HANGS, PATIENCE, Daemon, words


class AsyncTest(unittest.IsolatedAsyncioTestCase):
    """A test in a loop with a daemon, which fails instead of hanging."""

    holds_socket = False

    async def asyncSetUp(self) -> None:
        self.daemon = Daemon(self.holds_socket)
        self.addCleanup(self.daemon.discard)
        self.bus = AsyncBus(self.daemon.socket, app="test", timeout=PATIENCE)
        self.addAsyncCleanup(self.bus.close)
        before = signal.signal(signal.SIGALRM, self._fail)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        signal.alarm(HANGS)
        self.addCleanup(signal.alarm, 0)

    def _fail(self, *_: object) -> None:
        raise AssertionError(f"the test did not end within {HANGS} seconds")


class AsyncTests(AsyncTest):
    async def test_an_announcement_and_all_questions_have_answers(self) -> None:
        seq = await self.bus.announce("Saved", priority="high")

        explanation = await self.bus.explain(seq)
        self.assertEqual(explanation["entry"]["event"]["priority"], "high")
        self.assertIn(str(seq), explanation["sentence"])
        self.assertEqual((await self.bus.server())["protocol"], 1)
        self.assertGreaterEqual(await self.bus.ping(), seq)
        self.assertEqual((await self.bus.state())["windows"], [])
        self.assertTrue(await self.bus.rules())
        self.assertTrue(await self.bus.stats())
        with self.assertRaises(Refused) as caught:
            await self.bus.announce("Saved", priority="urgent")
        self.assertEqual(caught.exception.field, "event.priority")

    async def test_calls_go_out_together_and_each_gets_its_answer(self) -> None:
        seqs = await asyncio.gather(*(self.bus.announce(str(n)) for n in range(500)))

        self.assertEqual(list(seqs), sorted(set(seqs)))

    async def test_a_cancelled_call_shifts_no_answer(self) -> None:
        await self.bus.ping()
        self.daemon.freeze()
        tasks = [asyncio.create_task(self.bus.announce(str(n))) for n in range(10)]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        await asyncio.sleep(0)
        self.assertEqual(len(self.bus._session._tickets), 5)
        self.daemon.thaw()
        results = await asyncio.gather(*tasks, return_exceptions=True)

        for number, result in enumerate(results):
            if number % 2 == 0:
                self.assertIsInstance(result, asyncio.CancelledError)
            else:
                assert isinstance(result, int)
                explanation = await self.bus.explain(result)
                self.assertEqual(words(explanation["entry"]), str(number))

    async def test_a_cancelled_wait_for_an_entry_loses_none(self) -> None:
        async with self.bus.subscribe(["announcement"]) as entries:
            for number in range(20):
                wait = asyncio.ensure_future(entries.take())
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                wait.cancel()
                await asyncio.gather(wait, return_exceptions=True)
                await self.bus.announce(str(number))
                self.assertEqual(words(await entries.take(PATIENCE)), str(number))

    async def test_posts_wait_for_nothing_and_have_a_bound(self) -> None:
        event = {"type": "announcement", "text": "x" * 1_000}
        await self.bus.ping()
        self.daemon.freeze()
        posted = 0
        while self.bus.post(event):
            posted += 1
        self.assertGreater(posted, POSTED_BYTES // 1_100)
        self.daemon.thaw()
        self.bus.take_complaints()
        async with self.bus.subscribe(["announcement"], "start") as entries:
            for _ in range(posted):
                self.assertIsNotNone(await entries.take(PATIENCE))
            await self.bus.ping()
            self.assertIsNone(await entries.take(0))
        self.bus.post({"type": "announcement"})
        await self.bus.ping()
        self.assertEqual([one.kind for one in self.bus.take_complaints()], ["refused"])

    async def test_a_subscription_stands_when_it_is_awaited(self) -> None:
        entries = await self.bus.subscribe(["announcement"])
        await self.bus.announce("one")
        async for entry in entries:
            self.assertEqual(words(entry), "one")
            break
        self.assertIsNone(await entries.take(0))
        async for entry in self.bus.subscribe(["announcement"], "start"):
            self.assertEqual(words(entry), "one")
            break
        with self.assertRaises(Refused):
            await self.bus.subscribe(since="yesterday")

    async def test_a_task_that_always_finds_entries_leaves_others_a_turn(self) -> None:
        entries = await self.bus.subscribe(["announcement"])
        self.assertIsNone(await entries.take(0))
        batches: List[Any] = [[{"seq": seq, "event": {}}] for seq in range(100, 200)]
        turns = 0

        async def count_turns() -> None:
            nonlocal turns
            while batches:
                turns += 1
                await asyncio.sleep(0)

        counter = asyncio.create_task(count_turns())
        connection = entries._connection
        with mock.patch.object(connection, "receive", lambda: batches.pop(0)):
            seqs = [(await entries.__anext__())["seq"] for _ in range(100)]
        await counter
        self.assertEqual(seqs, list(range(100, 200)))
        self.assertGreater(turns, 50)

    async def test_closing_ends_waits(self) -> None:
        entries = await self.bus.subscribe(["announcement"])
        self.daemon.freeze()
        wait = asyncio.create_task(self.collect(entries))
        call = asyncio.create_task(self.bus.announce("never answered"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await self.bus.close()
        self.assertEqual(await wait, [])
        with self.assertRaises(BusGone):
            await call
        with self.assertRaises(BusGone):
            await self.bus.ping()

    async def test_closing_in_the_turn_in_which_a_wait_is_cancelled_changes_nothing(self) -> None:
        entries = await self.bus.subscribe(["announcement"])
        wait = asyncio.create_task(self.collect(entries))
        while entries._wait is None:
            await asyncio.sleep(0)
        wait.cancel()
        entries.close()
        with self.assertRaises(asyncio.CancelledError):
            await wait
        self.assertIsNone(entries._connection)

    async def test_closing_in_the_turn_in_which_an_entry_comes_ends_the_iteration(self) -> None:
        entries = await self.bus.subscribe(["announcement"])
        wait = asyncio.create_task(self.collect(entries))
        while entries._wait is None:
            await asyncio.sleep(0)
        # As the loop does when there is something to receive.
        entries._wait.set_result(None)
        entries.close()
        self.assertEqual(await wait, [])
        self.assertIsNone(entries._connection)

    async def collect(self, entries: Any) -> List[Any]:
        return [entry async for entry in entries]

    async def test_no_answer_in_time_is_an_error(self) -> None:
        await self.bus.ping()
        self.daemon.freeze()
        with self.assertRaises(NoAnswer):
            await self.bus.announce("late", timeout=0.05)
        with self.assertRaises(NoAnswer):
            await AsyncBus(self.daemon.socket, timeout=0.05).subscribe()
        self.daemon.thaw()
        seq = await self.bus.announce("after")
        self.assertEqual(words((await self.bus.explain(seq))["entry"]), "after")

    async def test_a_bus_belongs_to_one_loop(self) -> None:
        await self.bus.ping()

        def elsewhere() -> None:
            asyncio.run(self.call(self.bus.ping()))

        with self.assertRaises(RuntimeError):
            await asyncio.get_running_loop().run_in_executor(None, elsewhere)

    async def call(self, awaitable: Awaitable[Any]) -> None:
        await awaitable


class AsyncRestartTests(AsyncTest):
    async def test_publishing_and_following_go_on_after_a_restart(self) -> None:
        entries = await self.bus.subscribe(["announcement"], marks=True)
        seen: List[Any] = []

        async def take_until(item: str) -> None:
            while item not in seen:
                line: Any = await entries.take(PATIENCE)
                seen.append(line.get("mark") or words(line))

        await self.bus.announce("one")
        await take_until("one")
        self.daemon.kill()
        with self.assertRaises(BusGone):
            await self.bus.announce("lost")
        await take_until("away")
        self.daemon.start()
        await self.bus.announce("two")
        await take_until("two")

        items = [item for item in seen if item != "caught-up"]
        self.assertEqual(items, ["one", "away", "back", "two"])


class AsyncBacklogTests(AsyncTest):
    holds_socket = True

    async def test_an_event_with_a_key_is_sent_again(self) -> None:
        await self.bus.ping()
        self.daemon.freeze()
        calls = [self.bus.announce("key", dedupe="key"), self.bus.announce("none")]
        tasks = [asyncio.create_task(call) for call in calls]
        await asyncio.sleep(0)
        self.daemon.kill()
        await asyncio.to_thread(self.daemon.start)
        seq, error = await asyncio.gather(*tasks, return_exceptions=True)

        assert isinstance(error, BusGone)
        self.assertTrue(error.in_doubt)
        self.assertEqual(await self.bus.announce("key", dedupe="key"), seq)


if __name__ == "__main__":
    unittest.main()
