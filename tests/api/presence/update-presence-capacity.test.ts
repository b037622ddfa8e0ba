import { describe, expect, test } from 'vitest';
import { presenceChunkOf } from '#shared/table/keys/key.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { ping, secondsOf } from './presences.ts';

const PEOPLE = 10_000;

const service = await startTestService();
const ada = await createUser(service, 'Ada');
await populate();

/** As if this many others, with ids of six digits, had been there an hour ago. */
async function populate(): Promise<void> {
  const stored = `${secondsOf(service) - 4_000} ${secondsOf(service) - 3_600}`;
  const chunks = new Map<number, Record<string, string>>();
  for (let userId = 200_000; userId < 200_000 + PEOPLE; userId++) {
    const chunk = presenceChunkOf(userId);
    chunks.set(chunk, { ...chunks.get(chunk), [`u${userId}`]: stored });
  }
  for (const [chunk, presences] of chunks)
    await service.services.table.write({ kind: 'put', item: { ...userKeys.presences(chunk), ...presences } });
}

const costOf = (call: () => Promise<unknown>) => unitsOf(service, call);
const costOfPing = () => costOf(() => ping(ada, { ping_only: true }));

describe('A presence report', () => {
  test('Costs one write unit and four read units, and no entry of the log', async () => {
    await ping(ada, { ping_only: true });
    const queue = await ada.register({ fetch_event_types: [] });
    service.advance(60_000);
    expect(await costOfPing()).toEqual({ read: 4, write: 1 });
    expect(await queue.drain()).toEqual([]);
    const position = await service.services.table.find(organizationKeys.counter('log'));
    service.advance(60_000);
    await ping(ada, { ping_only: true });
    expect(await service.services.table.find(organizationKeys.counter('log'))).toEqual(position);
  });

  test('Writes nothing if it changes nothing', async () => {
    await ping(ada, { ping_only: true });
    expect(await costOfPing()).toEqual({ read: 3, write: 0 });
  });

  test('Costs one write unit in the largest item, with the longest possible ids', async () => {
    const chunk = presenceChunkOf(ada.userId);
    const others = Array.from({ length: 32 }, (_, n) => [`u${999_000 + n}`, '1800000000 1800000000']);
    const item = { ...userKeys.presences(chunk), ...Object.fromEntries(others.slice(1)) };
    await service.services.table.write({ kind: 'put', item });
    await ping(ada, { ping_only: true });
    service.advance(60_000);
    expect((await costOfPing()).write).toBe(1);
  });

  test('Costs five write units if the user returns to few others', async () => {
    const small = await startTestService();
    const cy = await createUser(small, 'Cy');
    expect((await unitsOf(small, () => ping(cy, { ping_only: true }))).write).toBe(5);
  });

  test('Costs half the price of a full list if it continues from an id', async () => {
    const { presence_last_update_id } = await ping(ada, { last_update_id: -1 });
    const { read } = await costOf(() => ping(ada, { last_update_id: presence_last_update_id }));
    expect(read).toBeLessThanOrEqual(3 + 40);
  });
});

describe('Presence of 10 000 people', () => {
  test('Costs them nothing if one returns, with one write unit and eight read units', async () => {
    const queue = await ada.register({ fetch_event_types: [] });
    service.advance(300_000);
    expect(await costOfPing()).toEqual({ read: 8, write: 1 });
    expect(await queue.drain()).toEqual([]);
  });

  test('Costs less than 80 read units for a list', async () => {
    const { read, write } = await costOf(() => ping(ada, { slim_presence: true }));
    expect(read).toBeLessThanOrEqual(80);
    expect(read).toBeGreaterThan(60);
    expect(write).toBeLessThanOrEqual(1);
  });

  test('Keeps register within twice its bytes / 8 KB and 15 read units', async () => {
    let bytes = 0;
    const { read } = await costOf(async () => {
      const { snapshot } = await ada.register({ slim_presence: true, fetch_event_types: ['presence'] });
      expect(Object.keys(snapshot.presences).length).toBeGreaterThanOrEqual(PEOPLE);
      bytes = JSON.stringify(snapshot).length;
    });
    expect(read).toBeLessThanOrEqual((2 * bytes) / 8_192 + 15);
  });
});
