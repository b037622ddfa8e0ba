import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const read = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');

/** A sentence of a page, with the figure in the parentheses, and the constant that decides. */
const figures: [page: string, says: RegExp, file: string, constant: RegExp, factor?: number][] = [
  ['architecture', /handler runs again, up to (\d+) times/, 'log/commit', /FRESH_STATE_ATTEMPTS = (\d+)/],
  ['architecture', /same transaction again, up to (\d+) times/, 'log/commit', /CONFLICT_RETRIES = (\d+)/],
  ['architecture', /begin again \((\d+) attempts/, 'snapshot/snapshot', /ATTEMPTS = (\d+)/],
  ['architecture', /Within the last (\d+) positions of a block/, 'log/read', /BLOCK_EDGE = (\d+)/],
  ['architecture', /passed (\d+) positions or more/, 'queues/queue', /POSITIONS_WORTH_A_WRITE = (\d+)/],
  ['architecture', /none, (\d+) s held/, 'runtime/config', /pollHoldMs: ([\d_]+)/, 1000],
  ['architecture', /last heartbeat ≥ (\d+) s/, 'runtime/config', /heartbeatIntervalMs: ([\d_]+)/, 1000],
  ['architecture', /44 younger than (\d+) s/, 'runtime/config', /sealGraceMs: ([\d_]+)/, 1000],
  ['architecture', /older than (\d+) minutes/, 'runtime/config', /jobRetryMs: ([\d_]+)/, 60_000],
  ['architecture', /heartbeats begin at n = (\d+)/, 'events/event-id', /FIRST_HEARTBEAT = (\d+)/],
  ['architecture', /([\d ]+) positions an event/, 'queues/marked-all', /POSITIONS_PER_EVENT = ([\d_]+)/],
  ['data-model', /position div (\d+), 7 digits/, 'table/keys/log', /POSITIONS_PER_BLOCK = (\d+)/],
];

const numberIn = (file: string, pattern: RegExp): number =>
  Number(pattern.exec(read(file))?.[1]?.replaceAll(/[ _]/g, ''));

it.each(figures)(
  'docs/%s.md has the figure of the code: %s in shared/%s.ts',
  (page, says, file, constant, factor = 1) => {
    expect(numberIn(`docs/${page}.md`, says) * factor).toBe(numberIn(`shared/${file}.ts`, constant));
  },
);

it.each(['architecture', 'data-model'])('The page docs/%s.md repeats no line', (page) => {
  const lines = read(`docs/${page}.md`)
    .split('\n')
    .filter((line) => /[a-z]{3}/.test(line) && !/^\| (item|what|terms|[a-z ]+ \| what it)/.test(line));
  expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([]);
});
