import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dollarsOf } from '#infra/prices.ts';
import { percentile } from '../report.ts';
import { breakEvenPeople, monthlyBill, restDollars, services, toMeasuredTeam, totalOf } from './costs.ts';
import { COSTS_PAGE, describeCosts } from './costs-page.ts';
import { hourDollars, toLedger } from './ledger.ts';
import { CHECK, readMeasured, sampleTeam } from './measure-costs.ts';
import { dollars } from './tables.ts';
import { ASSUMED_SOCKET, idleWaiting, monthBy, monthOfWaiting, ways } from './transports.ts';
import { toWaiting } from './waiting.ts';

const sample = await sampleTeam(CHECK);
const waiting = toWaiting(await sampleTeam({ ...CHECK, isShared: true }));
const ledger = toLedger(sample);
const eachOf = (what: string) => ledger.lines.find((line) => line.what === what)?.each;

test('A message of 200 characters costs in a busy hour the same as alone', () => {
  expect(eachOf('channel message')?.write).toBe(5);
  // Half a unit says whether the topic is new, to a function that has not seen it within a minute.
  expect(eachOf('channel message')?.read).toBeGreaterThanOrEqual(3.5);
  expect(eachOf('channel message')?.read).toBeLessThanOrEqual(4);
  expect(eachOf('direct message')).toMatchObject({ write: 5, read: 3.5 });
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
])('In a busy hour %s costs at most %d write and %d read units', (what, write, read) => {
  const each = eachOf(what);
  expect(each?.write).toBeLessThanOrEqual(write);
  expect(each?.read).toBeLessThanOrEqual(read);
});

test('A client that is connected in a busy hour reads for less than a third of the cost of waiting', () => {
  const { client } = ledger;
  expect(dollarsOf(client)).toBeLessThan(client.holdDollars / 3);
  // Each poll that waits takes a slot of its account.
  expect(client.write).toBeLessThanOrEqual(client.polls + 2 * 60);
});

test('Messages of a busy hour wait for a look a second at most', () => {
  expect(sample.polls.waitedMs.length).toBeGreaterThan(0);
  expect(percentile(sample.polls.waitedMs, 1)).toBeLessThanOrEqual(1_000);
});

test('Copying each event to every live queue would take more than twice as much to write', () => {
  // Polls would write the same.
  const byPolls = ledger.client.write * ledger.clients;
  expect(ledger.copying.write - byPolls).toBeGreaterThan(2 * (ledger.units.write - byPolls));
  expect(ledger.copying.capacityDollars).toBeGreaterThan(0);
  expect(hourDollars(ledger)).toBeGreaterThan(dollarsOf(ledger.units));
});

test('The page docs/costs.md has the last measurement at current prices; `npm run docs` writes it', () => {
  expect(readFileSync(COSTS_PAGE, 'utf8')).toBe(describeCosts(readMeasured()));
});

test('The last measurement for docs/costs.md equals a new one; `npm run bench -- costs` measures again', () => {
  const measured = readMeasured();
  const now = { ...toMeasuredTeam(ledger, CHECK.people), waiting };
  const unitsOf = ({ lines }: typeof now) =>
    lines.map(({ what, timesAnHour, readUnits, writeUnits, gbSeconds }) => [
      what.replace(/[\d.]+ s/, ''),
      ...[timesAnHour, readUnits, writeUnits, gbSeconds].map((value) => Number(value.toPrecision(2))),
    ]);
  expect(unitsOf(now)).toEqual(unitsOf(measured.check));
  // Polls of one process run at once, so their order is not always the same.
  for (const what of ['entries', 'polls', 'texts', 'readUnits', 'writeUnits'] as const) {
    const share = now.waiting[what] / measured.check.waiting[what];
    expect(share, what).toBeGreaterThan(0.8);
    expect(share, what).toBeLessThan(1.25);
  }
  const month = (team: typeof now) => totalOf(monthlyBill(measured, team, 176));
  expect(month(now) / month(measured.check)).toBeCloseTo(1, 2);
});

test('Waiting at a socket costs least, and the README names the bill of a team of 50', () => {
  const measured = readMeasured();
  for (const team of measured.teams) {
    const [bySocket, byFunction, byWebFunction] = ways.map((way) =>
      monthOfWaiting(measured, team, { way, hours: 176 }),
    ) as [number, number, number];
    expect(bySocket).toBeLessThan(byWebFunction);
    expect(byWebFunction).toBeLessThan(byFunction);
  }
  const team = measured.teams[1]!;
  const readme = readFileSync('README.md', 'utf8');
  for (const way of ['socket', 'function'] as const)
    expect(readme).toContain(`costs ${dollars(monthBy(measured, team, { way, hours: 176 }))}`);
});

test('A client of a team of 50 waits for at most $1.30 in a month of 176 hours, by a function for each poll', () => {
  const measured = readMeasured();
  const team = measured.teams.find(({ people }) => people === 50)!;
  const month = monthOfWaiting(measured, team, { way: 'function', hours: 176 });
  expect(month / team.clients).toBeLessThanOrEqual(1.3);
});

test('At rest a deployment costs at most $0.40 a month at list prices, and $0.05 beyond the permanent free tier', () => {
  const measured = readMeasured();
  const [first] = measured.teams;
  const { atListPrice, beyondFree, storage } = restDollars(measured, first!);
  expect(atListPrice).toBeLessThanOrEqual(0.4);
  expect(beyondFree).toBeLessThanOrEqual(0.05);
  expect(storage).toBeLessThanOrEqual(0.1);
});

test('Idle sockets cost their connections, pings and returns, and no reads', () => {
  const hour = idleWaiting(readMeasured(), 1_000, 'socket');
  const { opensPerHour, visitUnits } = ASSUMED_SOCKET;
  expect(hour.capacity).toBeCloseTo(1_000 * opensPerHour * dollarsOf(visitUnits), 9);
  expect(hour.requests).toBeLessThan(0.05);
});

test('A month is billed for its requests, for its storage, and for clients that only wait', () => {
  const measured = readMeasured();
  for (const team of measured.teams) {
    const office = monthlyBill(measured, team, 176);
    const always = monthlyBill(measured, team, 730);
    for (const service of services) expect(always[service], service).toBeGreaterThanOrEqual(office[service]);
    // 554 hours of an execution of 128 MB for each client, which costs $0.006 an hour.
    expect(always.Lambda - office.Lambda).toBeGreaterThan(team.clients * 554 * 0.006);
    expect(always['DynamoDB storage']).toBe(office['DynamoDB storage']);
    expect(always.S3).toBe(office.S3);
  }
  expect(breakEvenPeople(measured, 730)).toBeLessThan(breakEvenPeople(measured, 176));
});
