import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { newChannel, privateChannel, send, term } from './message-lists.ts';

const service = await startTestService();
const ada = service.owner;
const bo = await service.createUser('Bo');
const cy = await service.createUser('Cy');

const match = async (reader: Client, msg_ids: number[], narrow: unknown) => {
  const { status, body } = await reader.get('/messages/matches_narrow', { msg_ids, narrow });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.messages;
};
const matching = async (reader: Client, msg_ids: number[], narrow: unknown): Promise<number[]> =>
  Object.keys(await match(reader, msg_ids, narrow)).map(Number);
const mark = (text: string): string => `<span class="highlight">${text}</span>`;

describe('The messages that match a narrow', () => {
  test(
    'Fulfil every term, and have their HTML and escaped topic',
    proves(
      'match-narrow.1',
      'match-narrow.4',
      'match-narrow.5',
      'match-narrow.6',
      'match-narrow.7',
      'match-narrow.8',
    ),
    async () => {
      const { name } = await newChannel(ada, bo);
      const link = await send(ada, name, 'a < b', 'see https://example.com');
      const plain = await send(ada, name, 'a < b', 'nothing');
      expect(await match(bo, [plain, link], [{ operator: 'has', operand: 'link' }])).toEqual({
        [link]: {
          match_content: '<p>see <a href="https://example.com">https://example.com</a></p>',
          match_subject: 'a &lt; b',
        },
      });
      expect(await match(bo, [plain, link], [['has', 'image']])).toEqual({});
      expect(await matching(bo, [plain, link], [{ operator: '-has', operand: 'link' }])).toEqual([plain]);
      for (const none of [null, []]) expect(await matching(bo, [plain, link], none)).toEqual([link, plain]);
    },
  );

  test('Highlight the search terms in spans, in content and topic', proves('match-narrow.9'), async () => {
    const { name } = await newChannel(ada, bo);
    const id = await send(ada, name, 'logo & "more"', 'a **logo**, [logo](https://logo.example) & Ünïcode');
    const narrow = [term('search', 'LOGO'), term('search', 'unicode "& "')];
    expect(await match(bo, [id], narrow)).toEqual({
      [id]: {
        match_content:
          `<p>a <strong>${mark('logo')}</strong>, <a href="https://logo.example">${mark('logo')}</a> ` +
          `${mark('&amp; Ünïcode')}</p>`,
        match_subject: `${mark('logo')} ${mark('&amp; ')}&quot;more&quot;`,
      },
    });
    expect(await match(bo, [id], [['search', 'logo nothing']])).toEqual({});
    expect(await matching(bo, [id], [{ operator: 'search', operand: 'nothing', negated: true }])).toEqual([
      id,
    ]);
  });

  test('Have no subject in direct messages', async () => {
    const id = await send(ada, [bo.userId], undefined, 'between us');
    expect(await match(bo, [id], [['search', 'between']])).toEqual({
      [id]: { match_content: `<p>${mark('between')} us</p>`, match_subject: '' },
    });
    expect(await matching(bo, [id], [['is', 'dm']])).toEqual([id]);
    expect(await matching(bo, [id], [{ operator: 'dm', operand: [ada.userId] }])).toEqual([id]);
  });

  test('Include only messages that the caller received and may read', async () => {
    const { name, channelId } = await newChannel(ada, bo);
    const secret = await privateChannel(bo);
    const ids = [
      await send(ada, name, 'a'),
      await send(bo, secret.name, 'a'),
      await send(ada, [bo.userId], undefined),
    ];
    const guest = await service.createUser('Guest', roles.guest);
    expect(await matching(bo, ids, [])).toEqual(ids);
    for (const reader of [cy, guest]) expect(await match(reader, ids, [])).toEqual({});
    expect(await match(cy, ids, [{ operator: 'channel', operand: channelId }])).toEqual({});
    expect(await match(cy, ids, [['channels', 'public']])).toEqual({});
    expect(await match(ada, [ids[1] ?? 0], [])).toEqual({});
    await bo.delete('/users/me/subscriptions', { subscriptions: [secret.name] });
    expect(await matching(bo, ids, [])).not.toContain(ids[1]);
  });

  test('Come once each, without missing ones', async () => {
    const id = await send(ada, [bo.userId], undefined);
    expect(await matching(bo, [id, id, 0, -5, 999_999_999, Number.MAX_SAFE_INTEGER], [])).toEqual([id]);
    expect(await match(bo, [], [])).toEqual({});
  });
});

describe('A match that cannot be computed', () => {
  const match = (params: Record<string, unknown>) => bo.get('/messages/matches_narrow', params);

  test('Lacks one of its parameters', proves('match-narrow.2', 'match-narrow.3'), async () => {
    expectMissing(await match({ narrow: [] }), 'msg_ids');
    expectMissing(await match({ msg_ids: [] }), 'narrow');
  });

  test.each([
    [{ msg_ids: 5 }, 'msg_ids is not a list'],
    [{ narrow: 5 }, 'narrow is not a list'],
    [{ msg_ids: Array.from({ length: 901 }, (_, n) => n + 1) }, 'Too many messages requested (maximum 900).'],
  ])(
    'Has a malformed parameter: %j',
    proves('match-narrow.2', 'match-narrow.3', 'match-narrow.4'),
    async (params, msg) => {
      expectRefusal(await match({ msg_ids: [1], narrow: [], ...params }), msg);
    },
  );

  test('Has a reply beyond the size limit', async () => {
    const { name } = await newChannel(ada, bo);
    const ids: number[] = [];
    for (let n = 0; n < 20; n++) ids.push(await send(ada, name, 'a', 'a '.repeat(5_000)));
    const narrow = [['search', 'a a']];
    expect(await matching(bo, ids.slice(0, 2), narrow)).toEqual(ids.slice(0, 2));
    const reply = await match({ msg_ids: ids, narrow });
    expectRefusal(reply, 'Too many messages requested (maximum 3000000 bytes).');
  });
});

test('A match costs a read of each message, and none of its reactions and submessages', async () => {
  const { name } = await newChannel(ada, bo);
  const ids: number[] = [];
  for (let n = 0; n < 20; n++) ids.push(await send(ada, name, 'a'));
  await bo.post(`/messages/${ids[0]}/reactions`, { emoji_name: 'tada' });
  await service.settle();
  service.meter.reset();
  expect(await matching(bo, ids, [['search', 'hello']])).toEqual(ids);
  // Besides: the account, the read floor, the channel and the subscription.
  expect(service.meter).toMatchObject({ read: 24, write: 0 });
});
