import { deliverScheduledMessage } from '#functions/workers/deliver-scheduled-message.ts';
import { join } from '#tests/api/joining/joining-calls.ts';
import type { World } from '#tests/conformance/world.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import type { Client, Reply } from '#tests/harness/client.ts';
import { createUser } from '#tests/harness/scene.ts';

/** More messages than one transaction moves. */
const MANY = 80;
const LATER_SECONDS = 3600;

async function succeed(reply: Promise<Reply>): Promise<Reply['body']> {
  const { status, body } = await reply;
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

async function newSubscriber({ service, channel }: World): Promise<Client> {
  const user = await createUser(service, 'Subscriber');
  await user.subscribe(channel);
  return user;
}

/** The actions that leave the jobs that no sample leaves, by type. */
export const otherJobs: Record<string, (world: World) => Promise<unknown>> = {
  async 'notify-scheduling-failure'(world) {
    const { service, caller, nextNumber } = world;
    const user = await newSubscriber(world);
    const secret = await caller.subscribe(`secret ${nextNumber()}`, {
      principals: [caller.userId, user.userId],
      invite_only: true,
    });
    const { scheduled_message_id } = await succeed(
      user.post('/scheduled_messages', {
        type: 'channel',
        to: secret,
        topic: 'topic',
        content: 'later',
        scheduled_delivery_timestamp: Math.floor(service.services.clock.nowMs() / 1000) + LATER_SECONDS,
      }),
    );
    await succeed(caller.delete(`/streams/${secret}`));
    service.advance(LATER_SECONDS * 1000);
    await deliverScheduledMessage(service.services, {
      userId: user.userId,
      scheduledMessageId: scheduled_message_id,
    });
  },
  async 'mail-account-notice'({ service, caller, other }) {
    await succeed(caller.patch('/realm', { invite_required: false }));
    await succeed(sendForm(service.url, '/join/confirmation', { email: other.email }));
    await succeed(caller.patch('/realm', { invite_required: true }));
  },
  async 'mail-deactivation, delete-sent-messages'(world) {
    const user = await newSubscriber(world);
    await user.send(world.channel, 'topic', 'to be deleted');
    const actions = { delete_public_channel_messages: true };
    const params = { actions, deactivation_notification_comment: 'Thank you' };
    await succeed(world.caller.delete(`/users/${user.userId}`, params));
  },
  async 'mail-organization-deletion'({ caller }) {
    await succeed(caller.post('/realm/deactivate', { deletion_delay_days: 1 }));
  },
  async 'mail-address-change'(world) {
    const user = await newSubscriber(world);
    await succeed(user.patch('/settings', { email: `wanted${world.nextNumber()}@example.org` }));
  },
  async 'complete-joining'({ service, caller, nextNumber }) {
    const group = { name: `joined ${nextNumber()}`, description: '', members: [] };
    const { group_id } = await succeed(caller.post('/user_groups/create', group));
    await join(service, caller, { group_ids: [group_id] });
  },
  async 'forget-message-parts'({ caller, channel }) {
    const messageId = await caller.send(channel, 'topic', 'to be deleted');
    await succeed(caller.post(`/messages/${messageId}/reactions`, { emoji_name: 'tada' }));
    await succeed(caller.delete(`/messages/${messageId}`));
  },
  async 'move-messages, move-topic-preferences'({ caller, channel }) {
    const first = await caller.send(channel, 'long topic', 'first');
    for (let count = 1; count < MANY; count++) await caller.send(channel, 'long topic', 'next');
    await succeed(caller.patch(`/messages/${first}`, { topic: 'other topic', propagate_mode: 'change_all' }));
  },
  async 'call-webhook, report-webhook-failure'({ caller, nextNumber }) {
    const bot = await succeed(
      caller.post('/bots', {
        full_name: 'Outgoing Bot',
        short_name: `outgoing${nextNumber()}`,
        bot_type: 3,
        payload_url: '"https://bots.invalid/"',
      }),
    );
    await succeed(caller.post('/messages', { type: 'direct', to: [bot.user_id], content: 'hi' }));
  },
  async 'preview-links'({ caller, channel }) {
    await caller.send(channel, 'pictures', 'https://pictures.invalid/cat.png');
  },
  async 'follow-mentioned'(world) {
    const user = await newSubscriber(world);
    await succeed(user.patch('/settings', { automatically_follow_topics_where_mentioned: true }));
    await world.caller.send(world.channel, 'mentioned', `@**Subscriber|${user.userId}**`);
  },
};
