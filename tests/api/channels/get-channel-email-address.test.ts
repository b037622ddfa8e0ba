import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { createBot } from '#tests/api/bots/bots.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { archiveChannel, createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', roles.guest);

const getAddress = (client: Client, channelId: number, params: Params = {}) =>
  client.get(`/streams/${channelId}/email_address`, params);
const MAY_NOT_POST = 'You do not have permission to post in this channel.';

describe('The e-mail address of a channel', () => {
  test('Remains empty, since the service receives no mail', async () => {
    const { channelId } = await createChannel(service, [ada]);
    for (const client of [ada, bo, service.owner]) {
      const { status, body } = await getAddress(client, channelId);
      expect([status, body]).toEqual([200, { result: 'success', msg: '', email: '' }]);
    }
  });

  test('Can be requested for oneself or an own bot, and by administrators for any bot', async () => {
    const { channelId } = await createChannel(service, [ada]);
    const bot = await createBot(ada);
    for (const sender of [ada, bot])
      expect((await getAddress(ada, channelId, { sender_id: sender.userId })).status).toBe(200);
    expect((await getAddress(service.owner, channelId, { sender_id: bot.userId })).status).toBe(200);
    expectRefusal(await getAddress(bo, channelId, { sender_id: bot.userId }), 'Insufficient permission');
    for (const sender_id of [bo.userId, 99_999])
      expectRefusal(await getAddress(ada, channelId, { sender_id }), 'No such bot');
    expectRefusal(await getAddress(ada, channelId, { sender_id: '"me"' }), 'sender_id is not an integer');
  });

  test('Requires an owner if the bot is an owner', async () => {
    const { channelId } = await createChannel(service, [ada]);
    const administrator = await createUser(service, 'Admin', roles.administrator);
    const bot = await createBot(service.owner);
    await service.setRole(bot.email, roles.owner);
    expect((await getAddress(service.owner, channelId, { sender_id: bot.userId })).status).toBe(200);
    expectRefusal(
      await getAddress(administrator, channelId, { sender_id: bot.userId }),
      'Must be an organization owner',
      { code: 'UNAUTHORIZED_PRINCIPAL' },
    );
  });

  test('Requires the right to post', async () => {
    const closed = await createChannel(service, [ada, guest], { can_send_message_group: 1 });
    expectRefusal(await getAddress(guest, closed.channelId), MAY_NOT_POST);
    expectRefusal(await getAddress(bo, closed.channelId), MAY_NOT_POST);
    const secret = await createChannel(service, [ada], { invite_only: true });
    expectRefusal(
      await getAddress(service.owner, secret.channelId),
      `Not authorized to send to channel '${secret.name}'`,
    );
    const old = await createChannel(service, [ada]);
    await archiveChannel(service, old);
    expectRefusal(await getAddress(ada, old.channelId), `Not authorized to send to channel '${old.name}'`);
  });
});
