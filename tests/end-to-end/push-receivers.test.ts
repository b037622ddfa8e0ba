import { beforeEach, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { ping } from '#tests/api/presence/presences.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { addPhone, attachRelay, type Phone } from '#tests/harness/relay.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

let ada: Client;
let bo: Client;
let phone: Phone;
const service = await startTestService();
const relay = await attachRelay(service);

/** Ada has a telephone; Bo writes. */
beforeEach(async () => {
  [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  phone = await addPhone(service, ada);
  relay.received = [];
});

const contents = async () => {
  await service.settle();
  return relay.sentTo(phone).map(({ content }) => content);
};
const settings = (client: Client, values: Params) => client.patch('/settings', values);

describe('A present user', () => {
  const quietWhileHere = () => settings(ada, { enable_online_push_notifications: false });

  test('Gets notifications, unless they turned that off', async () => {
    await ping(ada);
    await bo.sendDirect([ada.userId], 'first');
    await service.settle();
    await quietWhileHere();
    await bo.sendDirect([ada.userId], 'second');
    expect(await contents()).toEqual(['first']);
  });

  test('Gets notifications after 200 seconds without activity if they turned that off', async () => {
    await quietWhileHere();
    await ping(ada);
    service.advance(190_000);
    await bo.sendDirect([ada.userId], 'here');
    await service.settle();
    service.advance(11_000);
    await bo.sendDirect([ada.userId], 'away');
    await service.settle();
    await ping(ada, { status: 'idle' });
    await bo.sendDirect([ada.userId], 'connected, but away');
    await service.settle();
    await ping(ada);
    await bo.sendDirect([ada.userId], 'here again');
    expect(await contents()).toEqual(['away', 'connected, but away']);
  });

  test('Must have reported presence: registering or a hidden presence does not count', async () => {
    await quietWhileHere();
    await ada.listen();
    await bo.sendDirect([ada.userId], 'never reported');
    await service.settle();
    await ping(ada);
    await settings(ada, { presence_enabled: false });
    await bo.sendDirect([ada.userId], 'hidden');
    await service.settle();
    await settings(ada, { presence_enabled: true });
    await bo.sendDirect([ada.userId], 'shown');
    expect(await contents()).toEqual(['never reported', 'hidden']);
  });
});

describe('A guest who sees only some people', () => {
  test('Gets notifications of other people’s messages without their names, if they are addressed', async () => {
    const guest = await createUser(service, 'Guest', roles.guest);
    const own = await addPhone(service, guest);
    await guest.patch('/settings', { enable_stream_push_notifications: true });
    const { name, channelId } = await createChannel(service, [ada, guest]);
    const limit = (group: number) =>
      service.owner.patch('/realm', { can_access_all_users_group: { new: group } });
    await limit(6);
    await bo.send(name, 'plans', 'from outside');
    await ada.send(channelId, 'plans', 'from inside');
    await service.settle();
    await bo.sendDirect([guest.userId], 'for you');
    await service.settle();
    const pushed = relay.sentTo(own).map(({ content, sender_full_name }) => [content, sender_full_name]);
    expect(pushed.slice(-3)).toEqual([
      ['from outside', 'Unknown user'],
      ['from inside', 'Ada'],
      ['for you', 'Bo'],
    ]);
    await limit(7);
  });
});
