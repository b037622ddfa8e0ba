import { describe, expect, test } from 'vitest';
import { people } from '#tests/api/user-groups/group-calls.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectEachRefused, join, leave, newName } from '../channel-calls.ts';
import { membersOf } from '../channel-records.ts';

const service = await startTestService();
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const guest = await createUser(service, 'Guest', 600);

const only = (client: Client) => ({ principals: [client.userId] });
const everyone = () => ({ principals: [ada, bo, cy, guest].map(({ userId }) => userId) });
const insufficient = 'Insufficient permission';

const expectUnknown = async (client: Client, name: string, params = {}) =>
  expectRefusal(await leave(client, [name], params), `Channel '${name}' does not exist`, {
    code: 'STREAM_DOES_NOT_EXIST',
    stream: name,
  });

describe('Unsubscribing', () => {
  const reply = proves('unsubscribe.1', 'unsubscribe.3', 'unsubscribe.8', 'unsubscribe.9');
  test('Returns which channels the caller left and which they had left before', reply, async () => {
    const [removed, foreign] = [[newName(), newName()], newName()];
    await join(ada, removed);
    await join(bo, [foreign]);
    const { body } = await leave(ada, [...removed, foreign]);
    expect(body).toEqual({ result: 'success', msg: '', removed, not_removed: [foreign] });
    expect((await leave(ada, removed)).body).toMatchObject({ removed: [], not_removed: removed });
  });

  test('Accepts names in any letter case and with white space around them, each once', async () => {
    const name = newName('Mixed');
    await join(ada, [name]);
    const { body } = await leave(ada, [` ${name.toUpperCase()} `, name]);
    expect(body).toMatchObject({ removed: [name], not_removed: [] });
  });

  test('Works for guests, and for the last subscriber', async () => {
    const name = newName();
    const channelId = await ada.subscribe(name, { principals: [ada.userId, guest.userId] });
    for (const client of [guest, ada]) expect((await leave(client, [name])).body.removed).toEqual([name]);
    expect((await membersOf(ada, channelId)).body.subscribers).toEqual([]);
  });

  test('Changes nothing and succeeds for a private channel that the caller has left already', async () => {
    const name = newName();
    await join(ada, [name], { invite_only: true, ...everyone() });
    await leave(bo, [name]);
    expect((await leave(bo, [name])).body).toMatchObject({ removed: [], not_removed: [name] });
  });
});

describe('Unsubscribing from a channel that the caller may not know', () => {
  test('Fails as if it did not exist', proves('unsubscribe.10'), async () => {
    const [secret, open] = [newName('secret'), newName()];
    await join(ada, [secret], { invite_only: true });
    await join(ada, [open]);
    for (const name of ['nowhere', secret, secret.toUpperCase(), 'x'.repeat(5000), ''])
      await expectUnknown(bo, name);
    await expectUnknown(bo, secret, only(ada));
    await expectUnknown(guest, open);
  });

  test('Fails the whole call, naming the first that is unknown', proves('unsubscribe.10'), async () => {
    const name = newName();
    const channelId = await ada.subscribe(name);
    const refusal = { code: 'STREAM_DOES_NOT_EXIST', stream: 'nowhere' };
    const refused = await leave(ada, [name, 'nowhere', 'neverland']);
    expectRefusal(refused, "Channel 'nowhere' does not exist", refusal);
    expect((await membersOf(ada, channelId)).body.subscribers).toEqual([ada.userId]);
  });
});

describe('Unsubscribing others', () => {
  const administrators = proves('unsubscribe.3', 'unsubscribe.4');
  test('Works for administrators in any channel, even private', administrators, async () => {
    const admin = await createUser(service, 'Admin', 200);
    const names = [newName(), newName()];
    await join(ada, names.slice(0, 1), everyone());
    await join(ada, names.slice(1), { invite_only: true, ...everyone() });
    for (const [remover, target] of [
      [service.owner, cy],
      [admin, bo],
    ] as const)
      expect((await leave(remover, names, only(target))).body.removed).toEqual(names);
  });

  test('Fails for other users in channels that others created', proves('unsubscribe.7'), async () => {
    const moderator = await createUser(service, 'Moderator', 300);
    const name = newName();
    const channelId = await ada.subscribe(name, everyone());
    for (const remover of [bo, moderator, guest])
      expectRefusal(await leave(remover, [name], only(cy)), insufficient);
    expectRefusal(await leave(bo, [name], { principals: [bo.userId, cy.userId] }), insufficient);
    expect((await membersOf(ada, channelId)).body.subscribers).toEqual(everyone().principals);
  });

  test('Works for the creator of a channel, who administers it', async () => {
    const name = newName();
    await join(ada, [name], everyone());
    expect((await leave(ada, [name], only(bo))).body.removed).toEqual([name]);
  });

  test('Works for can_remove_subscribers_group in known channels', proves('unsubscribe.6'), async () => {
    const [open, inside, outside] = [newName(), newName(), newName()];
    const params = { can_remove_subscribers_group: people(bo), principals: [ada.userId, cy.userId] };
    await join(ada, [open], params);
    await join(ada, [inside, outside], { ...params, invite_only: true });
    await join(ada, [inside], only(bo));
    expect((await leave(bo, [open, inside], only(cy))).body.removed).toEqual([open, inside]);
    await expectUnknown(bo, outside, only(cy));
    expectRefusal(await leave(cy, [open], only(ada)), insufficient);
  });

  test('Works for the owner of a bot in known channels', proves('unsubscribe.5'), async () => {
    const bot = await createUser(service, 'Robo');
    await service.makeBot(bot, bo);
    const [open, secret] = [newName(), newName()];
    await join(ada, [open], only(bot));
    await join(ada, [secret], { invite_only: true, principals: [ada.userId, bot.userId] });
    expectRefusal(await leave(cy, [open], only(bot)), insufficient);
    expectRefusal(await leave(bot, [open], only(bo)), insufficient);
    expect((await leave(bo, [open], only(bot))).body.removed).toEqual([open]);
    await expectUnknown(bo, secret, only(bot));
  });

  test('Lists a channel as both if some people were in it and others were not', async () => {
    const name = newName();
    await join(ada, [name], { principals: [ada.userId, bo.userId] });
    const { body } = await leave(service.owner, [name], { principals: [bo.email, cy.email] });
    expect(body).toMatchObject({ removed: [name], not_removed: [name] });
  });
});

describe('Parameters of unsubscribing', () => {
  const types = proves('unsubscribe.2', 'unsubscribe.3');
  test('With the wrong type are refused with the name of the wrong part', types, async () => {
    await expectEachRefused(
      (params) => leave(ada, [], params),
      [
        [{ subscriptions: 'design' }, 'subscriptions is not valid JSON'],
        [{ subscriptions: { name: 'x' } }, 'subscriptions is not a list'],
        [{ subscriptions: [{ name: 'x' }] }, 'subscriptions[0] is not a string'],
        [{ principals: 5 }, 'principals is not a list'],
      ],
    );
  });

  test('Must name active principals, or no user is removed', proves('unsubscribe.11'), async () => {
    const gone = await createUser(service, 'Gone');
    const name = newName();
    const channelId = await ada.subscribe(name, { principals: [ada.userId, gone.userId] });
    await service.deactivate(gone);
    await expectEachRefused(
      (params) => leave(service.owner, [name], params),
      [
        [{ principals: [ada.userId, 424242] }, 'No such user'],
        [{ principals: [ada.email, 'nobody@example.com'] }, 'No such user'],
        [{ principals: [ada.userId, gone.userId] }, 'User is deactivated'],
      ],
    );
    expect((await membersOf(ada, channelId)).body.subscribers).toContain(ada.userId);
  });
});
