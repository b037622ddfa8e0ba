import { beforeAll, expect, test } from 'vitest';
import { type Sample, sampleHour } from './hour.ts';
import { hourDollars, type Ledger, toLedger } from './ledger.ts';
import { dollarsOf } from './prices.ts';
import { percentile } from './report.ts';
import { startBenchService } from './service.ts';

let sample: Sample;
let ledger: Ledger;
beforeAll(async () => {
  const service = await startBenchService({ requestsPerMinute: 200 });
  try {
    sample = await sampleHour(service, { minutes: 1, watched: 2 });
  } finally {
    await service.stop();
  }
  ledger = toLedger(sample);
}, 120_000);
const eachOf = (what: string) => ledger.lines.find((line) => line.what === what)?.each;

test('a message of 200 characters costs in the middle of a busy hour what it costs alone', () => {
  expect(eachOf('channel message')?.write).toBe(5);
  // Half a unit says whether the topic is new, to a function that has not seen it within a minute.
  expect(eachOf('channel message')?.read).toBeGreaterThanOrEqual(3.5);
  expect(eachOf('channel message')?.read).toBeLessThanOrEqual(4);
  expect(eachOf('direct message')).toEqual({ write: 5, read: 3.5 });
});

test.each([
  ['typing notice, start or stop', 2, 4],
  ['marking messages as read', 5, 20],
  ['presence report', 1, 6],
  ['new draft', 8, 5],
  ['edited draft', 7, 6],
  ['deleted draft', 7, 4],
  ['page of 50 messages', 0, 16],
  ['register', 2, 45],
])('in a busy hour %s costs at most %d write and %d read units', (what, write, read) => {
  const each = eachOf(what);
  expect(each?.write).toBeLessThanOrEqual(write);
  expect(each?.read).toBeLessThanOrEqual(read);
});

test('a client that is connected in a busy hour reads for less than a quarter of what its waiting costs', () => {
  const { client } = ledger;
  expect(dollarsOf(client)).toBeLessThan(client.holdDollars / 4);
  // Each poll that waits takes a slot of its account.
  expect(client.write).toBeLessThanOrEqual(client.polls + 2 * 60);
});

test('messages of a busy hour wait for a look a second at most', () => {
  expect(sample.polls.waitedMs.length).toBeGreaterThan(0);
  expect(percentile(sample.polls.waitedMs, 1)).toBeLessThanOrEqual(1_000);
});

test('copying each event to every live queue would take more than twice as much to write', () => {
  // Polls would write the same.
  const byPolls = ledger.client.write * ledger.clients;
  expect(ledger.copying.write - byPolls).toBeGreaterThan(2 * (ledger.units.write - byPolls));
  expect(ledger.copying.capacityDollars).toBeGreaterThan(0);
  expect(hourDollars(ledger)).toBeGreaterThan(dollarsOf(ledger.units));
});
