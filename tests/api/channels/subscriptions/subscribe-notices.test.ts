import { describe, expect, test } from 'vitest';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, EventQueue } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { createUser, createUsers, drainMessages } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { join, leave, newName } from '../channel-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const listen = (client: Client): Promise<EventQueue> => client.listen({ event_types: ['message'] });

/** The message sources of a queue, once all the workers are done. */
async function drainSources(queue: EventQueue) {
  await service.settle();
  const messages = await drainMessages(queue);
  return messages.map(({ type, sender_full_name, subject, content }) => {
    expect(sender_full_name).toBe('Notification Bot');
    return { type, subject, content };
  });
}

const notice = (content: string) => ({ type: 'private', subject: '', content });
const ADA = `@**Ada|${ada.userId}**`;
/** A notice that Ada subscribed its reader to a channel. */
const noticeOf = (name: string) => notice(`${ADA} subscribed you to the channel #**${name}**.`);
const BO = { principals: [bo.userId] };
const note = (subject: string, content: string) => ({ type: 'stream', subject, content });

describe('A notice to a person whom another user subscribed', () => {
  test('Comes from the notification bot, once for a channel', async () => {
    const name = newName();
    await join(ada, [name]);
    await service.settle();
    const queue = await listen(bo);
    const { body } = await join(ada, [name], BO);
    expect(body.new_subscription_messages_sent).toBe(true);
    expect(await drainSources(queue)).toEqual([noticeOf(name)]);
    await join(ada, [name], BO);
    expect(await drainSources(queue)).toEqual([]);
  });

  test('Names several channels in one message', async () => {
    const names = [newName(), newName()];
    await join(ada, names);
    await service.settle();
    const queue = await listen(bo);
    await join(ada, names, BO);
    const list = names.map((name) => `* #**${name}**`).join('\n');
    const expected = notice(`${ADA} subscribed you to the following channels:\n\n${list}`);
    expect(await drainSources(queue)).toEqual([expected]);
  });

  test('Names only channels that are new to them', async () => {
    const [old, fresh] = [newName(), newName()];
    await join(ada, [old, fresh]);
    await join(bo, [old]);
    await service.settle();
    const queue = await listen(bo);
    await join(ada, [old, fresh], BO);
    expect(await drainSources(queue)).toEqual([noticeOf(fresh)]);
  });

  test('Leaves out channels that they have left before a late notice', async () => {
    const [kept, left] = [newName(), newName()];
    await join(ada, [kept, left]);
    await service.settle();
    const queue = await listen(bo);
    for (const [names, notices] of [
      [[kept, left], [noticeOf(kept)]],
      [[left], []],
    ] as const) {
      const release = holdJobs(service);
      await join(ada, [...names], BO);
      await leave(bo, [left]);
      await release();
      expect(await drainSources(queue)).toEqual(notices);
    }
  });

  test('Can be turned off by the caller', async () => {
    const name = newName();
    await join(ada, [name]);
    await service.settle();
    const queue = await listen(bo);
    const { body } = await join(ada, [name], { ...BO, send_new_subscription_messages: false });
    expect(body).not.toHaveProperty('new_subscription_messages_sent');
    expect(await drainSources(queue)).toEqual([]);
  });

  test('Does not mention a channel that is created with them', async () => {
    const name = newName();
    const queue = await listen(bo);
    await join(ada, [name], { principals: [ada.userId, bo.userId] });
    expect((await drainSources(queue)).map(({ type }) => type)).toEqual(['stream']);
  });

  test('Does not go to people who subscribe themselves, nor to bots', async () => {
    const bot = await createUser(service, 'Robo');
    await service.makeBot(bot, ada);
    const name = newName();
    await join(ada, [name]);
    await service.settle();
    const queues = [await listen(bo), await listen(bot)];
    await join(bo, [name]);
    await join(ada, [name], { principals: [bot.userId] });
    for (const queue of queues) expect(await drainSources(queue)).toEqual([]);
  });
});

describe('A new channel', () => {
  test.each([
    [{}, 'Public'],
    [{ invite_only: true }, 'Private, protected history'],
    [{ invite_only: true, history_public_to_subscribers: true }, 'Private, shared history'],
  ])('Opens for %j with a note that calls it "%s"', async (params, policy) => {
    const name = newName();
    const queue = await listen(ada);
    const subscriptions = [{ name, description: 'what it is for' }];
    await ada.post('/users/me/subscriptions', { subscriptions, ...params });
    const head = `**${policy}** channel created by @_**Ada|${ada.userId}**. **Description:**`;
    const expected = note('channel events', `${head}\n\`\`\`quote\nwhat it is for\n\`\`\``);
    expect(await drainSources(queue)).toEqual([expected]);
  });

  test('Mentions a missing description, and a description cannot break out of its quote', async () => {
    const queue = await listen(ada);
    await join(ada, [newName()]);
    await ada.post('/users/me/subscriptions', { subscriptions: [{ name: newName(), description: '````' }] });
    const quotes = (await drainSources(queue)).map(({ content }) => content.split('\n').slice(1));
    expect(quotes.sort()).toEqual([
      ['`````quote', '````', '`````'],
      ['```quote', '*No description.*', '```'],
    ]);
  });

  test('Gets no note if the organization turned notes off before it is written', async () => {
    const queue = await listen(ada);
    const release = holdJobs(service);
    await join(ada, [newName()]);
    const wish = (value: boolean) => service.owner.patch('/realm', { send_channel_events_messages: value });
    expect((await wish(false)).status).toBe(200);
    await release();
    expect(await drainSources(queue)).toEqual([]);
    expect((await wish(true)).status).toBe(200);
  });

  test('Gets its note in the empty topic if it allows only that topic', async () => {
    const client_capabilities = { empty_topic_name: true };
    const queue = await ada.listen({ event_types: ['message'], client_capabilities });
    await join(ada, [newName()], { topics_policy: 'empty_topic_only' });
    expect((await drainSources(queue)).map(({ subject }) => subject)).toEqual(['']);
  });
});

test('Public channels are announced if there is a channel for it', proves('subscribe.13'), async () => {
  const announcementChannelId = await bo.subscribe(newName('announcements'));
  await service.settle();
  const queue = await listen(bo);
  const announce = { announce: true };
  await join(ada, [newName()], announce);
  expect(await drainSources(queue)).toEqual([]);

  const write = (settings: object) =>
    service.services.table.write({ kind: 'update', key: organizationKeys.organization(), set: { settings } });
  await write({ new_stream_announcements_stream_id: announcementChannelId });
  const [first, second, third] = [newName(), newName(), newName()];
  await join(ada, [newName()]);
  await join(ada, [newName('secret')], { ...announce, invite_only: true });
  await join(ada, [first], announce);
  await service.settle();
  await join(ada, [first], announce);
  const created = `@_**Ada|${ada.userId}** created`;
  const single = note('new channels', `${created} a new channel #**${first}**.`);
  expect(await drainSources(queue)).toEqual([single]);

  await join(ada, [second, third], announce);
  const list = `#**${second}**, #**${third}**`;
  const several = note('new channels', `${created} the following channels: ${list}.`);
  expect(await drainSources(queue)).toEqual([several]);
  await write({});
});
