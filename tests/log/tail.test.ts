import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, test } from 'vitest';
import { readRun } from '#shared/log/read.ts';
import { type TailReader, tailOf } from '#shared/log/tail.ts';
import type { Services } from '#shared/runtime/services.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import type { Item } from '#shared/table/table.ts';
import type { Client } from '#tests/harness/client.ts';
import { withCalls } from '#tests/harness/log.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { liveIn, VirtualTime } from '#tests/harness/virtual-time.ts';

const MINUTE = 60_000;
const LOOK_MS = 1_000;

/** A process of its own, which reads the same log. */
let reading: Services;
let looks = 0;

const service = await startTestService({ lookSchedule: [{ fromAgeMs: 0, everyMs: LOOK_MS }] });
const [ada] = (await createUsers(service, 'Ada')) as [Client];
const room = await createChannel(service, [ada]);
await service.settle();
const time = new VirtualTime(service.services.clock.nowMs());
liveIn(time, service.services);
beforeEach(() => {
  looks = 0;
  const others = {
    ...service.services,
    appends: new EventEmitter<{ entry: [position: number, item: Item] }>(),
  };
  reading = withCalls(others, (table) => ({
    page: (query) => {
      looks++;
      return table.page(query);
    },
  }));
});

const end = () => readCounter(service.services.table);
const say = (content = 'hello') => ada.send(room.channelId, 'topic', content);

/** Notifies the reading process of an entry, as if it had written it. */
async function notify(position: number): Promise<void> {
  const item = await service.services.table.find(logKeys.entry(position));
  if (item) reading.appends?.emit('entry', position, item);
}

async function waitOn(reader: TailReader, after: number, limitMs = MINUTE): Promise<void> {
  const { signal } = new AbortController();
  await reader.wait({ after, activeMs: time.nowMs(), limitMs, signal });
}

async function openAt(after: number): Promise<TailReader> {
  const reader = tailOf(reading).open({ isPatient: true });
  await reader.read(after);
  return reader;
}

/** A reader that collects entries until its time is over. */
async function follow(reader: TailReader, after: number, untilMs: number): Promise<number[]> {
  const got: number[] = [];
  for (;;) {
    for (const { position } of await reader.read(after + got.length)) got.push(position);
    const limitMs = untilMs - time.nowMs();
    if (limitMs <= 0) break;
    await waitOn(reader, after + got.length, limitMs);
  }
  reader.end();
  return got;
}

/** Runs readers of one process for five minutes; returns the entries of each. */
async function followTogether(count: number, meanwhile: () => Promise<void>): Promise<number[][]> {
  const after = await end();
  const all: number[][] = [];
  const untilMs = time.nowMs() + 5 * MINUTE;
  for (let n = 0; n < count; n++)
    await time.start(async () => {
      all.push(await follow(tailOf(reading).open({ isPatient: true }), after, untilMs));
    });
  await time.start(meanwhile);
  await time.passUntil(untilMs + LOOK_MS);
  return all;
}

const sayFor = (seconds: number[]) => async () => {
  for (const second of seconds) {
    await time.sleep(second * 1_000);
    await say();
  }
};

describe('The readers of one process', () => {
  test('Read the log as often as one, however many they are', async () => {
    await followTogether(1, async () => {});
    const alone = looks;
    looks = 0;
    await followTogether(300, async () => {});
    expect(alone).toBeGreaterThanOrEqual((5 * MINUTE) / LOOK_MS);
    expect(looks).toBeLessThanOrEqual(alone + 1);
  });

  test('Get every entry once and in order, also after the leading reader has ended', async () => {
    const first = (await end()) + 1;
    const short = tailOf(reading).open({ isPatient: true });
    await time.start(async () => void (await follow(short, first - 1, time.nowMs() + 10_000)));
    const all = await followTogether(20, sayFor([1, 5, 30, 60, 2]));
    const written = Array.from({ length: (await end()) - first + 1 }, (_, n) => first + n);
    expect(written.length).toBeGreaterThanOrEqual(5);
    for (const got of all) expect(got).toEqual(written);
  });

  test('Have a leader again when the reader that was woken to lead ends instead', async () => {
    const after = await end();
    const startMs = time.nowMs();
    const leader = tailOf(reading).open({ isPatient: true });
    await time.start(async () => void (await follow(leader, after, startMs + 2_500)));
    let gotAtMs = 0;
    await time.start(async () => {
      const reader = await openAt(after);
      do await waitOn(reader, after);
      while ((await reader.read(after)).length === 0);
      gotAtMs = time.nowMs();
      reader.end();
    });
    await time.start(async () => {
      // It begins to wait last, so it is woken first.
      const reader = await openAt(after);
      await waitOn(reader, after);
      reader.end();
    });
    const sentMs = startMs + 10_000;
    await time.start(async () => {
      await time.sleep(10_000);
      await say();
    });
    await time.passUntil(sentMs + 2 * MINUTE);
    expect(gotAtMs).toBeGreaterThanOrEqual(sentMs);
    expect(gotAtMs).toBeLessThanOrEqual(sentMs + 2 * LOOK_MS);
  });

  test('Get the writes of their own process at once, without another read', async () => {
    const after = await end();
    let gotAtMs = 0;
    await time.start(async () => {
      const reader = await openAt(after);
      await waitOn(reader, after);
      await reader.read(after);
      gotAtMs = time.nowMs();
      reader.end();
    });
    const sentMs = time.nowMs() + 300;
    await time.start(async () => {
      await time.sleep(300);
      await say();
      await notify(await end());
    });
    await time.passUntil(sentMs + MINUTE);
    expect(gotAtMs).toBe(sentMs);
    expect(looks).toBe(1);
  });

  test('Read at once if their process has written an entry after a missing one', async () => {
    const after = await end();
    const got: number[] = [];
    let gotAtMs = 0;
    await time.start(async () => {
      const reader = await openAt(after);
      await waitOn(reader, after);
      for (const { position } of await reader.read(after)) got.push(position);
      gotAtMs = time.nowMs();
      reader.end();
    });
    const sentMs = time.nowMs() + 300;
    await time.start(async () => {
      await time.sleep(300);
      for (let n = 0; n < 2; n++) await say();
      await notify(after + 2);
    });
    await time.passUntil(sentMs + MINUTE);
    expect(gotAtMs).toBe(sentMs);
    expect(got).toEqual([after + 1, after + 2]);
  });

  test('Read again together if their process writes during a read', async () => {
    const after = await end();
    let holds: Promise<void> | undefined;
    const held = withCalls(reading, (table) => ({
      page: async (query) => {
        const page = await table.page(query);
        await holds;
        return page;
      },
    }));
    const read = () => tailOf(held).open({ isPatient: false }).read(after);
    expect(await read()).toEqual([]);
    looks = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    holds = promise;
    const early = read();
    await expect.poll(() => looks).toBeGreaterThan(0);
    const looksOfOne = looks;
    for (let n = 0; n < 2; n++) await say();
    await notify(after + 2);
    const late = [read(), read(), read()];
    resolve();
    await early;
    for (const entries of await Promise.all(late))
      expect(entries.map(({ position }) => position)).toEqual([after + 1, after + 2]);
    expect(looks).toBeLessThanOrEqual(2 * looksOfOne + 1);
  });

  test('Read the log again after a failed read', async () => {
    const after = await end();
    let fails = false;
    const failing = withCalls(reading, (table) => ({
      page: async (query) => {
        if (fails) throw new Error('The table is away');
        return table.page(query);
      },
    }));
    const read = () => tailOf(failing).open({ isPatient: true }).read(after);
    expect(await read()).toEqual([]);
    fails = true;
    await say();
    const together = await Promise.allSettled([read(), read()]);
    expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect((await read()).map(({ position }) => position)).toEqual([after + 1]);
  });

  test('Get entries that their process writes out of order once, in order, and as stored', async () => {
    const after = await end();
    const reader = await openAt(after);
    for (let n = 0; n < 3; n++) await say();
    for (const position of [after + 1, after + 3, after + 2, after + 3, after + 1]) await notify(position);
    await waitOn(reader, after);
    const got = await reader.read(after);
    const rest = await tailOf(reading).open({ isPatient: false }).read(after);
    reader.end();
    expect(rest.slice(0, got.length)).toEqual(got);
    expect(rest).toEqual((await readRun(service.services, after)).slice(0, rest.length));
    expect(rest.map(({ position }) => position)).toEqual([after + 1, after + 2, after + 3]);
  });

  test('Share one read if they come at the same time, and none gets an entry twice', async () => {
    const after = await end();
    const read = () => tailOf(reading).open({ isPatient: false }).read(after);
    await read();
    await say();
    const written = Array.from({ length: (await end()) - after }, (_, n) => after + 1 + n);
    looks = 0;
    const together = await Promise.all([read(), read(), read()]);
    expect(looks).toBe(1);
    for (const entries of [...together, await read()])
      expect(entries.map(({ position }) => position)).toEqual(written);
  });

  test('Get a message in its state after an edit that they have read', async () => {
    const after = await end();
    const messageId = await say('before');
    const read = () => tailOf(reading).open({ isPatient: false }).read(after);
    const contentIn = (entries: Awaited<ReturnType<typeof read>>) =>
      entries.find(({ position }) => position === messageId)?.message?.content;
    expect(contentIn(await read())).toBe('before');
    await ada.patch(`/messages/${messageId}`, { content: 'after' });
    expect(contentIn(await read())).toBe('after');
  });
});
