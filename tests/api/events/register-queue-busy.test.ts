import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createStoppableClock } from '#infra/local/stoppable-clock.ts';
import { commit } from '#shared/log/commit.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Table } from '#shared/table/table.ts';
import { eventFor } from '#tests/harness/log.ts';
import { startTestService } from '#tests/harness/service.ts';
import { tableWith } from '#tests/harness/table/table-with.ts';
import { openTestTable } from '#tests/harness/table/test-table.ts';

/** The user for whom an event is committed whenever the end of the log is read. */
let busyUserId: number | undefined;

const findAfterEvent: Table['find'] = async (key: Key, options) => {
  if (busyUserId !== undefined && key.pk === organizationKeys.counter('log').pk) {
    // Like another process, which does not report its entries here.
    const { appends: _, ...others } = service.services;
    await commit({ ...others, table: plain }, eventFor(busyUserId, 1));
  }
  return plain.find(key, options);
};

const plain = await openTestTable();
const busy = tableWith(plain, { find: findAfterEvent });
const clock = Object.assign(createStoppableClock(), { sleep: () => nextTurn() });
const service = await startTestService({}, { openTable: () => busy, clock });

test('Registering returns 429 if the state of the caller changes during every attempt', async () => {
  busyUserId = service.owner.userId;
  const reply = await service.owner.post('/register');
  busyUserId = undefined;
  expect(reply).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_HIT', 'retry-after': 1 } });
  expect((await service.owner.post('/register')).status).toBe(200);
});
