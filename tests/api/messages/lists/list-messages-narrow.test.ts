import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Client } from '#tests/harness/client.ts';
import { archiveChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { idsIn, inTopic, newChannel, newest, send } from './message-lists.ts';

const service = await startTestService();
const ada = service.owner;
const bo = await service.createUser('Bo');
const cy = await service.createUser('Cy');
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
    expect(
      await idsIn(bo, [
        ['stream', name],
        ['subject', 'sTRAßE'],
      ]),
    ).toEqual([id]);
  });

  test('Finds a sender by address or id', async () => {
    const { name } = await newChannel(ada, bo);
    await send(ada, name, 'a');
    const id = await send(bo, name, 'a');
    for (const operand of [bo.email, bo.email.toUpperCase(), bo.userId])
      for (const operator of ['sender', 'from'])
        expect(
          await idsIn(ada, [
            { operator: 'channel', operand: name },
            { operator, operand },
          ]),
        ).toEqual([id]);
    expect(await idsIn(ada, [{ operator: 'sender', operand: bo.userId }])).toContain(id);
  });

  test('Finds a conversation by ids, addresses or one of them, the caller implied', async () => {
    const [x, y] = [await service.createUser('Xi'), await service.createUser('Yo')];
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
    const narrow = [{ operator: 'is', operand: 'dm' }];
    const around = { anchor: ids[12], num_before: 5, num_after: 5 };
    expect(await idsIn(reader, narrow, around)).toEqual(ids.slice(7, 18));
    expect(await idsIn(reader, narrow, { anchor: 'oldest', num_before: 0, num_after: 50 })).toEqual(ids);
    expect(await idsIn(reader, narrow)).toEqual(ids);
  });

  test('Can be negated term by term, by a member or a dash', async () => {
    const { name } = await newChannel(ada, bo);
    const a = await send(ada, name, 'a');
    const b = await send(bo, name, 'b');
    const inChannel = { operator: 'channel', operand: name };
    expect(await idsIn(bo, [inChannel, { operator: 'topic', operand: 'a', negated: true }])).toEqual([b]);
    expect(await idsIn(bo, [inChannel, { operator: '-sender', operand: bo.userId }])).toEqual([a]);
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
    const inChannel = { operator: 'channel', operand: name };
    expect(await idsIn(bo, [inChannel, { operator: 'is', operand: 'unread' }])).toEqual([other]);
    expect(await idsIn(bo, [inChannel, { operator: 'is', operand: 'resolved' }])).toEqual([own]);
    expect(await idsIn(cy, [{ operator: 'channels', operand: 'public' }])).toEqual(
      expect.arrayContaining([own, other]),
    );
    for (const operand of ['starred', 'mentioned', 'alerted', 'muted'])
      expect(await idsIn(bo, [inChannel, { operator: 'is', operand }])).toEqual([]);
    for (const operand of ['home', 'all'])
      expect(await idsIn(bo, [inChannel, { operator: 'in', operand }])).toEqual([own, other]);
    expect(await idsIn(bo, [inChannel, { operator: 'near', operand: own }])).toEqual([own, other]);
  });

  test('Finds received messages of archived channels, and all of web-public ones', async () => {
    const [open, closed] = [await newChannel(ada, bo), await newChannel(ada, bo)];
    const inOpen = await send(ada, open.name, 'a');
    const inClosed = await send(ada, closed.name, 'a');
    await archiveChannel(service, closed);
    const { table } = service.services;
    await table.write({
      kind: 'update',
      key: channelKeys.channel(open.channelId),
      set: { isWebPublic: true },
    });
    const find = (reader: Client, operand: string) => idsIn(reader, [{ operator: 'channels', operand }]);
    expect(await find(bo, 'archived')).toEqual([inClosed]);
    expect(await find(cy, 'archived')).toEqual([]);
    for (const reader of [bo, cy, await service.createUser('Guest', roles.guest)])
      expect(await find(reader, 'web-public')).toEqual([inOpen]);
  });

  test.each([
    [[['telepathy', 'words']], 'unknown operator telepathy'],
    [[{ operator: 'has', operand: 'hope' }], "unknown 'has' operand hope"],
    [[{ operator: 'mentions', operand: 987654 }], 'unknown user 987654'],
    [[{ operator: 'channel', operand: 'nowhere' }], 'unknown channel nowhere'],
    [[{ operator: 'sender', operand: 'nobody@example.com' }], 'unknown user nobody@example.com'],
    [[{ operator: 'dm', operand: [987654, 1] }], 'unknown user in [987654, 1]'],
    [[['is', 'purple']], "unknown 'is' operand purple"],
    [[['in', 'purple']], "unknown 'in' operand purple"],
    [[['channels', 'purple']], 'unknown channels operand purple'],
    [[['id', 'purple']], 'Invalid message ID'],
  ])('A narrow that cannot be evaluated is refused: %j', async (narrow, desc) => {
    const { status, body } = await bo.get('/messages', { ...newest, narrow });
    expect(status).toBe(400);
    expect(body).toEqual({
      result: 'error',
      msg: `Invalid narrow operator: ${desc}`,
      code: 'BAD_NARROW',
      desc,
    });
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
    const { status, body } = await bo.get('/messages', { ...newest, narrow });
    expect(body).toEqual({ result: 'error', msg, code: 'BAD_REQUEST' });
    expect(status).toBe(400);
  });
});
