import { describe, expect, test } from 'vitest';
import { systemGroups } from '#shared/domain/user-groups/group-setting.ts';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers, drainMessages, idsOf } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const moderator = await service.createUser('Moderator', roles.moderator);
const [ada, bo, cy, bot] = await createUsers(service, 'Ada', 'Bo', 'Cy', 'Robot');
await service.makeBot(bot, ada);

const OFF = 'Direct messages are disabled in this organization.';
const NO_START = 'You do not have permission to initiate direct message conversations.';

async function setPolicy(permitted: number, initiators: number): Promise<void> {
  const { status } = await service.owner.patch('/realm', {
    direct_message_permission_group: { new: permitted },
    direct_message_initiator_group: { new: initiators },
  });
  expect(status).toBe(200);
}
const write = (from: Client, to: Client[], content = 'hello') =>
  from.post('/messages', { type: 'direct', to: to.map(({ userId }) => userId), content });

describe('The right to send direct messages', () => {
  test('Belongs to no user if the organization turned them off, scheduled ones included', async () => {
    await setPolicy(systemGroups.nobody, systemGroups.everyone);
    expectRefusal(await write(ada, [bo]), OFF);
    const later = { type: 'direct', to: [bo.userId], content: 'later' };
    const scheduled = { ...later, scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 600 };
    expectRefusal(await ada.post('/scheduled_messages', scheduled), OFF);
  });

  test('Always includes messages to bots, from bots, and to oneself', async () => {
    await setPolicy(systemGroups.nobody, systemGroups.nobody);
    const queue = await ada.listen({ event_types: ['message'] });
    const replies = [await write(ada, [bot]), await write(bot, [ada, bo]), await write(ada, [ada])];
    expect(idsOf(await drainMessages(queue))).toEqual(replies.map(({ body }) => body.id));
  });

  test('Belongs to users whose conversation has an authorizing participant', async () => {
    await setPolicy(systemGroups.moderators, systemGroups.everyone);
    const msg = 'This conversation does not include any users who can authorize it.';
    expectRefusal(await write(ada, [bo]), msg);
    expect((await write(ada, [bo, moderator])).status).toBe(200);
  });

  test('Includes new conversations for the group that starts them, and existing ones for everyone', async () => {
    await setPolicy(systemGroups.everyone, systemGroups.moderators);
    expectRefusal(await write(ada, [cy]), NO_START);
    expect((await write(moderator, [ada])).status).toBe(200);
    expect((await write(ada, [moderator])).status).toBe(200);
  });

  test('Depends for full members on the age of the account', async () => {
    await setPolicy(systemGroups.everyone, systemGroups.fullMembers);
    await service.owner.patch('/realm', { waiting_period_threshold: 3 });
    expectRefusal(await write(cy, [bo]), NO_START);
    service.advance(3 * 24 * 3600 * 1000);
    expect((await write(cy, [bo])).status).toBe(200);
  });
});
