import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { move } from '#tests/api/messages/message-changes.ts';
import { fillLog } from '#tests/harness/backlog.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { startTestService } from '#tests/harness/service.ts';
import { list, newChannel, newest, pair, send, term } from './message-lists.ts';

/** The number of other people’s messages between the reader's own. */
const NOISE = 2_100;

/** Messages of the reader and of others, in three groups with noise between them. */
const got: number[] = [];
const passedBy: number[] = [];
let direct: number;
let resolved: number;
let muted: number;

const noise = () =>
  fillLog(service.services, { channelId: loud.channelId, channelName: loud.name }, NOISE, 250, () => 'x');

const service = await startTestService();
const ada = service.owner;
const bo = await service.createUser('Bo');
const quiet = await newChannel(ada, bo);
const loud = await newChannel(ada);
await service.settle();
await bo.post('/mark_all_as_read');
for (let n = 0; n < 3; n++) {
  passedBy.push(await send(ada, loud.name, 'passed by'), await send(ada, loud.name, 'passed by'));
  got.push(await send(ada, quiet.name, 'a'));
  direct = await send(ada, [bo.userId], undefined);
  resolved = await send(ada, quiet.name, '✔ done');
  muted = await send(ada, quiet.name, 'dull');
  got.push(direct, resolved, muted);
  await noise();
}
await bo.post('/user_topics', { stream_id: quiet.channelId, topic: 'dull', visibility_policy: 1 });
await sweep(service.services);

const idsIn = async (reader: Client, narrow: unknown, params: Params = newest): Promise<number[]> =>
  (await list(reader, { ...params, narrow })).messages
    .filter(({ id }: { id: number }) => id >= (passedBy[0] ?? 0))
    .map(({ id }: { id: number }) => id);
const ofBo = (messageId: number): boolean => got.includes(messageId);

describe('A message far back among messages of others', () => {
  test('Can be found from the newest end, from the oldest, and from the middle', async () => {
    expect(await idsIn(bo, [])).toEqual(got);
    expect(await idsIn(bo, [], { anchor: got[0], num_before: 0, num_after: 50 })).toEqual(got);
    expect(await idsIn(bo, [], { anchor: got[6], num_before: 5, num_after: 4 })).toEqual(got.slice(1, 11));
    const narrow: unknown[] = [];
    const { body } = await bo.get('/messages', { ...newest, num_before: 3, narrow });
    expect(body).toMatchObject({ found_newest: true, found_oldest: false });
    const seen = body.messages.map(({ id }: { id: number }) => id);
    while (seen[0] > (got[0] ?? 0)) {
      const before = { anchor: seen[0], num_before: 3, num_after: 0, include_anchor: false };
      seen.unshift(...(await idsIn(bo, narrow, before)));
    }
    expect(seen).toEqual(got);
  });

  const channel = { ...term('channel', quiet.channelId), negated: true };
  test.each<[string, unknown, (kind: number) => boolean]>([
    ['is:resolved', ['is', 'resolved'], (kind) => kind === 2],
    ['-is:resolved', ['-is', 'resolved'], (kind) => kind !== 2],
    ['-is:dm', ['-is', 'dm'], (kind) => kind !== 1],
    ['is:unread', ['is', 'unread'], () => true],
    ['is:muted', ['is', 'muted'], (kind) => kind === 3],
    ['in:home', ['in', 'home'], (kind) => kind !== 3],
    ['topic', ['topic', 'A'], (kind) => kind === 0],
    ['sender', term('sender', ada.userId), () => true],
    ['-channel', channel, (kind) => kind === 1],
    ['search', ['search', 'hello'], () => true],
    ['-search', ['-search', 'hello'], () => false],
    ['has:link', ['has', 'link'], () => false],
  ])('Can be found by %s', async (_name, narrowed, isFound) => {
    expect(await idsIn(bo, [narrowed])).toEqual(got.filter((_, n) => isFound(n % 4)));
  });

  test('Can be found in the history of public channels', async () => {
    expect(await idsIn(bo, [pair('channels', 'public'), pair('topic', 'passed by')])).toEqual(passedBy);
  });

  test('Appears at the first unread anchor', async () => {
    const page = { anchor: 'first_unread', num_before: 0, num_after: 0 };
    expect((await list(bo, page)).anchor).toBe(got[0]);
  });

  test('Costs the read entries, and some units for a thousand messages of others', async () => {
    service.meter.reset();
    expect((await idsIn(bo, [])).every(ofBo)).toBe(true);
    const blocks = (3 * NOISE) / 1000;
    expect(service.meter.read).toBeLessThan(60 + 4 * blocks);
  });

  test('Includes messages marked without being received and messages moved there, not deleted ones', async () => {
    const [starred = 0, moved = 0] = passedBy;
    const mark = (op: string, flag: string, messages: number[]) =>
      bo.post('/messages/flags', { op, flag, messages });
    await mark('add', 'starred', [starred]);
    expect(await idsIn(bo, [])).toEqual([starred, ...got]);
    await mark('remove', 'starred', [starred]);
    const everyone = { can_move_messages_between_channels_group: { new: 5 } };
    expect((await ada.patch('/realm', everyone)).status).toBe(200);
    expect((await move(ada, moved, { stream_id: quiet.channelId, topic: 'came' })).status).toBe(200);
    expect(await idsIn(bo, [['topic', 'came']])).toEqual([]);
    expect(await idsIn(bo, [pair('channels', 'public'), pair('topic', 'came')])).toEqual([moved]);
    expect((await move(ada, got[4] ?? 0, { topic: '✔ a' })).status).toBe(200);
    expect(await idsIn(bo, [['is', 'resolved']])).toContain(got[4]);
    expect((await ada.delete(`/messages/${got[8]}`)).status).toBe(200);
    expect(await idsIn(bo, [])).toEqual(got.filter((id) => id !== got[8]));
  });

  test('Does not slow down the users that it mentions', async () => {
    const named = await ada.send(quiet.channelId, 'a', '@**Bo**');
    await noise();
    await sweep(service.services);
    for (const narrow of [[pair('is', 'mentioned')], [term('mentions', bo.userId)]]) {
      service.meter.reset();
      expect(await idsIn(bo, narrow)).toEqual([named]);
      expect(service.meter.read).toBeLessThan(60 + (4 * 4 * NOISE) / 1000);
    }
  });
});
