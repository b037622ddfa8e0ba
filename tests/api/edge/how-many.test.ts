import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deliverScheduledMessage } from '#functions/workers/deliver-scheduled-message.ts';
import { roles } from '#shared/domain/users/user.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { roomKeys } from '#shared/table/keys/limits.ts';
import type { Client, Reply } from '#tests/harness/client.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

const DAY_SECONDS = 24 * 3600;
const LIMIT = 3;

let made = 0;
const service = await startTestService({
  recordLimits: {
    userGroups: LIMIT,
    customEmoji: LIMIT,
    botsOfOwner: LIMIT,
    scheduledOfAccount: LIMIT,
    createdByAccount: { limit: 1_000, windowSeconds: DAY_SECONDS },
  },
});
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const soon = (): number => Math.floor(service.services.clock.nowMs() / 1000) + 300;
const scheduleNote = (client: Client): Promise<Reply> =>
  client.post('/scheduled_messages', {
    type: 'direct',
    to: [client.userId],
    content: 'later',
    scheduled_delivery_timestamp: soon(),
  });

async function uploadEmoji(client: Client): Promise<Reply> {
  const name = `limited_${++made}`;
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

const kinds: Kind[] = [
  {
    kind: 'active user groups',
    create: (client) =>
      client.post('/user_groups/create', { name: `limited ${++made}`, description: '', members: [] }),
    remove: (client, { group_id }) => client.post(`/user_groups/${group_id}/deactivate`),
    refusal: `Too many user groups: the organization may have ${LIMIT} active ones.`,
    key: roomKeys.userGroups,
  },
  {
    kind: 'active custom emoji',
    create: uploadEmoji,
    remove: (client, { name }) => client.delete(`/realm/emoji/${name}`),
    refusal: `Too many custom emoji: the organization may have ${LIMIT} active ones.`,
    key: roomKeys.customEmoji,
  },
  {
    kind: 'active bots of an owner',
    create: (client) => client.post('/bots', { full_name: 'Helper', short_name: `limited${++made}` }),
    remove: (client, { user_id }) => client.delete(`/bots/${user_id}`),
    refusal: `Too many bots: an owner may have ${LIMIT} active ones.`,
  },
  {
    kind: 'scheduled messages of an account',
    create: scheduleNote,
    remove: (client, { scheduled_message_id }) =>
      client.delete(`/scheduled_messages/${scheduled_message_id}`),
    refusal: `Too many scheduled messages and reminders: an account may have ${LIMIT} at once.`,
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
    refusal: `Too many scheduled messages and reminders: an account may have ${LIMIT} at once.`,
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
    for (const one of all) succeeds(await remove(ada, one));
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

describe('A scheduled message', () => {
  test('Makes room for another once it is delivered', async () => {
    const [first] = [succeeds(await scheduleNote(bo)), succeeds(await scheduleNote(bo))];
    succeeds(await scheduleNote(bo));
    expectRefusal(
      await scheduleNote(bo),
      `Too many scheduled messages and reminders: an account may have ${LIMIT} at once.`,
    );
    service.advance(600_000);
    const scheduledMessageId = first?.scheduled_message_id;
    await deliverScheduledMessage(service.services, { userId: bo.userId, scheduledMessageId });
    succeeds(await scheduleNote(bo));
  });
});

describe('A user group that is reactivated', () => {
  test('Counts like a new one', async () => {
    const [kind] = kinds;
    if (!kind) throw new Error('there are no kinds');
    const gone = succeeds(await kind.create(ada));
    succeeds(await kind.remove(ada, gone));
    const others = [];
    for (let count = 0; count < LIMIT; count++) others.push(succeeds(await kind.create(ada)));
    const back = () => ada.patch(`/user_groups/${gone.group_id}`, { deactivated: false });
    expectRefusal(await back(), kind.refusal);
    succeeds(await kind.remove(ada, others[0]));
    succeeds(await back());
    expectRefusal(await kind.create(ada), kind.refusal);
  });
});

describe('A bot that changes its owner', () => {
  test('Counts for its new owner', async () => {
    const bots = [];
    for (let count = 0; count < LIMIT; count++)
      bots.push(succeeds(await bo.post('/bots', { full_name: 'Helper', short_name: `handed${++made}` })));
    const own = succeeds(await ada.post('/bots', { full_name: 'Helper', short_name: `handed${++made}` }));
    for (const { user_id } of bots)
      succeeds(await bo.patch(`/bots/${user_id}`, { bot_owner_id: bo.userId, full_name: 'Stays' }));
    const handOver = () => ada.patch(`/bots/${own.user_id}`, { bot_owner_id: bo.userId });
    expectRefusal(await handOver(), `Too many bots: an owner may have ${LIMIT} active ones.`);
    succeeds(await bo.delete(`/bots/${bots[0].user_id}`));
    succeeds(await handOver());
  });
});

describe('An account within a day', () => {
  let limited: TestService;
  beforeAll(async () => {
    const { recordLimits } = service.services.config;
    limited = await startTestService({
      recordLimits: {
        ...recordLimits,
        userGroups: 100,
        createdByAccount: { limit: 2, windowSeconds: DAY_SECONDS },
      },
    });
    await limited.owner.patch('/realm', { create_multiuse_invite_group: { new: 6 } });
  });
  afterAll(() => limited.stop());

  test.each([
    ['user groups', kinds[0]?.create],
    ['custom emoji', kinds[1]?.create],
    ['bots', kinds[2]?.create],
    ['invitation links', (client: Client) => client.post('/invites/multiuse')],
  ])(
    'Creates up to the limit of %s and none beyond, even after deletions; administrators are not counted',
    async (name, create) => {
      if (!create) throw new Error(`no call creates ${name}`);
      const [cy, admin] = await createUsers(limited, 'Cy', 'Admin');
      await limited.setRole(admin.email, roles.administrator);
      const refusal = `Too many new ${name}: an account may create 2 within 24 hours.`;
      for (let count = 0; count < 2; count++) succeeds(await create(cy));
      expectOver(await create(cy), refusal);
      if (name === 'custom emoji') {
        const { emoji } = (await cy.get('/realm/emoji')).body;
        for (const one of Object.values<{ name: string; deactivated: boolean }>(emoji))
          if (!one.deactivated) succeeds(await admin.delete(`/realm/emoji/${one.name}`));
      }
      for (let count = 0; count < 3; count++) succeeds(await create(admin));
      limited.advance(DAY_SECONDS * 1000 + 1000);
      if (name !== 'custom emoji') succeeds(await create(cy));
    },
  );
});

test('A refused picture does not count, and neither does an emoji or a bot without its picture', async () => {
  const { recordLimits } = service.services.config;
  const createdByAccount = { limit: 1, windowSeconds: DAY_SECONDS };
  const limited = await startTestService({ recordLimits: { ...recordLimits, createdByAccount } });
  const [cy = limited.owner] = await createUsers(limited, 'Cy');
  const noPicture = () => {
    const form = new FormData();
    form.set('file', new Blob(['not a picture']), 'a.png');
    return form;
  };
  for (let attempt = 0; attempt < 2; attempt++)
    expect((await cy.post('/realm/emoji/broken', {}, { rawBody: noPicture() })).body.code).toBe('BAD_IMAGE');
  for (const { create } of kinds.slice(1, 3)) succeeds(await create(cy));
  await limited.stop();
});
