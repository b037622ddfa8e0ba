import { describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import {
  createDraft,
  editDraft,
  expectNoDraft,
  findDraft,
  listDrafts,
  malformed,
  otherTypes,
  registeredDrafts,
  toChannel,
  toPeople,
  unaddressed,
} from './draft-calls.ts';

const service = await startTestService();
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const room = await createChannel(service, [ada, bo]);

async function edit(client: Client, id: number, draft: Params) {
  expect((await editDraft(client, id, draft)).status).toBe(200);
  return findDraft(client, id);
}

/** Refused, and the draft is as it was. */
async function refuse(id: number, draft: unknown, msg: string): Promise<void> {
  const before = await findDraft(ada, id);
  expectRefusal(await editDraft(ada, id, draft), msg);
  expect(await findDraft(ada, id)).toEqual(before);
}

describe('Editing a draft', () => {
  const parameters = proves('edit-draft.1', 'edit-draft.2', 'edit-draft.3', 'edit-draft.12');
  test('Replaces the text under the same id', parameters, async () => {
    const id = await createDraft(ada);
    const timestamp = 1_595_479_019;
    const draft = toChannel(room.channelId, { content: 'second thought', timestamp });
    expect(await edit(ada, id, draft)).toEqual({ id, ...draft });
    expect(await listDrafts(ada)).toHaveLength(1);
  });

  test('Sends an event to the queues of its author only', proves('edit-draft.21'), async () => {
    const id = await createDraft(ada);
    const queues = await listenAll([ada, ada, bo, service.owner]);
    const draft = await edit(ada, id, toChannel(room.channelId));
    const event = { id: expect.any(Number), type: 'drafts', op: 'update', draft };
    expect(await Promise.all(queues.map((queue) => queue.drain()))).toEqual([[event], [event], [], []]);
  });

  test('Sets the time of the edit unless the request states one', proves('edit-draft.18'), async () => {
    const id = await createDraft(ada, { ...unaddressed, timestamp: 1_000 });
    const before = Math.floor(Date.now() / 1000);
    expect((await edit(ada, id, unaddressed)).timestamp).toBeGreaterThanOrEqual(before);
    expect((await edit(ada, id, { ...unaddressed, timestamp: 0 })).timestamp).toBe(0);
    expect((await edit(ada, id, { ...unaddressed, timestamp: 12.75 })).timestamp).toBe(12);
  });

  test(
    'Moves it from a channel to people and to no recipient',
    proves('edit-draft.6', 'edit-draft.8', 'edit-draft.9', 'edit-draft.10', 'edit-draft.12', 'edit-draft.13'),
    async () => {
      const id = await createDraft(ada, toChannel(room.channelId));
      for (const [draft, stored] of [
        [toPeople([cy.userId, bo.userId]), toPeople([bo.userId, cy.userId])],
        [{ ...unaddressed, to: [1, 2], topic: 'ignored' }, unaddressed],
        [toChannel(room.channelId), toChannel(room.channelId)],
      ] as const)
        expect(await edit(ada, id, draft)).toMatchObject(stored);
    },
  );

  test('Ignores an id in the draft object', async () => {
    const id = await createDraft(ada);
    expect(await edit(ada, id, { ...unaddressed, id: id + 1 })).toMatchObject({ id });
  });

  test('Stores one of several simultaneous edits as a whole, and every queue gets that one', async () => {
    const id = await createDraft(ada);
    const drafts = ['a', 'b', 'c', 'd'].map((word) => ({ content: word, topic: word }));
    await expectConsistentSnapshot(service, [ada], () =>
      Promise.all(drafts.map((draft) => edit(ada, id, toChannel(room.channelId, draft)))),
    );
    const { content, topic } = await findDraft(ada, id);
    expect(content).toBe(topic);
  });
});

describe('The topic of a draft', () => {
  test.each(['(no topic)', ' general chat ', '', '   '])(
    'Becomes empty for %j',
    proves('edit-draft.15'),
    async (topic) => {
      const id = await createDraft(ada);
      expect(await edit(ada, id, toChannel(room.channelId, { topic }))).toMatchObject({ topic: '' });
    },
  );

  test('Has a display name for clients that do not support empty topics, if it is empty', async () => {
    const dan = await createUser(service, 'Dan');
    const id = await createDraft(dan);
    const [old, modern] = await Promise.all(
      [false, true].map((empty_topic_name) => dan.listen({ client_capabilities: { empty_topic_name } })),
    );
    const channelId = (await createChannel(service, [dan])).channelId;
    await edit(dan, id, toChannel(channelId, { topic: '' }));
    const ofDrafts = async (queue: typeof old) =>
      (await queue?.drain())?.filter(({ type }) => type === 'drafts');
    expect(await ofDrafts(old)).toMatchObject([{ draft: { topic: 'general chat' } }]);
    expect(await ofDrafts(modern)).toMatchObject([{ draft: { topic: '' } }]);
    expect(await registeredDrafts(dan, false)).toMatchObject([{ topic: 'general chat' }]);
    expect(await registeredDrafts(dan, true)).toMatchObject([{ topic: '' }]);
  });

  test('Gets cut to the greatest length of a topic', async () => {
    const id = await createDraft(ada);
    const draft = toChannel(room.channelId, { topic: '🎉'.repeat(61) });
    expect(await edit(ada, id, draft)).toMatchObject({ topic: `${'🎉'.repeat(57)}...` });
  });

  test('Refuses null bytes, whatever the draft is for', proves('edit-draft.14'), async () => {
    const id = await createDraft(ada);
    for (const draft of [toChannel(room.channelId), toPeople([bo.userId]), unaddressed])
      await refuse(id, { ...draft, topic: 'a\0' }, 'Topic must not contain null bytes');
  });
});

describe('The content of a draft', () => {
  test('Gets cut to the greatest length of a message', async () => {
    const id = await createDraft(ada);
    const { content } = await edit(ada, id, { ...unaddressed, content: '🎉'.repeat(10_001) });
    expect([...content]).toHaveLength(10_000);
    expect(content.endsWith('🎉\n[message truncated]')).toBe(true);
  });

  test('Must not be empty or contain null bytes', proves('edit-draft.17'), async () => {
    const id = await createDraft(ada);
    for (const content of ['', ' \n\t '])
      await refuse(id, { ...unaddressed, content }, 'Message must not be empty');
    await refuse(id, { ...unaddressed, content: 'a\0b' }, 'Message must not contain null bytes');
  });
});

describe('An edit of a draft is refused if', () => {
  const shapes = proves('edit-draft.5', 'edit-draft.7', 'edit-draft.11', 'edit-draft.16', 'edit-draft.18');
  test.each(malformed)('Its %s is %j', shapes, async (name, value, msg) => {
    const id = await createDraft(ada);
    await refuse(id, { ...unaddressed, [name]: value }, `draft${msg}`);
  });

  test.each(otherTypes)('Its type is %j', proves('edit-draft.5', 'edit-draft.6'), async (type) => {
    const id = await createDraft(ada);
    await refuse(id, { ...unaddressed, type }, 'Invalid draft["type"]');
  });

  test('The draft is no object, or missing', proves('edit-draft.4'), async () => {
    const id = await createDraft(ada);
    await refuse(id, 'a draft', 'draft is not valid JSON');
    await refuse(id, [unaddressed], 'draft is not a dict');
    expectMissing(await editDraft(ada, id), 'draft');
  });

  test('It names no channel or several channels', proves('edit-draft.8'), async () => {
    const id = await createDraft(ada);
    const msg = 'Must specify exactly 1 channel ID for channel messages';
    for (const to of [[], [room.channelId, room.channelId]]) await refuse(id, toChannel(0, { to }), msg);
  });

  test('The draft is missing or another user’s', proves('edit-draft.20'), async () => {
    const id = await createDraft(bo);
    for (const client of [ada, service.owner])
      for (const draftId of [id, 99_999, 0, -1, 2 ** 40])
        expectNoDraft(await editDraft(client, draftId, unaddressed));
    expect(await findDraft(bo, id)).toMatchObject(unaddressed);
  });
});

test('An edit costs 7 write units, one that changes only the content 8 read units', async () => {
  const id = await createDraft(ada);
  service.meter.reset();
  await editDraft(ada, id, { ...unaddressed, content: 'other' });
  expect(service.meter.write).toBe(7);
  expect(service.meter.read).toBeLessThanOrEqual(8);
});
