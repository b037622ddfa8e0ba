import { describe, expect, test } from 'vitest';
import { Conflict, commit, unlessConflict } from '#shared/log/commit.ts';
import { seal } from '#shared/log/read.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findEntry, listEntries, readCounter } from '#shared/store/log/log.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import { TransactionCanceled } from '#shared/table/table.ts';
import { eventFor, messageFor, numbersOf, withCalls } from '#tests/harness/log.ts';
import { createUser, drainMessages } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const { services } = service;
const ada = await createUser(service, 'Ada');

/** The same services for a writer whose first positions are sealed before it writes. */
function lateFor(times: number): Services {
  let sealed = 0;
  return withCalls(services, (table) => ({
    increment: async (key, attribute) => {
      const position = await table.increment(key, attribute);
      if (sealed++ < times) await seal(services, position);
      return position;
    },
  }));
}

const markerKey = (name: string) => ({ pk: `TEST#${name}`, sk: 'TEST' });

describe('Appending', () => {
  test('Gives every change a position of its own, without gaps, however many write at once', async () => {
    const before = await readCounter(services.table);
    const numbers = Array.from({ length: 30 }, (_, index) => index);
    const queue = await ada.listen();
    const positions = await Promise.all(
      numbers.map((number) => commit(services, eventFor(ada.userId, number))),
    );
    expect([...positions].sort((a, b) => a - b)).toEqual(numbers.map((number) => before + 1 + number));
    const inLog = [...numbers].sort((a, b) => (positions[a] ?? 0) - (positions[b] ?? 0));
    expect(numbersOf(await queue.drain())).toEqual(inLog);
  });

  test('Gives a message its position as its id', async () => {
    const queue = await ada.listen();
    const position = await commit(services, await messageFor(services, ada.userId, 'hi'));
    expect(await drainMessages(queue)).toMatchObject([{ id: position, content: 'hi' }]);
  });

  test('Keeps messages for ever, and events a day longer than the longest queue', async () => {
    const message = await commit(services, await messageFor(services, ada.userId, 'hi'));
    const event = await commit(services, eventFor(ada.userId, 1));
    const nowSeconds = services.clock.nowMs() / 1000;
    expect(await services.table.find(logKeys.entry(message))).not.toHaveProperty('expiresAtSeconds');
    const entry = await services.table.find(logKeys.entry(event));
    expect(entry?.expiresAtSeconds).toBeGreaterThan(nowSeconds + 7 * 24 * 3600);
  });

  test('Stores state and event together, or neither', async () => {
    const queue = await ada.listen();
    const change = (number: number) => ({
      ...eventFor(ada.userId, number),
      writes: [
        {
          kind: 'put' as const,
          item: { ...markerKey('together'), number },
          condition: { exists: false },
        },
      ],
    });
    await commit(services, change(1));
    await expect(commit(services, change(2))).rejects.toThrow(Conflict);
    await commit(services, eventFor(ada.userId, 3));
    expect(numbersOf(await queue.drain())).toEqual([1, 3]);
    expect(await services.table.find(markerKey('together'))).toMatchObject({ number: 1 });
  });
});

describe('A writer', () => {
  test('Fails as reported if its transaction is canceled for an unknown reason, and leaves no hole', async () => {
    const before = await readCounter(services.table);
    const canceled = new TransactionCanceled([], false);
    const refused = withCalls(services, () => ({ transact: () => Promise.reject(canceled) }));
    const writes = [{ kind: 'put' as const, item: { ...markerKey('canceled') } }];
    await expect(commit(refused, { ...eventFor(ada.userId, 1), writes })).rejects.toBe(canceled);
    expect(await findEntry(services.table, before + 1)).toMatchObject({ events: [] });
    expect(await services.table.find(markerKey('canceled'))).toBeUndefined();
  });

  test('Takes a new position if its own was sealed, and its change exists once', async () => {
    const queue = await ada.listen();
    const before = await readCounter(services.table);
    const position = await commit(lateFor(2), await messageFor(services, ada.userId, 'late'));
    expect(position).toBe(before + 3);
    expect(await drainMessages(queue)).toMatchObject([{ id: position, content: 'late' }]);
  });

  test('Takes a new position, with everything that belongs to it, if its transaction comes late', async () => {
    const queue = await ada.listen();
    const position = await commit(lateFor(1), {
      ...eventFor(ada.userId, 7),
      writes: (at) => [{ kind: 'put', item: { ...markerKey('late'), at } }],
    });
    expect(await services.table.find(markerKey('late'))).toMatchObject({ at: position });
    expect(numbersOf(await queue.drain())).toEqual([7]);
  });

  test('Sends no two transactions under one token, or DynamoDB would take the second for the first', async () => {
    const tokens: string[] = [];
    const late = withCalls(lateFor(1), (table) => ({
      transact: (writes, token) => {
        tokens.push(token);
        return table.transact(writes, token);
      },
    }));
    await commit(late, { ...eventFor(ada.userId, 8), writes: [{ kind: 'put', item: markerKey('token') }] });
    expect(tokens).toHaveLength(2);
    expect(new Set(tokens).size).toBe(2);
  });

  test('Finds its entry if it never got the reply to its put', async () => {
    const queue = await ada.listen();
    const deaf = withCalls(services, (table) => ({
      write: async (write) => {
        await table.write(write);
        throw new Error('The connection was lost');
      },
    }));
    const position = await commit(deaf, await messageFor(services, ada.userId, 'once'));
    expect(await drainMessages(queue)).toMatchObject([{ id: position, content: 'once' }]);
  });

  test('Recognizes its own entry if the client library sent its put twice', async () => {
    const queue = await ada.listen();
    const stubborn = withCalls(services, (table) => ({
      write: async (write) => {
        await table.write(write);
        await table.write(write);
      },
    }));
    const position = await commit(stubborn, await messageFor(services, ada.userId, 'again'));
    expect(await drainMessages(queue)).toMatchObject([{ id: position, content: 'again' }]);
  });

  test('Finds its entry if it never got the reply to its transaction', async () => {
    const queue = await ada.listen();
    const deaf = withCalls(services, (table) => ({
      transact: async (writes, token) => {
        await table.transact(writes, token);
        throw new Error('The connection was lost');
      },
    }));
    const write = { kind: 'put' as const, item: { ...markerKey('deaf') }, condition: { exists: false } };
    await commit(deaf, { ...eventFor(ada.userId, 9), writes: [write] });
    expect(numbersOf(await queue.drain())).toEqual([9]);
  });

  test('Leaves no hole if it fails', async () => {
    const broken = withCalls(services, () => ({
      transact: async () => {
        throw new Error('The table is gone');
      },
    }));
    const writes = [{ kind: 'put' as const, item: markerKey('broken') }];
    await expect(commit(broken, { ...eventFor(ada.userId, 1), writes })).rejects.toThrow('The table is gone');
    const position = await readCounter(services.table);
    expect(await findEntry(services.table, position)).toMatchObject({ position, events: [] });
    const [entry] = await listEntries(services.table, position, position);
    expect(entry?.message).toBeUndefined();
    expect(await services.table.find(markerKey('broken'))).toBeUndefined();
  });
});

test('Repeatable work is left to a later run if the state has changed; other failures are rethrown', async () => {
  const failWith = (failure: Error) => () => Promise.reject(failure);
  await unlessConflict(failWith(new Conflict()));
  await expect(unlessConflict(failWith(new Error('The table is gone')))).rejects.toThrow('The table is gone');
});
