import { expect, test } from 'vitest';
import { BadEventQueueId, RateLimitHit } from '#shared/domain/errors.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { readSettledState } from '#shared/exports/settled-state.ts';
import { commit } from '#shared/log/commit.ts';
import { withCountsOfThen } from '#shared/queues/deferred-counts.ts';
import { leasePoll } from '#shared/queues/poll-lease.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { learnUserAt } from '#shared/store/users/earlier-user.ts';
import { getUser } from '#shared/store/users/users.ts';
import { Throttled } from '#shared/table/table.ts';
import { logEvent } from '#tests/harness/any-event.ts';
import { takePosition, withCalls } from '#tests/harness/log.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const { services } = service;
const ada = await createUser(service, 'Ada');

test('Earlier subscriber counts are tried 25 times while people join and leave, and then the client gets 429', async () => {
  const position = await readCounter(services.table);
  const arrival: LogEvent = {
    audience: { kind: 'everyone' },
    payload: { type: 'subscription', op: 'peer_add', stream_ids: [1], user_ids: [ada.userId] },
  };
  let loads = 0;
  const load = async () => {
    loads++;
    await commit(services, { events: [arrival] });
    return {};
  };
  const counted = withCountsOfThen(services, { position, ownerId: service.owner.userId }, load);
  await expect(counted).rejects.toEqual(new RateLimitHit(1));
  expect(loads).toBe(25);
});

test('The state for an export is read 200 times while a change is behind a hole, and then retried later', async () => {
  await takePosition(services);
  await ada.patch('/settings', { web_font_size_px: 20 });
  let pauses = 0;
  const nowMs = services.clock.nowMs();
  const clock = { nowMs: () => nowMs, sleep: async () => void pauses++ };
  const reading = readSettledState({ ...services, clock }, 'full_without_consent');
  await expect(reading).rejects.toThrow(Throttled);
  expect(pauses).toBe(200);
});

test('Earlier groups are tried 10 times while groups change, and then the client registers again', async () => {
  const { table } = services;
  const { body } = await ada.post('/user_groups/create', { name: 'some', description: '', members: [] });
  const user = await getUser(table, ada.userId);
  const later: LogEvent[] = [];
  let looks = 0;
  const listLater = async () => {
    looks++;
    later.push(logEvent({ type: 'user_group', op: 'update' }));
    return [...later];
  };
  const learnt = learnUserAt(table, user, [body.group_id], { position: 1, later: [], listLater });
  await expect(learnt).rejects.toThrow(BadEventQueueId);
  expect(looks).toBe(10);
});

test('A slot for a poll is tried 10 times while other polls take theirs, and then the poll gets 429', async () => {
  const user = await getUser(services.table, ada.userId);
  let others = 0;
  const busy = withCalls(services, (table) => ({
    write: async (write) => {
      others++;
      await leasePoll(services, user, { queueId: `other ${others}`, lastEventId: 0, holdMs: 1_000 });
      await table.write(write);
    },
  }));
  // All of them take the first place that is free.
  const alike = { ...busy, ids: { ...busy.ids, fraction: () => 0 } };
  services.ids.fraction = () => 0;
  const leased = leasePoll(alike, user, { queueId: 'late', lastEventId: 0, holdMs: 1_000 });
  await expect(leased).rejects.toEqual(new RateLimitHit(1));
  expect(others).toBe(10);
});
