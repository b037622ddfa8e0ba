import { afterAll, beforeAll, expect, test } from 'vitest';
import { join, newName, subscriptionOf } from '#tests/api/channels/channel-calls.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

let service: TestService;
let ada: Client;
let bo: Client;
let guest: Client;
beforeAll(async () => {
  service = await startTestService();
  [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  guest = await createUser(service, 'Guest', 600);
});
afterAll(() => service.stop());

const edit = (client: Client, params: object) => client.patch('/users/me/subscriptions', { ...params });

test('channels are joined, created and left in one call', async () => {
  const [left, joined, created, stayed] = [newName(), newName(), newName(), newName()];
  await join(bo, [left, joined]);
  await join(ada, [left, stayed]);
  await expectConsistentSnapshot(service, [service.owner, ada, bo, guest], async () => {
    const { body } = await edit(ada, {
      add: [{ name: joined, color: '#00ff00' }, { name: created, description: 'Fresh' }, { name: stayed }],
      delete: [left.toUpperCase(), joined.slice(0, 0) + joined],
    });
    expect(body).toMatchObject({
      subscribed: { [ada.userId]: [joined, created] },
      already_subscribed: { [ada.userId]: [stayed] },
      removed: [left, joined],
      not_removed: [],
    });
  });
  expect((await subscriptionOf(ada, created)).description).toBe('Fresh');
});

test('leaving is enough, and leaving again says so', async () => {
  const name = newName();
  await join(ada, [name]);
  expect((await edit(ada, { delete: [name] })).body).toMatchObject({ removed: [name], not_removed: [] });
  expect((await edit(ada, { delete: [name] })).body).toMatchObject({ removed: [], not_removed: [name] });
});

test('a channel that is created beside others is not announced', async () => {
  const news = await ada.subscribe(newName('news'));
  await service.owner.patch('/realm', { new_stream_announcements_stream_id: news });
  await service.settle();
  const queue = await ada.listen({ event_types: ['message'] });
  const name = newName();
  await edit(ada, { add: [{ name }] });
  await service.settle();
  expect((await queue.drain()).map(({ message }) => message.display_recipient)).toEqual([name]);
});

test('nothing happens when one part cannot', async () => {
  const [mine, secret, fresh] = [newName(), newName(), newName()];
  await join(ada, [mine]);
  await join(bo, [secret], { invite_only: true });
  const nothing = 'Nothing to do. Specify at least one of "add" or "delete".';
  for (const params of [{}, { add: [], delete: [] }]) expectRefusal(await edit(ada, params), nothing);
  for (const name of ['no such channel', secret])
    expectRefusal(
      await edit(ada, { add: [{ name: fresh }], delete: [mine, name] }),
      `Channel '${name}' does not exist`,
      { code: 'STREAM_DOES_NOT_EXIST', stream: name },
    );
  expectRefusal(
    await edit(ada, { add: [{ name: secret }], delete: [mine] }),
    `Unable to access channel (${secret}).`,
  );
  expectRefusal(
    await edit(ada, { add: [{ name: fresh, color: 'blue' }] }),
    'add[0]["color"] is not a valid hex color code',
  );
  expectRefusal(await edit(guest, { add: [{ name: fresh }] }), 'Must be an organization member', {
    code: 'UNAUTHORIZED_PRINCIPAL',
  });
  expect(await subscriptionOf(ada, mine)).toBeDefined();
  expect((await ada.get('/get_stream_id', { stream: fresh })).status).toBe(400);
});
