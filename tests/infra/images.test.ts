import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { crc32, deflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { vipsImages } from '#shared/adapters/images.ts';
import { BadImage } from '#shared/domain/errors.ts';
import type { PictureShape } from '#shared/domain/pictures/fit.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { lookAt, makePicture } from '#tests/harness/pictures.ts';
import { ROOT } from './root.ts';

/** The shapes of the service: avatars, icons, logos, emoji, and pictures in messages. */
const SHAPES: PictureShape[][] = [
  [
    { width: 100, height: 100, fit: 'cover' },
    { width: 500, height: 500, fit: 'cover' },
  ],
  [{ width: 800, height: 100, fit: 'inside' }],
  [
    { width: 64, height: 64, fit: 'pad', isAnimated: true },
    { width: 64, height: 64, fit: 'pad' },
  ],
  [{ width: 840, height: 560, fit: 'inside', isSmall: true }],
];

/** Generous: the largest picture that may come takes about a second on an idle machine. */
const CPU_BUDGET_MS = 8_000;
const MEMORY_BUDGET_BYTES = 1024 ** 3;

function chunk(type: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

interface Header {
  width: number;
  height: number;
  /** Whether the pixels that it speaks of follow. */
  isTrue: boolean;
}

/** A black PNG of one bit per pixel: the smallest file for its size. */
function toPng({ width, height, isTrue }: Header): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.writeUInt8(1, 8);
  const rows = isTrue ? Buffer.alloc(height * (1 + Math.ceil(width / 8))) : Buffer.alloc(1);
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

const MAX_PIXELS = 40_000_000;
const side = fc.oneof(
  fc.integer({ min: 1, max: 12_000 }),
  fc.constantFrom(1, 2, 500, 2_000, 5_000, 10_000, 10_001, 2 ** 31 - 1),
);
const header: fc.Arbitrary<Header> = fc
  .record({ width: side, height: side, isTrue: fc.boolean() })
  // A picture that is refused by its header needs no body.
  .map((given) => ({ ...given, isTrue: given.isTrue && given.width * given.height <= MAX_PIXELS }));

async function measured(act: () => Promise<unknown>): Promise<{ cpuMs: number; grownBytes: number }> {
  const before = process.memoryUsage.rss();
  const start = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(start);
  return { cpuMs: (user + system) / 1_000, grownBytes: process.memoryUsage.rss() - before };
}

async function shrink(bytes: Uint8Array, shapes: PictureShape[]) {
  const shrunk = await vipsImages.shrink(bytes, shapes).catch((failure: Error) => failure);
  if (shrunk instanceof Error) {
    expect(shrunk).toBeInstanceOf(BadImage);
    return [];
  }
  return shrunk.pictures;
}

describe('A picture', () => {
  test('With any header is refused or shrunk within a budget of time and memory, in every shape of the service', async () => {
    await vipsImages.shrink(await makePicture(), SHAPES[0] ?? []);
    await fc.assert(
      fc.asyncProperty(header, fc.constantFrom(...SHAPES), async (head, shapes) => {
        const bytes = toPng(head);
        const { cpuMs, grownBytes } = await measured(() => shrink(bytes, shapes));
        expect(cpuMs).toBeLessThan(CPU_BUDGET_MS);
        expect(grownBytes).toBeLessThan(MEMORY_BUDGET_BYTES);
      }),
      { numRuns: 40, seed: 14 },
    );
  });

  test.each([
    [1, 500],
    [1, 2_000],
    [1, 5_000],
    [5_000, 1],
    [1, 10_000],
  ])('With %i × %i pixels fills every shape without being enlarged beyond it', async (width, height) => {
    const bytes = toPng({ width, height, isTrue: true });
    for (const shapes of SHAPES) {
      const { cpuMs } = await measured(async () => {
        const pictures = await shrink(bytes, shapes);
        for (const [index, { fit, width: across, height: down }] of shapes.entries()) {
          const shown = await lookAt(pictures[index]?.bytes ?? new Uint8Array());
          expect(shown.width).toBeLessThanOrEqual(across);
          expect(shown.height).toBeLessThanOrEqual(down);
          if (fit !== 'inside') expect([shown.width, shown.height]).toEqual([across, down]);
        }
      });
      expect(cpuMs).toBeLessThan(CPU_BUDGET_MS / 4);
    }
  });

  test('Stays within the budget frame by frame if it is animated and very tall', async () => {
    const colours = Array.from({ length: 60 }, (_, n): [number, number, number] => [n * 4, 0, 255]);
    for (const kind of ['gif', 'webp'] as const) {
      const bytes = await makePicture({ kind, width: 1, height: 3_000, colours });
      for (const shapes of SHAPES) {
        const { cpuMs, grownBytes } = await measured(() => shrink(bytes, shapes));
        expect(cpuMs).toBeLessThan(CPU_BUDGET_MS);
        expect(grownBytes).toBeLessThan(MEMORY_BUDGET_BYTES);
      }
    }
  });

  test('Delays nothing else while it is processed', async () => {
    const bytes = toPng({ width: 6_000, height: 6_000, isTrue: true });
    let turns = 0;
    let isDone = false;
    const looking = shrink(bytes, SHAPES[0] ?? []).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await nextTurn();
      turns++;
    }
    await looking;
    expect(turns).toBeGreaterThan(10);
  });

  test('Waits for its turn with a few others; more are refused until there is room', async () => {
    const bytes = await makePicture();
    const all = await Promise.allSettled(
      Array.from({ length: 40 }, () => vipsImages.shrink(bytes, SHAPES[3] ?? [])),
    );
    const refused = all.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBe(24);
    for (const one of refused) expect(one).toMatchObject({ reason: { code: 'RATE_LIMIT_HIT' } });
    expect((await vipsImages.shrink(bytes, SHAPES[3] ?? [])).pictures).toHaveLength(1);
  });
});

describe('The thread that processes pictures', () => {
  /** Replaces the thread, and does as the picture says. */
  const THREAD = `
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', ({ bytes }) => {
      const picture = Buffer.from(bytes).toString();
      if (picture === 'kills') throw new Error('The thread has died');
      if (picture === 'hangs') for (;;);
      if (picture === 'spoils') return parentPort.postMessage({ refusal: 'Too much', isSpoilt: true });
      if (picture === 'is wrong') return parentPort.postMessage({ refusal: 'Wrong', isSpoilt: false });
      parentPort.postMessage({ shrunk: threadId });
      if (picture === 'ends') process.exit();
    });`;

  /**
   * The results for pictures that all come at once, and for one more when the thread has ended: its number, or the
   * reason of a failure.
   */
  async function outcomesOf(pictures: string[]): Promise<(number | string)[]> {
    const folder = temporaryFolder('thread');
    const file = join(folder, 'thread.mjs');
    writeFileSync(file, THREAD);
    const script = `
      import { vipsImages } from '#shared/adapters/images.ts';
      const pictures = ${JSON.stringify(pictures)};
      const { timeout } = AbortSignal;
      let turn = 0;
      AbortSignal.timeout = (ms) => timeout.call(AbortSignal, pictures[turn++] === 'hangs' ? ms / 1000 : ms);
      const shrink = (picture) => vipsImages.shrink(Buffer.from(picture), []).catch(({ message }) => message);
      let ended;
      process.on('worker', (thread) => {
        ended = new Promise((resolve) => thread.once('exit', resolve));
      });
      const outcomes = await Promise.all(pictures.map(shrink));
      // An idle thread does not keep the process alive until it has ended.
      const waiting = setInterval(() => {}, 1_000);
      await ended;
      clearInterval(waiting);
      console.log(JSON.stringify([...outcomes, await shrink('')]));`;
    const args = ['--input-type=module', '--eval', script];
    const env = { ...process.env, IMAGE_WORKER: file };
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
    return JSON.parse(stdout);
  }

  test('Gets replaced after a picture that kills, blocks or corrupts it, and after it ended by itself', async () => {
    const pictures = ['', '', 'kills', '', 'is wrong', 'hangs', '', 'spoils', 'ends'];
    expect(await outcomesOf(pictures)).toEqual([
      1,
      1,
      'The thread has died',
      2,
      'Wrong',
      'Image size exceeds limit',
      3,
      'Too much',
      4,
      5,
    ]);
  });
});
