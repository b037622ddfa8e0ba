import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client, Reply } from '#tests/harness/client.ts';
import { archiveChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { inTopic, newChannel, privateChannel, send, term } from './message-lists.ts';

type Channel = Awaited<ReturnType<typeof newChannel>>;

/** The user that secrets are kept from. */

const bring = (who: Client, { name }: Channel) =>
  bo.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [who.userId] });

const service = await startTestService();
const ada = service.owner;
const bo = await service.createUser('Bo');
const cy = await service.createUser('Cy');
const stranger = await service.createUser('Stranger');
const guest = await service.createUser('Guest', roles.guest);
const open = await newChannel(bo, cy);
await bring(guest, open);
const secret = { name: 'secrets', channelId: await bo.subscribe('secrets', { invite_only: true }) };
const shown = await send(bo, open.name, 'a');
const deleted = await send(bo, open.name, 'a');
await ada.delete(`/messages/${deleted}`);
const hidden = [await send(bo, secret.name, 'a'), await send(bo, [ada.userId], undefined), deleted];
const { status } = await ada.patch('/realm', { can_access_all_users_group: { new: 6 } });
expect(status).toBe(200);
await service.settle();

const VARYING = /^(content-length|date|x-ratelimit-.*)$/;

/** All that a reply says; an error may quote the one name that was asked for. */
const said = ({ status, headers, body: { msg, desc, ...body } }: Reply, name: unknown): string =>
  JSON.stringify([
    status,
    [...headers].filter(([header]) => !VARYING.test(header)),
    [msg, desc].map((text?: string) =>
      text?.split(/[ ,[\]]+/).map((word) => (word === String(name) ? '…' : word)),
    ),
    body,
  ]);

/** The answers of all operations with a narrow; none of them changes anything. */
async function answersTo(reader: Client, narrow: unknown, name: unknown): Promise<string[]> {
  const page = { anchor: 'newest', num_before: 50, num_after: 0, narrow };
  const replies = await Promise.all([
    reader.get('/messages', page),
    reader.get('/messages', { narrow, message_ids: [shown] }),
    reader.get('/messages/matches_narrow', { narrow, msg_ids: [shown] }),
    reader.post('/messages/flags/narrow', { ...page, op: 'remove', flag: 'starred' }),
  ]);
  return replies.map((reply) => said(reply, name));
}

type Narrow = (name: unknown) => unknown;

/** The answer for a secret equals the answer for a missing thing byte for byte. */
async function expectSame(
  reader: Client,
  narrow: Narrow,
  secrets: unknown[],
  missing: unknown,
): Promise<void> {
  const unknown = await answersTo(reader, narrow(missing), missing);
  for (const secret of secrets) expect(await answersTo(reader, narrow(secret), secret)).toEqual(unknown);
}

describe('Narrows treat as missing', () => {
  const channelNarrows: Narrow[] = [
    (operand) => [term('channel', operand)],
    (operand) => [{ ...term('stream', operand), negated: true }],
    (operand) => inTopic(operand as string, 'a'),
    (operand) => [term('channel', operand), ['is', 'unread']],
    (operand) => [['channels', 'public'], term('channel', operand)],
    (operand) => [term('channel', operand), ['search', 'hello']],
  ];

  test('A private channel', async () => {
    for (const narrow of channelNarrows)
      await expectSame(cy, narrow, [secret.channelId, 'secrets', 'SECRETS'], 987_654);
  });

  test('An archived channel, one that the user left, and a public one for guests', async () => {
    const [left, archived] = [await privateChannel(bo), await privateChannel(bo)];
    const members = await newChannel(bo);
    await bring(cy, left);
    await send(bo, left.name, 'a');
    await cy.delete('/users/me/subscriptions', { subscriptions: [left.name] });
    await archiveChannel(service, archived);
    for (const [reader, { channelId }] of [
      [cy, left],
      [cy, archived],
      [guest, members],
    ] as const)
      for (const narrow of channelNarrows.slice(0, 3)) await expectSame(reader, narrow, [channelId], 987_654);
  });

  test.each<[string, Narrow]>([
    ['id', (id) => [term('id', id)]],
    ['-id', (id) => [{ ...term('id', id), negated: true }]],
    ['id in a pair', (id) => [['id', String(id)]]],
    ['near', (id) => [term('near', id)]],
    ['near in a channel', (id) => [term('channel', open.name), term('near', id)]],
    ['with', (id) => [term('with', id)]],
    ['with in a topic', (id) => [...inTopic(open.name, 'a'), term('with', id)]],
    ['with in a conversation', (id) => [term('dm', [bo.userId]), term('with', id)]],
  ])('A message, in %s', async (_kind, narrow) => {
    await expectSame(cy, narrow, hidden, 987_654_321);
  });

  test('A message with a known id', async () => {
    const request = async (id: number) => [
      said(await cy.get('/messages', { message_ids: [id] }), id),
      said(await cy.get('/messages/matches_narrow', { msg_ids: [id], narrow: [] }), id),
      said(await cy.get(`/messages/${id}`), id),
    ];
    for (const id of hidden) expect(await request(id)).toEqual(await request(987_654_321));
  });

  test.each(['sender', 'from', 'dm', 'pm-with', 'dm-including', 'group-pm-with', 'mentions'])(
    'A user that a guest does not see, in %s',
    async (operator) => {
      const narrow = (operand: unknown) => [term(operator, operand)];
      await expectSame(guest, narrow, [stranger.userId, stranger.email], 987_654);
      await expectSame(guest, (operand) => [term(`-${operator}`, operand)], [stranger.userId], 987_654);
      const page = { anchor: 'newest', num_before: 1, num_after: 0 };
      expect((await guest.get('/messages', { ...page, narrow: narrow(bo.userId) })).status).toBe(200);
    },
  );
});

const idsIn = async (reader: Client, narrow: unknown) => {
  const { body } = await reader.get('/messages', { anchor: 'newest', num_before: 50, num_after: 0, narrow });
  return body.messages.map(({ id }: { id: number }) => id);
};

test('A conversation of other people equals the caller’s own with them', async () => {
  await send(ada, [bo.userId], undefined, 'between us');
  const narrow = [term('dm', [ada.userId, bo.userId])];
  expect(await idsIn(cy, narrow)).toEqual([]);
  const id = await send(cy, [ada.userId, bo.userId], undefined, 'among three');
  expect(await idsIn(cy, narrow)).toEqual([id]);
});

describe('Names that look like others', () => {
  test.each([
    ['letters of another script', 'r\u043eom'],
    ['an accent', 'r\u00f3om'],
  ])('Belong to channels and topics of their own: %s', async (_trick, name) => {
    const plain = await bo.subscribe('room');
    const tricked = await bo.subscribe(name);
    expect(tricked).not.toBe(plain);
    const id = await send(bo, tricked, name);
    const own = await send(bo, plain, 'room');
    expect(await idsIn(bo, inTopic(name, name))).toEqual([id]);
    expect(await idsIn(bo, inTopic(name, 'room'))).toEqual([]);
    expect(await idsIn(bo, inTopic('room', name))).toEqual([]);
    expect(await idsIn(bo, inTopic('room', 'room'))).toContain(own);
  });

  test.each([
    ['topic', '\\ud800'],
    ['channel', '\\udc00\\ud800'],
    ['sender', 'x\\ud83d'],
    ['dm', '\\ud800@example.com'],
    ['search', 'x \\ud800'],
    ['\\ud800', 'x'],
  ])('Cannot consist of halves of characters: %s:%s', async (operator, operand) => {
    const page = { anchor: 'newest', num_before: 50, num_after: 0, op: 'add', flag: 'starred' };
    const narrow = `[["${operator}","${operand}"]]`;
    for (const reply of [
      await cy.get('/messages', { ...page, narrow }),
      await cy.get('/messages/matches_narrow', { msg_ids: [1], narrow }),
      await cy.post('/messages/flags/narrow', { ...page, narrow }),
      await cy.post('/register', { narrow }),
    ])
      expect([reply.status, reply.body.msg]).toEqual([400, 'narrow is not valid JSON']);
  });
});
