import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyArchive } from '#infra/backup/archive/reader.ts';
import type { OpenSource, Source } from '#infra/backup/places/place.ts';
import { toLine } from '#infra/backup/table-items.ts';
import { back, Crash, linesOf } from './fixture.ts';

/** A place in which there is nothing. */
const EMPTY: OpenSource = {
  asOf: '2026-05-04T10:00:00.000Z',
  itemsAbout: 0,
  async *items() {},
  async *files() {},
  secret: async () => undefined,
  close: async () => undefined,
  forget: async () => undefined,
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'team-chat-place-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const inFolder = (name: string): string => join(folder, name);

test('a backup holds each item, also where a part of it has a single one', async () => {
  const to = inFolder('single.tar');
  const single = ['1', '2', '3'].map((sk) =>
    toLine({ pk: { S: 'a' }, sk: { S: sk }, text: { S: 'x'.repeat(15_000) } }),
  );
  const place: Source = {
    name: 'a place',
    open: async () => ({
      ...EMPTY,
      async *items() {
        yield { lines: single.slice(0, 2), after: 1 };
        yield { lines: single.slice(2), after: 2 };
      },
    }),
  };
  expect(await back('', to, { source: place })).toMatchObject({ items: 3, files: 0 });
  expect(await linesOf(to)).toEqual(single);
});

test.each([
  ['a hundred files', Array.from({ length: 102 }, () => 0), 101, 100],
  ['a file of 32 MiB', [0, 32, 0, 0], 3, 2],
])('a backup goes on behind %s that it has copied', async (_what, mebibytes, copied, saved) => {
  const to = inFolder(`${copied}.tar`);
  const names = mebibytes.map((_, index) => `f${String(index + 1).padStart(3, '0')}`);
  const begunAfter: (string | undefined)[] = [];
  const place: Source = {
    name: 'a place',
    open: async () => ({
      ...EMPTY,
      async *files(after = '') {
        begunAfter.push(after);
        for (const [index, name] of names.entries()) {
          const count = mebibytes[index] ?? 0;
          const read = async function* () {
            for (let left = count; left > 0; left--) yield Buffer.alloc(2 ** 20, left);
          };
          if (name > after) yield { name, size: count * 2 ** 20, read };
        }
      },
    }),
  };
  const last = names[copied - 1];
  const crashing = back('', to, {
    source: place,
    onStep({ note }) {
      if (note === last) throw new Crash();
    },
  });
  await expect(crashing).rejects.toThrow(Crash);
  expect(await back('', to, { source: place })).toMatchObject({ items: 0, files: names.length });
  expect(begunAfter).toEqual(['', names[saved - 1]]);
  expect((await verifyArchive(to, () => undefined)).ending.files).toBe(names.length);
});

test('a backup tells its place how far it came, also where the process ends before it reads an item', async () => {
  const to = inFolder('interrupted.tar');
  const opened: unknown[] = [];
  const interrupted: Source = {
    name: 'a place',
    async open(_id, saved, save) {
      opened.push(saved);
      await save({ run: opened.length });
      throw new Crash();
    },
  };
  for (let run = 0; run < 3; run++)
    await expect(back('', to, { source: interrupted })).rejects.toThrow(Crash);
  expect(opened).toEqual([undefined, { run: 1 }, { run: 2 }]);
});
