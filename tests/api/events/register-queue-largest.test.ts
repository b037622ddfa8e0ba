import { describe, expect, test } from 'vitest';
import type { ReceivedEvent } from '#tests/harness/client.ts';
import { fillOrganization } from '#tests/harness/large-organization.ts';
import { startTestService } from '#tests/harness/service.ts';
import { REQUEST } from '#tests/harness/snapshot/snapshot-consistency.ts';

/** The size limit of a function's answer, as written. */
const MAX_REPLY_BYTES = 6_000_000;

const service = await startTestService();
const ada = await service.createUser('Ada');
const { organization: channels } = service.services.config.channelLimits;
const size = { people: 1_000, channels, subscribed: 50, subscribers: 1_000, groups: 100, members: 500 };
const made = await fillOrganization(service.services, ada.userId, size);

type Entry = Record<string, number>;

const written = (body: unknown): number => Buffer.byteLength(JSON.stringify(JSON.stringify(body)));

describe('An organization with the most and largest channels', () => {
  test('Registers a client without compression, and completes its state by events', async () => {
    const queue = await ada.register(REQUEST);
    expect(written(queue.snapshot)).toBeLessThanOrEqual(MAX_REPLY_BYTES);
    expect(queue.snapshot.subscriptions).toHaveLength(50);
    const events: ReceivedEvent[] = [];
    for (;;) {
      const { status, body } = await queue.poll({ dont_block: true });
      expect(status).toBe(200);
      expect(written(body)).toBeLessThanOrEqual(MAX_REPLY_BYTES);
      if (body.events.length === 0) break;
      events.push(...body.events.filter(({ type }: ReceivedEvent) => type !== 'heartbeat'));
      queue.lastEventId = body.events.at(-1).id;
    }
    const idsIn = (field: string, id: string): number[] =>
      queue.snapshot[field].map((entry: Entry) => entry[id]);
    const added = (type: string, op: string): ReceivedEvent[] =>
      events.filter((event) => event.type === type && event.op === op);
    const users = [
      ...idsIn('realm_users', 'user_id'),
      ...added('realm_user', 'add').map(({ person }) => person.user_id),
    ];
    const channels = [
      ...idsIn('streams', 'stream_id'),
      ...added('stream', 'create').flatMap(({ streams }) => streams.map(({ stream_id }: Entry) => stream_id)),
    ];
    const groups = [
      ...idsIn('realm_user_groups', 'id'),
      ...added('user_group', 'add').map(({ group }) => group.id),
    ];
    for (const [index, ids] of [made.userIds, made.channelIds, made.groupIds].entries()) {
      const all = [users, channels, groups][index] ?? [];
      expect(all).toEqual(expect.arrayContaining([...ids]));
      expect(new Set(all).size, 'nothing comes twice').toBe(all.length);
    }
  });

  test('Registers a client with compression, and a completing poll costs at most a thousand units', async () => {
    const { status, body } = await ada.post('/register', REQUEST, { headers: { 'accept-encoding': 'gzip' } });
    expect(status).toBe(200);
    expect(written(body)).toBeGreaterThan(MAX_REPLY_BYTES);
    const queue = await ada.register(REQUEST);
    service.meter.reset();
    const page = await queue.poll({ dont_block: true });
    expect(page.body.events.length).toBeGreaterThan(100);
    expect(service.meter.read).toBeLessThanOrEqual(1_000);
  });
});
