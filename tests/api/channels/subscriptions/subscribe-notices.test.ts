import { describe, expect, test } from 'vitest';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { join, leave, newName } from '#tests/api/channels/channel-calls.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, EventQueue } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { createUser, createUsers, drainMessages } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const listen = (client: Client): Promise<EventQueue> => client.listen({ event_types: ['message'] });

/** The message sources of a queue, once all the workers are done. */
async function heard(queue: EventQueue) {
  await service.settle();
  const messages = await drainMessages(queue);
  return messages.map(({ type, sender_full_name, subject, content }) => {
    expect(sender_full_name).toBe('Notification Bot');
    return { type, subject, content };
  });
}

const notice = (content: string) => ({ type: 'private', subject: '', content });
const note = (subject: string, content: string) => ({ type: 'stream', subject, content });

describe('A notice to a person whom another user subscribed', () => {
  test('Comes from the notification bot, once for a channel', async () => {
    const name = newName();
    await join(ada, [name]);
    await service.settle();
    const queue = await listen(bo);
    const { body } = await join(ada, [name], { principals: [bo.userId] });
    expect(body.new_subscription_messages_sent).toBe(true);
    const expected = notice(`@**Ada|${ada.userId}** subscribed you to the channel #**${name}**.`);
    expect(await heard(queue)).toEqual([expected]);
    await join(ada, [name], { principals: [bo.userId] });
    expect(await heard(queue)).toEqual([]);
  });

  test('Names several channels in one message', async () => {
    const names = [newName(), newName()];
    await join(ada, names);
    await service.settle();
    const queue = await listen(bo);
    await join(ada, names, { principals: [bo.userId] });
    const list = names.map((name) => `* #**${name}**`).join('\n');
    const expected = notice(`@**Ada|${ada.userId}** subscribed you to the following channels:\n\n${list}`);
    expect(await heard(queue)).toEqual([expected]);
  });

  test('Names only channels that are new to them', async () => {
    const [old, fresh] = [newName(), newName()];
    await join(ada, [old, fresh]);
    await join(bo, [old]);
    await service.settle();
    const queue = await listen(bo);
    await join(ada, [old, fresh], { principals: [bo.userId] });
    const expected = notice(`@**Ada|${ada.userId}** subscribed you to the channel #**${fresh}**.`);
    expect(await heard(queue)).toEqual([expected]);
  });

  test('Leaves out channels that they have left before a late notice', async () => {
    const [kept, left] = [newName(), newName()];
    await join(ada, [kept, left]);
    await service.settle();
    const queue = await listen(bo);
    const release = holdJobs(service);
    await join(ada, [kept, left], { principals: [bo.userId] });
    await leave(bo, [left]);
    await release();
    const expected = notice(`@**Ada|${ada.userId}** subscribed you to the channel #**${kept}**.`);
    expect(await heard(queue)).toEqual([expected]);

    const releaseAgain = holdJobs(service);
    await join(ada, [left], { principals: [bo.userId] });
    await leave(bo, [left]);
    await releaseAgain();
    expect(await heard(queue)).toEqual([]);
  });

  test('Can be turned off by the caller', async () => {
    const name = newName();
    await join(ada, [name]);
    await service.settle();
    const queue = await listen(bo);
    const params = { principals: [bo.userId], send_new_subscription_messages: false };
    const { body } = await join(ada, [name], params);
    expect(body).not.toHaveProperty('new_subscription_messages_sent');
    expect(await heard(queue)).toEqual([]);
  });

  test('Does not mention a channel that is created with them', async () => {
    const name = newName();
    const queue = await listen(bo);
    await join(ada, [name], { principals: [ada.userId, bo.userId] });
    expect((await heard(queue)).map(({ type }) => type)).toEqual(['stream']);
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
    for (const queue of queues) expect(await heard(queue)).toEqual([]);
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
    await ada.post('/users/me/subscriptions', {
      subscriptions: [{ name, description: 'what it is for' }],
      ...params,
    });
    const head = `**${policy}** channel created by @_**Ada|${ada.userId}**. **Description:**`;
    const expected = note('channel events', `${head}\n\`\`\`quote\nwhat it is for\n\`\`\``);
    expect(await heard(queue)).toEqual([expected]);
  });

  test('Mentions a missing description, and a description cannot break out of its quote', async () => {
    const queue = await listen(ada);
    await join(ada, [newName()]);
    await ada.post('/users/me/subscriptions', { subscriptions: [{ name: newName(), description: '````' }] });
    const quotes = (await heard(queue)).map(({ content }) => content.split('\n').slice(1));
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
    expect(await heard(queue)).toEqual([]);
    expect((await wish(true)).status).toBe(200);
  });

  test('Gets its note in the empty topic if it allows only that topic', async () => {
    const queue = await ada.listen({
      event_types: ['message'],
      client_capabilities: { empty_topic_name: true },
    });
    await join(ada, [newName()], { topics_policy: 'empty_topic_only' });
    expect((await heard(queue)).map(({ subject }) => subject)).toEqual(['']);
  });
});

describe('Announcing new channels', () => {
  test(
    'Posts public channels, and only those, to the announcement channel if there is one',
    proves('subscribe.13'),
    async () => {
      const place = newName('announcements');
      const announcementChannelId = await bo.subscribe(place);
      await service.settle();
      const queue = await listen(bo);
      await join(ada, [newName()], { announce: true });
      expect(await heard(queue)).toEqual([]);

      const key = organizationKeys.organization();
      await service.services.table.write({
        kind: 'update',
        key,
        set: { settings: { new_stream_announcements_stream_id: announcementChannelId } },
      });
      const names = [newName(), newName()];
      await join(ada, [newName()]);
      await join(ada, [newName('secret')], { announce: true, invite_only: true });
      await join(ada, [names[0] as string], { announce: true });
      await service.settle();
      await join(ada, [names[0] as string], { announce: true });
      const who = `@_**Ada|${ada.userId}** created`;
      expect(await heard(queue)).toEqual([note('new channels', `${who} a new channel #**${names[0]}**.`)]);

      const more = [newName(), newName()];
      await join(ada, more, { announce: true });
      const listed = more.map((name) => `#**${name}**`).join(', ');
      const expected = note('new channels', `${who} the following channels: ${listed}.`);
      expect(await heard(queue)).toEqual([expected]);
      await service.services.table.write({ kind: 'update', key, set: { settings: {} } });
    },
  );
});
