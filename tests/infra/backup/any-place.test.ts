import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { itemsName } from '#infra/backup/archive/format.ts';
import { verifyArchive } from '#infra/backup/archive/reader.ts';
import { backUp } from '#infra/backup/back-up.ts';
import { type OpenSource, type Source, SourceMoved } from '#infra/backup/places/place.ts';
import { toLine } from '#infra/backup/raw-items.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { back, Crash, contentsOf, ignoreSteps, linesOf } from './fixture.ts';

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

const folder = temporaryFolder('place');
const inFolder = (name: string): string => join(folder, name);

test('A backup holds every item, also if a part of the table has only one', async () => {
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

const MEBIBYTE = 2 ** 20;
test.each([
  ['a hundred files', Array.from({ length: 202 }, () => 0), 199, 100],
  ['files of 32 MiB', [32 * MEBIBYTE - 1, 1, 0, 0], 3, 2],
])('A backup continues after %s that it has copied', async (_what, sizes, copied, saved) => {
  const to = inFolder(`${copied}.tar`);
  const names = sizes.map((_, index) => `f${String(index + 1).padStart(3, '0')}`);
  const begunAfter: (string | undefined)[] = [];
  const place: Source = {
    name: 'a place',
    open: async () => ({
      ...EMPTY,
      async *files(after = '') {
        begunAfter.push(after);
        for (const [index, name] of names.entries()) {
          const size = sizes[index] ?? 0;
          const read = async function* () {
            for (let left = size; left > 0; left -= MEBIBYTE) yield Buffer.alloc(Math.min(left, MEBIBYTE));
          };
          if (name > after) yield { name, size, read };
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

test('A backup continues after the copied part of the table, and reads no item again', async () => {
  const to = inFolder('parts.tar');
  const begunAfter: unknown[] = [];
  const pages = ['a', 'b', 'c'].map((sk, index) => ({
    lines: [toLine({ pk: { S: 'x'.repeat(20_000) }, sk: { S: sk } })],
    after: index + 1,
  }));
  const place: Source = {
    name: 'a place',
    open: async () => ({
      ...EMPTY,
      async *items(after: unknown = 0) {
        begunAfter.push(after);
        yield* pages.slice(after as number);
      },
      async *files() {
        yield { name: 'f', size: 0, async *read() {} };
      },
    }),
  };
  const crashAfter = (what: string, count: number) =>
    back('', to, {
      source: place,
      onStep({ doing, done }) {
        if (doing === what && done === count) throw new Crash();
      },
    });
  await expect(crashAfter('Items', 2)).rejects.toThrow(Crash);
  await expect(crashAfter('Files', 1)).rejects.toThrow(Crash);
  expect(await back('', to, { source: place })).toMatchObject({ items: 3, files: 1 });
  expect(begunAfter).toEqual([0, 2]);
  expect(await linesOf(to)).toEqual(pages.flatMap(({ lines }) => lines));
});

test('A part of the table has four mebibytes before compression, unless a page is larger', async () => {
  const to = inFolder('mebibytes.tar');
  const lines = ['a', 'b', 'c', 'd'].map((name, index) =>
    name.repeat(index % 2 === 0 ? 4 * MEBIBYTE - 1 : 1),
  );
  const place: Source = {
    name: 'a place',
    open: async () => ({
      ...EMPTY,
      async *items() {
        for (const [after, line] of lines.entries()) yield { lines: [line], after };
      },
    }),
  };
  await backUp({ source: place, to, passphrase: undefined, madeBy: 'test', onStep: ignoreSteps });
  const parts = Object.entries(await contentsOf(to)).map(([name, content]) => {
    const part = gunzipSync(Buffer.from(content, 'base64')).toString();
    return [name, part.length, part.at(0), part.at(-1)];
  });
  expect(parts).toEqual([
    [itemsName(1), 4 * MEBIBYTE, 'a', 'b'],
    [itemsName(2), 4 * MEBIBYTE, 'c', 'd'],
  ]);
});

test('A backup of a place that has changed before anything was saved starts over', async () => {
  const to = inFolder('moved.tar');
  let opened = 0;
  const place: Source = {
    name: 'a place',
    async open() {
      if (++opened === 1) throw new SourceMoved();
      return EMPTY;
    },
  };
  expect(await back('', to, { source: place })).toMatchObject({ items: 0, files: 0 });
  expect(opened).toBe(2);
});

test('A place deletes its backup state once only the complete archive is left, and the backup waits', async () => {
  const to = inFolder('forgotten.tar');
  const happened: unknown[] = [];
  const place: Source = {
    name: 'a place',
    open: async () => ({
      ...EMPTY,
      close: async () => void happened.push('closed'),
      async forget() {
        happened.push(readdirSync(folder).filter((name) => name.startsWith('forgotten')));
        await setImmediate();
        happened.push('forgotten');
      },
    }),
  };
  await back('', to, { source: place });
  expect(happened).toEqual(['closed', ['forgotten.tar'], 'forgotten']);
  await verifyArchive(to);
});

test('A backup stores its progress, also if the process ends before it reads an item', async () => {
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
