import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { archiveChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import {
  idsIn,
  idsOf,
  inTopic,
  list,
  newChannel,
  newest,
  pair,
  privateChannel,
  send,
  term,
} from './message-lists.ts';

const service = await startTestService();
const ada = service.owner;
const [bo, cy] = await createUsers(service, 'Bo', 'Cy');
await ada.subscribe('design');
await bo.subscribe('design');

describe('A narrow', () => {
  test('Finds a channel by id or name in any letter case, and ignores null and empty', async () => {
    const { name, channelId } = await newChannel(ada, bo);
    const id = await send(ada, name, 'a');
    for (const operand of [name, name.toUpperCase(), channelId])
      for (const operator of ['channel', 'stream', 'CHANNEL'])
        expect(await idsIn(bo, [{ operator, operand }])).toEqual([id]);
    expect(await idsIn(bo, [['stream', name]])).toEqual([id]);
    expect(await idsIn(bo, null)).toContain(id);
    expect(await idsIn(bo, [])).toContain(id);
  });

  test('Finds a topic in any letter case', async () => {
    const { name } = await newChannel(ada, bo);
    const id = await send(ada, name, 'Straße');
    await send(ada, name, 'other');
    expect(await idsIn(bo, inTopic(name, 'STRAßE'))).toEqual([id]);
    expect(await idsIn(bo, [['topic', 'straße']])).toEqual([id]);
    expect(await idsIn(bo, [pair('stream', name), pair('subject', 'sTRAßE')])).toEqual([id]);
  });

  test('Finds a sender by address or id', async () => {
    const { name } = await newChannel(ada, bo);
    await send(ada, name, 'a');
    const id = await send(bo, name, 'a');
    for (const operand of [bo.email, bo.email.toUpperCase(), bo.userId])
      for (const operator of ['sender', 'from'])
        expect(await idsIn(ada, [term('channel', name), term(operator, operand)])).toEqual([id]);
    expect(await idsIn(ada, [term('sender', bo.userId)])).toContain(id);
  });

  test('Finds a conversation by ids, addresses or one of them, the caller implied', async () => {
    const [x, y] = await createUsers(service, 'Xi', 'Yo');
    const two = await send(x, [y.userId], undefined);
    const three = await send(x, [y.userId, cy.userId], undefined);
    const note = await send(x, [x.userId], undefined);
    const find = (operand: unknown, operator = 'dm') => idsIn(x, [{ operator, operand }]);
    expect(await find([y.userId])).toEqual([two]);
    expect(await find([y.userId, x.userId])).toEqual([two]);
    expect(await find(y.userId)).toEqual([two]);
    expect(await find(y.email, 'pm-with')).toEqual([two]);
    expect(await find(`${cy.email}, ${y.email}`, 'pm_with')).toEqual([three]);
    expect(await find([x.userId])).toEqual([note]);
    expect(await find([])).toEqual([note]);
    expect(await find(y.userId, 'dm-including')).toEqual([two, three]);
    expect(await find(y.email, 'group-pm-with')).toEqual([three]);
    for (const operand of ['dm', 'private'])
      expect(await idsIn(x, [{ operator: 'is', operand }])).toEqual([two, three, note]);
  });

  test('Merges all conversations in order, in both directions', async () => {
    const reader = await service.createUser('Reader');
    const ids: number[] = [];
    for (let n = 0; n < 24; n++) {
      const to = [ada, bo].filter((_, place) => n % 3 !== place).map(({ userId }) => userId);
      ids.push(await send(reader, to, undefined));
    }
    const narrow = [term('is', 'dm')];
    const around = { anchor: ids[12], num_before: 5, num_after: 5 };
    expect(await idsIn(reader, narrow, around)).toEqual(ids.slice(7, 18));
    expect(await idsIn(reader, narrow, { anchor: 'oldest', num_before: 0, num_after: 50 })).toEqual(ids);
    expect(await idsIn(reader, narrow)).toEqual(ids);
  });

  test('Can be negated term by term, by a member or a dash', async () => {
    const { name } = await newChannel(ada, bo);
    const a = await send(ada, name, 'a');
    const b = await send(bo, name, 'b');
    const inChannel = term('channel', name);
    expect(await idsIn(bo, [inChannel, { operator: 'topic', operand: 'a', negated: true }])).toEqual([b]);
    expect(await idsIn(bo, [inChannel, term('-sender', bo.userId)])).toEqual([a]);
    const others = await idsIn(bo, [{ ...inChannel, negated: true }]);
    expect(others.length).toBeGreaterThan(0);
    expect(others).not.toContain(a);
    const direct = await send(ada, [bo.userId], undefined);
    expect(await idsIn(bo, [{ operator: 'is', operand: 'dm', negated: true }])).not.toContain(direct);
  });

  test('Finds messages that are unread, resolved or in a public channel', async () => {
    const { name } = await newChannel(ada, bo);
    const own = await send(bo, name, '✔ done', 'x', { read_by_sender: true });
    const other = await send(ada, name, 'open');
    const find = (operator: string, operand: unknown) =>
      idsIn(bo, [term('channel', name), term(operator, operand)]);
    expect(await find('is', 'unread')).toEqual([other]);
    expect(await find('is', 'resolved')).toEqual([own]);
    expect(await idsIn(cy, [term('channels', 'public')])).toEqual(expect.arrayContaining([own, other]));
    for (const operand of ['starred', 'mentioned', 'alerted', 'muted'])
      expect(await find('is', operand)).toEqual([]);
    for (const operand of ['home', 'all']) expect(await find('in', operand)).toEqual([own, other]);
    expect(await find('near', own)).toEqual([own, other]);
  });

  test('Finds received messages of archived channels, and all of web-public ones', async () => {
    const [open, closed] = [await newChannel(ada, bo), await newChannel(ada, bo)];
    const inOpen = await send(ada, open.name, 'a');
    const inClosed = await send(ada, closed.name, 'a');
    await archiveChannel(service, closed);
    const key = channelKeys.channel(open.channelId);
    await service.services.table.write({ kind: 'update', key, set: { isWebPublic: true } });
    const find = (reader: Client, operand: string) => idsIn(reader, [{ operator: 'channels', operand }]);
    expect(await find(bo, 'archived')).toEqual([inClosed]);
    expect(await find(cy, 'archived')).toEqual([]);
    for (const reader of [bo, cy, await service.createUser('Guest', roles.guest)])
      expect(await find(reader, 'web-public')).toEqual([inOpen]);
  });

  test.each([
    [[['telepathy', 'words']], 'unknown operator telepathy'],
    [[term('has', 'hope')], "unknown 'has' operand hope"],
    [[term('mentions', 987654)], 'unknown user 987654'],
    [[term('channel', 'nowhere')], 'unknown channel nowhere'],
    [[term('sender', 'nobody@example.com')], 'unknown user nobody@example.com'],
    [[{ operator: 'dm', operand: [987654, 1] }], 'unknown user in [987654, 1]'],
    [[['is', 'purple']], "unknown 'is' operand purple"],
    [[['in', 'purple']], "unknown 'in' operand purple"],
    [[['channels', 'purple']], 'unknown channels operand purple'],
    [[['id', 'purple']], 'Invalid message ID'],
  ])('A narrow that cannot be evaluated is refused: %j', async (narrow, desc) => {
    const reply = await bo.get('/messages', { ...newest, narrow });
    expectRefusal(reply, `Invalid narrow operator: ${desc}`, { code: 'BAD_NARROW', desc });
  });

  test.each([
    ['5', 'narrow is not a list'],
    ['["topic"]', 'narrow[0] is not a dict'],
    ['[["topic","a","b"]]', 'narrow[0] is not a dict'],
    ['[{"operand":"x"}]', 'narrow[0]["operator"] field is missing: Field required'],
    ['[["topic","a"],{"operator":5,"operand":"x"}]', 'narrow[1]["operator"] is not a string'],
    ['[{"operator":"topic","operand":"x","negated":1}]', 'narrow[0]["negated"] is not a boolean'],
    ['[{"operator":"topic","operand":5}]', 'Invalid narrow[0]: Value error, operand is not a string'],
    [
      '[{"operator":"sender","operand":[1]}]',
      'Invalid narrow[0]: Value error, operand is not a string or integer',
    ],
  ])('A narrow that is malformed is refused: %s', async (narrow, msg) => {
    expectRefusal(await bo.get('/messages', { ...newest, narrow }), msg);
  });
});

describe('The messages that a search finds', () => {
  test('Include only received ones, unless a channel or all public channels are named', async () => {
    const { name } = await newChannel(ada, bo);
    const id = await send(ada, name, 'history');
    expect(await idsIn(cy, [])).not.toContain(id);
    expect(await idsIn(cy, [['topic', 'history']])).toEqual([]);
    expect(await idsIn(cy, [['id', String(id)]])).toEqual([]);
    const { messages } = await list(cy, { ...newest, narrow: inTopic(name, 'history') });
    expect(messages).toMatchObject([{ id, flags: ['read', 'historical'] }]);
    expect(await idsIn(cy, [['streams', 'public']])).toContain(id);
    expect(await idsIn(cy, [pair('stream', name), pair('is', 'unread')])).toEqual([]);
  });

  test('Count as unread in a rejoined channel only since then, and as received only while subscribed', async () => {
    const { name } = await newChannel(ada, bo);
    const reader = await service.createUser('Restless');
    await send(ada, name, 'a', 'before');
    await reader.subscribe(name);
    const during = await send(ada, name, 'a', 'during');
    await reader.delete('/users/me/subscriptions', { subscriptions: [name] });
    await service.settle();
    await send(ada, name, 'a', 'between');
    await reader.subscribe(name);
    const after = await send(ada, name, 'a', 'after');
    const { messages } = await list(reader, { ...newest, narrow: inTopic(name, 'a') });
    expect(messages.map(({ flags }: { flags: string[] }) => flags)).toEqual([
      ['read', 'historical'],
      ['read'],
      ['read', 'historical'],
      [],
    ]);
    expect(await idsIn(reader, [])).toEqual([during, after]);
  });

  test('Include a private channel only for its subscribers, and others get an unknown channel', async () => {
    const { name, channelId } = await privateChannel(bo);
    const id = await send(bo, name, 'secret');
    expect(await idsIn(bo, [['channel', name]])).toEqual([id]);
    for (const operand of [name, channelId]) {
      const { body } = await cy.get('/messages', { ...newest, narrow: [term('channel', operand)] });
      expect(body.msg).toBe(`Invalid narrow operator: unknown channel ${operand}`);
    }
    for (const narrow of [[], [['topic', 'secret']], [['channels', 'public']], [['id', String(id)]]])
      expect(await idsIn(cy, narrow)).not.toContain(id);
    expect(await idsIn(ada, [['channel', name]])).toEqual([]);
    expect(idsOf(await list(ada, { message_ids: [id] }))).toEqual([]);
  });

  test('Start with the subscription in a private channel with protected history', async () => {
    const { name } = await privateChannel(bo, { history_public_to_subscribers: false });
    const old = await send(bo, name, 'a');
    await bo.subscribe(name, { principals: [cy.userId] });
    const fresh = await send(bo, name, 'a');
    expect(await idsIn(cy, [['channel', name]])).toEqual([fresh]);
    expect(await idsIn(bo, [['channel', name]])).toEqual([old, fresh]);
  });

  test('Exclude a private channel for people who left', async () => {
    const { name } = await privateChannel(bo, { history_public_to_subscribers: true });
    await bo.subscribe(name, { principals: [cy.userId] });
    const id = await send(bo, name, 'a');
    expect(await idsIn(cy, [])).toContain(id);
    await cy.delete('/users/me/subscriptions', { subscriptions: [name] });
    expect(await idsIn(cy, [])).not.toContain(id);
  });

  test('Include direct messages of the participants only', async () => {
    const id = await send(ada, [bo.userId], undefined, 'between us');
    for (const narrow of [[], [['is', 'dm']], [['id', String(id)]], [['sender', ada.email]]])
      expect(await idsIn(cy, narrow)).not.toContain(id);
    expect(idsOf(await list(cy, { message_ids: [id] }))).toEqual([]);
  });

  test('Include a message as soon as it was sent', async () => {
    const { name, channelId } = await newChannel(ada, bo);
    await service.settle();
    for (let n = 0; n < 20; n++) {
      const id = await send(bo, name, 'at once');
      const last = { anchor: 'newest', num_before: 1, num_after: 0 };
      expect(await idsIn(bo, inTopic(name, 'at once'), last)).toEqual([id]);
      expect(await idsIn(ada, [term('channel', channelId)], last)).toEqual([id]);
      expect(await idsIn(ada, [], last)).toEqual([id]);
    }
  });
});
