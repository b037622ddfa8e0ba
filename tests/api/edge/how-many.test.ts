import { beforeAll, describe, expect, test } from 'vitest';
import { deliverScheduledMessage } from '#functions/workers/deliver-scheduled-message.ts';
import { roles } from '#shared/domain/users/user.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { roomKeys } from '#shared/table/keys/limits.ts';
import { create as createUserGroup, deactivate } from '#tests/api/user-groups/group-calls.ts';
import type { Client, Reply } from '#tests/harness/client.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

const DAY_SECONDS = 24 * 3600;
const LIMIT = 3;
const SCHEDULED = `Too many scheduled messages and reminders: an account may have ${LIMIT} at once.`;
const BOTS = `Too many bots: an owner may have ${LIMIT} active ones.`;

let nameCount = 0;
const recordLimits = {
  userGroups: LIMIT,
  customEmoji: LIMIT,
  botsOfOwner: LIMIT,
  scheduledOfAccount: LIMIT,
  createdByAccount: { limit: 1_000, windowSeconds: DAY_SECONDS },
};
const service = await startTestService({ recordLimits });
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const soon = (): number => Math.floor(service.services.clock.nowMs() / 1000) + 300;
const scheduleNote = (client: Client): Promise<Reply> => {
  const note = { type: 'direct', to: [client.userId], content: 'later' };
  return client.post('/scheduled_messages', { ...note, scheduled_delivery_timestamp: soon() });
};
const makeBot = (client: Client): Promise<Reply> =>
  client.post('/bots', { full_name: 'Helper', short_name: `limited${++nameCount}` });

async function uploadEmoji(client: Client): Promise<Reply> {
  const name = `limited_${++nameCount}`;
  const form = toForm(await makePicture());
  const reply = await client.post(`/realm/emoji/${name}`, {}, { rawBody: form });
  return { ...reply, body: { ...reply.body, name } };
}

/** How a kind of things is created, and how one of it goes away. */
interface Kind {
  kind: string;
  create(client: Client): Promise<Reply>;
  remove(client: Client, created: Reply['body']): Promise<Reply>;
  refusal: string;
  key?: () => Key;
}

const groups: Kind = {
  kind: 'active user groups',
  create: (client) => createUserGroup(client),
  remove: (client, { group_id }) => deactivate(client, group_id),
  refusal: `Too many user groups: the organization may have ${LIMIT} active ones.`,
  key: roomKeys.userGroups,
};
const emoji: Kind = {
  kind: 'active custom emoji',
  create: uploadEmoji,
  remove: (client, { name }) => client.delete(`/realm/emoji/${name}`),
  refusal: `Too many custom emoji: the organization may have ${LIMIT} active ones.`,
  key: roomKeys.customEmoji,
};
const kinds: Kind[] = [
  groups,
  emoji,
  {
    kind: 'active bots of an owner',
    create: makeBot,
    remove: (client, { user_id }) => client.delete(`/bots/${user_id}`),
    refusal: BOTS,
  },
  {
    kind: 'scheduled messages of an account',
    create: scheduleNote,
    remove: (client, { scheduled_message_id }) =>
      client.delete(`/scheduled_messages/${scheduled_message_id}`),
    refusal: SCHEDULED,
    key: () => roomKeys.scheduled(ada.userId),
  },
  {
    kind: 'reminders of an account',
    create: async (client) =>
      client.post('/reminders', {
        message_id: await client.sendDirect([client.userId], 'remember'),
        scheduled_delivery_timestamp: soon(),
      }),
    remove: (client, { reminder_id }) => client.delete(`/reminders/${reminder_id}`),
    refusal: SCHEDULED,
    key: () => roomKeys.scheduled(ada.userId),
  },
];

const succeeds = (reply: Reply): Reply['body'] => {
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
};

describe.each(kinds)('The limit of $kind', ({ create, remove, refusal, key }) => {
  test('Holds exactly, and a deletion makes room for another', async () => {
    const all: Reply['body'][] = [];
    for (let count = 0; count < LIMIT; count++) all.push(succeeds(await create(ada)));
    expectOver(await create(ada), refusal);
    succeeds(await remove(ada, all.pop()));
    all.push(succeeds(await create(ada)));
    expectOver(await create(ada), refusal);
    for (const created of all) succeeds(await remove(ada, created));
  });

  test.runIf(key)('Holds for many requests at the same moment', async () => {
    const replies = await Promise.all(Array.from({ length: LIMIT + 3 }, () => create(ada)));
    const created = replies.filter(({ status }) => status === 200);
    expect(created).toHaveLength(LIMIT);
    for (const reply of replies.filter(({ status }) => status !== 200)) expectOver(reply, refusal);
    for (const { body } of created) succeeds(await remove(ada, body));
  });
});

/** `expectRefusal`, for replies to which a test added the fields that it needs. */
function expectOver({ status, body: { name: _name, ...body } }: Reply, refusal: string): void {
  expectRefusal({ status, body } as Reply, refusal);
}

test('A scheduled message makes room for another once it is delivered', async () => {
  const first = succeeds(await scheduleNote(bo));
  for (let count = 1; count < LIMIT; count++) succeeds(await scheduleNote(bo));
  expectRefusal(await scheduleNote(bo), SCHEDULED);
  service.advance(600_000);
  const scheduledMessageId = first.scheduled_message_id;
  await deliverScheduledMessage(service.services, { userId: bo.userId, scheduledMessageId });
  succeeds(await scheduleNote(bo));
});

test('A user group that is reactivated counts like a new group', async () => {
  const { create, remove, refusal } = groups;
  const gone = succeeds(await create(ada));
  succeeds(await remove(ada, gone));
  const others = [];
  for (let count = 0; count < LIMIT; count++) others.push(succeeds(await create(ada)));
  const reactivate = () => ada.patch(`/user_groups/${gone.group_id}`, { deactivated: false });
  expectRefusal(await reactivate(), refusal);
  succeeds(await remove(ada, others[0]));
  succeeds(await reactivate());
  expectRefusal(await create(ada), refusal);
});

test('A bot that changes its owner counts for its new owner', async () => {
  const bots = [];
  for (let count = 0; count < LIMIT; count++) bots.push(succeeds(await makeBot(bo)));
  const own = succeeds(await makeBot(ada));
  const handOver = (by: Client, userId: number) =>
    by.patch(`/bots/${userId}`, { bot_owner_id: bo.userId, full_name: 'Handed' });
  for (const { user_id } of bots) succeeds(await handOver(bo, user_id));
  expectRefusal(await handOver(ada, own.user_id), BOTS);
  succeeds(await bo.delete(`/bots/${bots[0].user_id}`));
  succeeds(await handOver(ada, own.user_id));
});

describe('An account within a day', () => {
  let limited: TestService;
  beforeAll(async () => {
    const createdByAccount = { limit: 2, windowSeconds: DAY_SECONDS };
    limited = await startTestService({
      recordLimits: { ...recordLimits, userGroups: 100, createdByAccount },
    });
    await limited.owner.patch('/realm', { create_multiuse_invite_group: { new: 6 } });
  });

  test.each<[string, Kind['create']]>([
    ['user groups', groups.create],
    ['custom emoji', emoji.create],
    ['bots', makeBot],
    ['invitation links', (client) => client.post('/invites/multiuse')],
  ])(
    'Creates up to the limit of %s, even after deletions, unless it is an administrator',
    async (name, create) => {
      const [cy, admin] = await createUsers(limited, 'Cy', 'Admin');
      await limited.setRole(admin.email, roles.administrator);
      const created = [succeeds(await create(cy)), succeeds(await create(cy))];
      expectOver(await create(cy), `Too many new ${name}: an account may create 2 within 24 hours.`);
      if (name === 'custom emoji') for (const one of created) succeeds(await emoji.remove(admin, one));
      for (let count = 0; count < 3; count++) succeeds(await create(admin));
      limited.advance(DAY_SECONDS * 1000 + 1000);
      if (name !== 'custom emoji') succeeds(await create(cy));
    },
  );
});

test('A refused picture does not count, and neither does an emoji or a bot without its picture', async () => {
  const createdByAccount = { limit: 1, windowSeconds: DAY_SECONDS };
  const limited = await startTestService({ recordLimits: { ...recordLimits, createdByAccount } });
  const [cy] = await createUsers(limited, 'Cy');
  for (let attempt = 0; attempt < 2; attempt++) {
    const rawBody = toForm(Buffer.from('not a picture'));
    expect((await cy.post('/realm/emoji/broken', {}, { rawBody })).body.code).toBe('BAD_IMAGE');
  }
  for (const create of [emoji.create, makeBot]) succeeds(await create(cy));
});
