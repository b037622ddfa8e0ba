import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { messagePartitions } from '#shared/table/keys/log.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { archiveChannel, createChannel, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { addTo, expectAdded, submessagesOf, vote } from './widgets.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await service.createUser('Guest', roles.guest);
const room = await createChannel(service, [ada, bo, guest]);

const post = (content = '/poll Where?\nRome\nOslo'): Promise<number> =>
  ada.send(room.channelId, 'topic', content);
/** The submessages of a message, without its initial widget. */
const addedTo = async (messageId: number) =>
  (await submessagesOf(ada, messageId)).filter(({ id }: { id: number }) => id !== messageId);

describe('Adding to a widget', () => {
  test('Notifies every user who has the message, and stores the same text', async () => {
    const messageId = await post();
    const queues = await listenAll([ada, bo, guest]);
    const content = '{ "type":"vote", "key":"canned,0", "vote":1 }';
    await expectAdded(bo, messageId, content);
    const expected = { message_id: messageId, sender_id: bo.userId, msg_type: 'widget', content };
    const ids = [];
    for (const queue of queues) {
      const events = await queue.drain();
      expect(events).toEqual([
        { id: expect.any(Number), type: 'submessage', submessage_id: expect.any(Number), ...expected },
      ]);
      ids.push(events[0]?.submessage_id);
    }
    expect(new Set(ids).size).toBe(1);
    const added = [{ id: ids[0], ...expected }];
    expect(await addedTo(messageId)).toEqual(added);
    const page = { anchor: messageId, num_before: 0, num_after: 0 };
    for (const request of [
      { message_ids: [messageId] },
      { ...page, narrow: [] },
      { ...page, narrow: [['channel', room.name]] },
      { ...page, narrow: [['id', String(messageId)]] },
      { ...page, narrow: [['sender', ada.email]] },
      { ...page, narrow: [{ operator: 'has', operand: 'reaction', negated: true }] },
    ]) {
      const { body } = await guest.get('/messages', request);
      expect(body.messages[0].submessages.slice(1)).toEqual(added);
    }
  });

  test('Keeps everything in its order, whoever added it', async () => {
    const messageId = await post();
    const order: [Client, string][] = [
      [guest, vote('canned,1')],
      [bo, vote('canned,0')],
      [guest, vote('canned,1', -1)],
      [ada, JSON.stringify({ type: 'new_option', option: 'Bern', idx: 1 })],
      [bo, vote(`${ada.userId},1`)],
      [guest, vote('canned,1')],
    ];
    await expectConsistentSnapshot(service, [service.owner, ada, bo, guest], async () => {
      for (const [user, content] of order) await expectAdded(user, messageId, content);
    });
    const added = await addedTo(messageId);
    expect(added.map(({ sender_id, content }: Record<string, unknown>) => [sender_id, content])).toEqual(
      order.map(([{ userId }, content]) => [userId, content]),
    );
    const ids = added.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...new Set<number>(ids)].sort((a, b) => a - b));
  });

  test('Stores all of them if many add at once', async () => {
    const messageId = await post();
    const votes = [0, 1, 2, 3].map((n) => vote(`canned,${n}`));
    const addAll = (user: Client) => Promise.all(votes.map((text) => expectAdded(user, messageId, text)));
    await Promise.all([ada, bo, guest].map(addAll));
    expect(await addedTo(messageId)).toHaveLength(12);
  });

  test('Leaves nothing after its message is deleted', async () => {
    const messageId = await ada.send(room.channelId, 'to go', '/poll Where?');
    await expectAdded(bo, messageId, vote('canned,0'));
    const { table } = service.services;
    const partition = messagePartitions.submessagesIn(`C${room.channelId}#to go`);
    expect(await table.list({ partition })).toHaveLength(1);
    expect((await service.owner.delete(`/messages/${messageId}`)).status).toBe(200);
    await service.settle();
    expect(await table.list({ partition })).toEqual([]);
    expectRefusal(await addTo(bo, messageId, vote('canned,0')), 'Invalid message(s)');
  });
});

describe('The right to add to a widget', () => {
  test('Belongs to every user who can read it, also guests, bots and members without a subscription', async () => {
    const [cy, bot] = await createUsers(service, 'Cy', 'Bot');
    await service.makeBot(bot, ada);
    const messageId = await post();
    const queue = await cy.listen();
    for (const user of [ada, bo, guest, bot, cy, service.owner])
      await expectAdded(user, messageId, vote('canned,0'));
    expect(await addedTo(messageId)).toHaveLength(6);
    expect(await queue.drain()).toEqual([]);
  });

  test('Belongs to the participants of a direct message, and no other user is notified', async () => {
    const messageId = await ada.sendDirect([bo.userId], '/poll Us?');
    const [bos, owners] = await listenAll([bo, service.owner]);
    await expectAdded(ada, messageId, vote('canned,0'));
    expect(await bos.drain()).toMatchObject([{ type: 'submessage', message_id: messageId }]);
    expect(await owners.drain()).toEqual([]);
    expectRefusal(await addTo(service.owner, messageId, vote('canned,0')), 'Invalid message(s)');
  });

  test('Remains in an archived channel, with events for clients that support archived channels', async () => {
    const old = await createChannel(service, [ada, bo]);
    const messageId = await ada.send(old.channelId, 'x', '/poll x');
    await archiveChannel(service, old);
    const plain = await ada.listen();
    const knowing = await ada.listen({ client_capabilities: { archived_channels: true } });
    await expectAdded(bo, messageId, vote('canned,0'));
    expect(await knowing.drain()).toMatchObject([{ type: 'submessage' }]);
    expect(await plain.drain()).toEqual([]);
  });

  test('Starts with the sender if the message is no widget, which then cannot be edited', async () => {
    const messageId = await post('hello');
    const early = await addTo(bo, messageId, vote('canned,0'));
    expectRefusal(early, 'You cannot attach a submessage to this message.');
    await expectAdded(ada, messageId, { widget_type: 'poll', extra_data: { question: '?', options: [] } });
    await expectAdded(bo, messageId, vote('canned,0'));
    expectRefusal(await addTo(bo, messageId, { type: 'dance' }), 'Unknown type for poll data: dance');
    expectRefusal(await ada.patch(`/messages/${messageId}`, { content: 'x' }), 'Widgets cannot be edited.');
    const game = await post('hello');
    await expectAdded(ada, game, { widget_type: 'constructor' });
    for (const content of ['{"any":"thing"}', '[]', '7', 'null', '"text"'])
      await expectAdded(bo, game, content);
  });
});

describe('An addition to a widget', () => {
  test.each([
    ['/poll', 'no json', 'Invalid json for submessage'],
    ['/poll', `${'['.repeat(5000)}`, 'Invalid json for submessage'],
    ['/poll', '[]', 'poll data is not a dict'],
    ['/poll', '{"__proto__":{"type":"vote"}}', 'type key is missing from poll data'],
    ['/poll', '{"type":1}', 'poll data["type"] is not a string'],
    ['/poll', '{"type":"constructor"}', 'Unknown type for poll data: constructor'],
    ['/poll', '{"type":"vote","key":"x"}', 'vote key is missing from poll data'],
    ['/poll', '{"type":"vote","key":1,"vote":1}', 'poll data["key"] is not a string'],
    ['/poll', '{"type":"vote","key":"x","vote":"1"}', 'poll data["vote"] is not an integer'],
    ['/poll', '{"type":"vote","key":"x","vote":0}', 'Invalid poll data["vote"]'],
    ['/poll', '{"type":"vote","key":"x","vote":1,"more":1,"still":2}', 'Unexpected arguments: more, still'],
    ['/poll', '{"type":"question","question":"?"}', "You can't edit a question unless you are the author."],
    ['/poll', '{"type":"new_option","option":1,"idx":1}', 'poll data["option"] is not a string'],
    ['/poll', '{"type":"new_option","option":"x","idx":1.5}', 'poll data["idx"] is not an integer'],
    ['/todo', '{"type":"vote","key":"x","vote":1}', 'Unknown type for todo data: vote'],
    ['/todo', '{"type":"new_task","key":"1"}', 'todo data["key"] is not an integer'],
    ['/todo', '{"type":"new_task","key":1,"task":"t","desc":""}', 'completed key is missing from todo data'],
    ['/todo', '{"type":"strike","key":1}', 'todo data["key"] is not a string'],
    [
      '/todo',
      '{"type":"new_task_list_title","title":"x"}',
      "You can't edit the task list title unless you are the author.",
    ],
  ])('Fails for %s: %s', async (widget, content, msg) => {
    const messageId = await post(widget);
    expectRefusal(await addTo(bo, messageId, content), msg);
    expect(await addedTo(messageId)).toEqual([]);
  });

  test('Can have every valid form', async () => {
    const poll = await post();
    await expectAdded(ada, poll, { type: 'question', question: 'Whither?' });
    await expectAdded(bo, poll, { type: 'new_option', option: 'Bern', idx: 1 });
    const list = await post('/todo');
    await expectAdded(bo, list, { type: 'new_task', key: 1, task: 't', desc: '', completed: false });
    await expectAdded(bo, list, { type: 'strike', key: `1,${bo.userId}` });
    await expectAdded(ada, list, { type: 'new_task_list_title', title: 'x' });
    expect(await addedTo(poll)).toHaveLength(2);
    expect(await addedTo(list)).toHaveLength(3);
  });

  test('Has a type and a content within their limits', async () => {
    const message_id = await post();
    const whole = { message_id, msg_type: 'widget', content: vote('canned,0') };
    for (const [wrong, msg] of [
      [{ msg_type: '  ' }, 'msg_type cannot be blank'],
      [{ msg_type: 'x'.repeat(61) }, 'msg_type is too long (limit: 60 characters)'],
      [{ content: `"${'x'.repeat(10_000)}"` }, 'content is too long (limit: 10000 characters)'],
    ] as const)
      expectRefusal(await bo.post('/submessage', { ...whole, ...wrong }), msg);
    expect(await addedTo(message_id)).toEqual([]);
  });

  test('Fails for a user with 64 KB in the message already; others still may add', async () => {
    const messageId = await post();
    const option = { type: 'new_option', option: 'x'.repeat(9_900), idx: 1 };
    for (let n = 0; n < 7; n++) await expectAdded(bo, messageId, option);
    expectRefusal(await addTo(bo, messageId, vote('canned,0')), 'You have added too much to this message.');
    await expectAdded(guest, messageId, vote('canned,0'));
    await expectAdded(bo, await post(), vote('canned,0'));
  });
});

describe('The capacity of submessages', () => {
  test('Stays the same for each, a little more for the first, and zero for messages without any', async () => {
    const messageId = await post('/poll Where?');
    const voteAs = (user: Client) => unitsOf(service, () => expectAdded(user, messageId, vote('canned,0')));
    expect([await voteAs(ada), await voteAs(bo)]).toEqual([
      { read: 4, write: 9 },
      { read: 6, write: 5 },
    ]);
    const narrow = [['channel', room.name]];
    const page = () => bo.get('/messages', { anchor: 'newest', num_before: 2, num_after: 0, narrow });
    const { read: withVotes } = await unitsOf(service, page);
    await post('hello');
    await post('hello');
    const { read: without } = await unitsOf(service, page);
    expect(withVotes - without).toBeLessThanOrEqual(0.5);
  });
});
