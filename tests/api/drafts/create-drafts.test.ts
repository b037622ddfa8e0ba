import { describe, expect, test } from 'vitest';
import { MAX_KILOBYTES } from '#shared/domain/allowance.ts';
import { MAX_DRAFTS_AT_ONCE } from '#shared/domain/drafts/changes.ts';
import { draftKeys } from '#shared/table/keys/drafts.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import {
  createDraft,
  createDrafts,
  editDraft,
  findDraft,
  listDrafts,
  registeredDrafts,
  removeDraft,
  toChannel,
  toPeople,
  unaddressed,
} from './draft-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);
const room = await createChannel(service, [ada, bo]);

/** Refused, and neither a draft came of it nor was an id used up. */
async function refuse(client: Client, drafts: unknown, msg: string): Promise<void> {
  const before = await listDrafts(client);
  service.meter.reset();
  expectRefusal(await client.post('/drafts', { drafts }), msg);
  expect(service.meter.write).toBe(0);
  expect(await listDrafts(client)).toEqual(before);
}

/** A user as if drafts took this many kilobytes already. */
async function someoneWith(kilobytes: number): Promise<Client> {
  const someone = await createUser(service, 'Cy');
  const key = draftKeys.draftAllowance(someone.userId);
  await service.services.table.write({ kind: 'update', key, set: { kilobytes } });
  return someone;
}

const draftsAt = (...timestamps: number[]) => timestamps.map((timestamp) => ({ ...unaddressed, timestamp }));

describe('Creating drafts', () => {
  test('Stores them as the reference describes, and returns their ids in the order of the request', async () => {
    const cy = await createUser(service, 'Cy');
    const drafts = [
      toPeople([ada.userId], { timestamp: 3 }),
      { ...unaddressed, timestamp: 1 },
      toChannel((await createChannel(service, [cy])).channelId, { timestamp: 2 }),
    ];
    const ids = await createDrafts(cy, ...drafts);
    expect(new Set(ids).size).toBe(3);
    const found = await Promise.all(ids.map((id) => findDraft(cy, id)));
    expect(found).toEqual(drafts.map((draft, index) => ({ id: ids[index], ...draft })));
  });

  test('Keeps the whole seconds of a fractional time', async () => {
    const ids = await createDrafts(ada, ...draftsAt(1_595_479_019.4392, 7.0, 0.99));
    const kept = await Promise.all(ids.map((id) => findDraft(ada, id)));
    expect(kept.map(({ timestamp }) => timestamp)).toEqual([1_595_479_019, 7, 0]);
    // A number that is written with a point is an integer nowhere else.
    const drafts = '[{"type":"private","to":[1.0],"topic":"","content":"x","timestamp":1.0}]';
    expectRefusal(await ada.post('/drafts', { drafts }), 'drafts[0]["to"][0] is not an integer');
  });

  test('Fills in the current time in seconds if the request has none', proves('edit-draft.19'), async () => {
    const before = Math.floor(Date.now() / 1000);
    const { timestamp } = await findDraft(ada, await createDraft(ada));
    expect(timestamp).toBeGreaterThanOrEqual(before);
    expect(timestamp).toBeLessThanOrEqual(before + 60);
  });

  test('Sends one event to the queues of their author, and none to other users', async () => {
    const queues = await listenAll([ada, ada, bo, service.owner]);
    const ids = await createDrafts(ada, unaddressed, toChannel(room.channelId));
    const drafts = await Promise.all(ids.map((id) => findDraft(ada, id)));
    const event = { id: expect.any(Number), type: 'drafts', op: 'add', drafts };
    expect(await Promise.all(queues.map((queue) => queue.drain()))).toEqual([[event], [event], [], []]);
  });

  test('Lists them in register, the latest edit first', async () => {
    const cy = await createUser(service, 'Cy');
    const ids = await createDrafts(cy, ...draftsAt(5, 9, 1, 9));
    const order = (await registeredDrafts(cy)).map(({ id }: { id: number }) => ids.indexOf(id));
    expect(order).toEqual([3, 1, 0, 2]);
    expect(await registeredDrafts(bo)).toEqual([]);
  });

  test('Agrees with the snapshot, for their author and for others', async () => {
    await expectConsistentSnapshot(service, [service.owner, ada, bo, guest], async () => {
      await createDrafts(ada, toChannel(room.channelId, { topic: '' }), unaddressed);
      await createDrafts(bo, toPeople([ada.userId, guest.userId], { timestamp: 12 }), unaddressed);
      await createDrafts(guest, unaddressed);
    });
  });

  test('Creates nothing and sends no event if the list is empty', async () => {
    const queue = await ada.listen();
    expect(await createDrafts(ada)).toEqual([]);
    expect(await queue.drain()).toEqual([]);
  });
});

describe('A draft of a direct message', async () => {
  const toOf = async (client: Client, to: number[]) =>
    (await findDraft(client, await createDraft(client, toPeople(to)))).to;

  test('Names each recipient once, ascending, without its author', proves('edit-draft.9'), async () => {
    const recipients = [guest.userId, bo.userId, ada.userId, bo.userId];
    expect(await toOf(ada, recipients)).toEqual([bo.userId, guest.userId]);
  });

  const gone = await createUser(service, 'Gone');
  await service.deactivate(gone);
  test.each([
    ['nobody yet', [], []],
    ['its author in a note to oneself', [ada.userId], [ada.userId]],
    ['deactivated people', [gone.userId], [gone.userId]],
    ['only existing people', [99_999, bo.userId, -1, 0, 2 ** 40], [bo.userId]],
    ['nobody if the only recipient does not exist', [99_999], []],
  ])('Names %s', async (_what, to, named) => {
    expect(await toOf(ada, to)).toEqual(named);
  });

  test('Has no topic', proves('edit-draft.13'), async () => {
    const id = await createDraft(ada, toPeople([bo.userId], { topic: 'plans' }));
    expect(await findDraft(ada, id)).toMatchObject({ topic: '' });
  });

  test('Names at most as many people as a message may', async () => {
    const all = Array.from({ length: 501 }, (_, n) => n + 1_000_000);
    expect(await toOf(ada, [...all.slice(2), bo.userId])).toEqual([bo.userId]);
    await refuse(ada, [toPeople(all)], 'Too many recipients (maximum 500).');
  });
});

describe('A list of drafts is refused as a whole if', () => {
  const wrongs: [string, Params, string][] = [
    ['of no channel', toChannel(0, { to: [] }), 'Must specify exactly 1 channel ID for channel messages'],
    ['of an unknown channel', toChannel(99_999), 'Invalid channel ID'],
    ['of a moment before all time', { ...unaddressed, timestamp: -0.5 }, 'Timestamp must not be negative.'],
    ['of a time before all time', { ...unaddressed, timestamp: -1 }, 'Timestamp must not be negative.'],
    ['without content', { ...unaddressed, content: ' ' }, 'Message must not be empty'],
    ['with a null byte', { ...unaddressed, content: '\0' }, 'Message must not contain null bytes'],
    ['with one in its topic', { ...unaddressed, topic: '\0' }, 'Topic must not contain null bytes'],
    ['with more members', { ...unaddressed, html: '' }, 'Argument "html" at drafts[1] is unexpected'],
  ];
  test.each(wrongs)('One is %s', async (_what, wrong, msg) => {
    await refuse(ada, [unaddressed, wrong, unaddressed], msg);
  });

  test('One is for a channel that the author may not know', async () => {
    const secret = await createChannel(service, [bo], { invite_only: true });
    await refuse(ada, [unaddressed, toChannel(secret.channelId)], 'Invalid channel ID');
    await refuse(guest, [unaddressed, toChannel(room.channelId)], 'Invalid channel ID');
  });
});

describe('The quota for drafts', () => {
  test('Limits the number of drafts of one request', async () => {
    const cy = await createUser(service, 'Cy');
    const many = Array.from({ length: MAX_DRAFTS_AT_ONCE }, (_, n) => ({ ...unaddressed, content: `${n}` }));
    expect(await createDrafts(cy, ...many)).toHaveLength(MAX_DRAFTS_AT_ONCE);
    await refuse(cy, [...many, unaddressed], `Too many drafts at once (maximum ${MAX_DRAFTS_AT_ONCE}).`);
  });

  test('Limits one request to the size of a log entry', async () => {
    const cy = await createUser(service, 'Cy');
    const long = { ...unaddressed, content: '🎉'.repeat(10_000) };
    expect(await createDrafts(cy, ...Array(6).fill(long))).toHaveLength(6);
    await refuse(cy, Array(7).fill(long), 'The drafts are too large to be kept at once.');
  });

  test('Limits all drafts of a user to the figure in register, each counted in whole kilobytes', async () => {
    const cy = await someoneWith(MAX_KILOBYTES - 2);
    const msg = 'There is no room for more drafts; delete some.';
    await refuse(cy, [unaddressed, unaddressed, unaddressed], msg);
    const [first, second] = [await createDraft(cy), await createDraft(cy)];
    await refuse(cy, [unaddressed], msg);
    const longer = { ...unaddressed, content: 'x'.repeat(1_000) };
    expectRefusal(await editDraft(cy, first, longer), msg);
    expect((await editDraft(cy, first, { ...unaddressed, content: 'y' })).status).toBe(200);
    expect((await removeDraft(cy, second)).status).toBe(200);
    expect((await editDraft(cy, first, longer)).status).toBe(200);
    await refuse(cy, [unaddressed], msg);
  });

  test('Holds for simultaneous requests', async () => {
    const cy = await someoneWith(MAX_KILOBYTES - 3);
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => cy.post('/drafts', { drafts: [unaddressed] })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await listDrafts(cy)).toHaveLength(3);
  });
});

test('A draft costs 8 write units, ten in one request 26', async () => {
  for (const [count, units] of [
    [1, 8],
    [10, 26],
  ] as const) {
    service.meter.reset();
    await createDrafts(ada, ...Array(count).fill(unaddressed));
    expect(service.meter.write).toBe(units);
  }
});
