import { describe, expect, test } from 'vitest';
import { people } from '#tests/api/user-groups/group-calls.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectEachRefused, join, MEMBERS_ONLY, newName } from '../channel-calls.ts';
import { membersOf, subscriptionOf } from '../channel-records.ts';

const service = await startTestService();
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const guest = await createUser(service, 'Guest', 600);

const only = (client: Client) => ({ principals: [client.userId] });
/** The client subscribes itself, or the principals of the parameters, and only this is new. */
async function expectSubscribed(by: Client, name: string, params: Params = only(by)): Promise<void> {
  const { body } = await join(by, [name], params);
  const [userId] = params.principals as [number];
  expect(body.subscribed).toEqual({ [userId]: [name] });
}
const cannotAccess = (name: string): string => `Unable to access channel (${name}).`;

describe('The principals', () => {
  test('Can be ids or e-mail addresses, each once', proves('subscribe.10', 'subscribe.36'), async () => {
    const [byId, byEmail] = [newName(), newName()];
    const ids = await join(ada, [byId], { principals: [cy.userId, bo.userId, bo.userId] });
    expect(ids.body.subscribed).toEqual({ [bo.userId]: [byId], [cy.userId]: [byId] });
    const principals = [bo.email, ` ${bo.email.toUpperCase()} `, ada.email];
    const emails = await join(ada, [byEmail], { principals });
    expect(emails.body.subscribed).toEqual({ [ada.userId]: [byEmail], [bo.userId]: [byEmail] });
  });

  test('Default to the caller if the list is empty', proves('subscribe.10'), async () => {
    const name = newName();
    expect((await join(ada, [name], { principals: [] })).body.subscribed).toEqual({ [ada.userId]: [name] });
  });

  test('Appear in the reply as new or as subscribed already', async () => {
    const [old, fresh] = [newName(), newName()];
    await join(ada, [old]);
    const { body } = await join(ada, [old, fresh], { principals: [ada.userId, bo.userId] });
    expect(body.subscribed).toEqual({ [ada.userId]: [fresh], [bo.userId]: [old, fresh] });
    expect(body.already_subscribed).toEqual({ [ada.userId]: [old] });
  });

  const active = proves('subscribe.34', 'subscribe.35');
  test('Must exist and be active; otherwise no user is subscribed', active, async () => {
    const gone = await createUser(service, 'Gone');
    await service.deactivate(gone);
    const name = newName();
    const channelId = await ada.subscribe(name);
    const bot = 1;
    await expectEachRefused(
      (params) => join(ada, [name], params),
      [
        [{ principals: [bo.userId, 424242] }, 'No such user'],
        [{ principals: [bo.email, 'nobody@example.com'] }, 'No such user'],
        [{ principals: [bo.userId, gone.userId] }, 'User is deactivated'],
        [{ principals: [gone.email] }, 'User is deactivated'],
        [{ principals: [bo.userId, bot] }, 'No such user'],
        [{ principals: bo.userId }, 'principals is not a list'],
      ],
    );
    expect((await membersOf(ada, channelId)).body.subscribers).toEqual([ada.userId]);
  });
});

describe('Subscribing oneself', () => {
  test('Works for members in public channels', proves('subscribe.1'), async () => {
    const name = newName();
    await join(ada, [name]);
    await expectSubscribed(bo, name);
  });

  test('Fails for everyone in private channels, administrators included', async () => {
    const name = newName();
    const channelId = await ada.subscribe(name, { invite_only: true });
    for (const client of [bo, service.owner]) expectRefusal(await join(client, [name]), cannotAccess(name));
    expect((await membersOf(ada, channelId)).body.subscribers).toEqual([ada.userId]);
  });

  const settings = ['can_subscribe_group', 'can_add_subscribers_group'];
  test.each(settings)('Works in private channels for %s', proves('subscribe.4'), async (setting) => {
    const name = newName();
    await join(ada, [name], { invite_only: true, [setting]: people(bo) });
    await expectSubscribed(bo, name);
    expectRefusal(await join(cy, [name]), cannotAccess(name));
  });

  test('Works for guests only if can_subscribe_group of the channel has them', async () => {
    const [open, closed, addable] = [newName(), newName(), newName()];
    await join(ada, [open], { can_subscribe_group: people(guest) });
    await join(ada, [closed]);
    await join(ada, [addable], { can_add_subscribers_group: people(guest) });
    await expectSubscribed(guest, open);
    for (const name of [closed, addable]) expectRefusal(await join(guest, [name]), cannotAccess(name));
  });
});

describe('Subscribing others', () => {
  const publicly = proves('subscribe.1', 'subscribe.33');
  test('Works for members in public channels, subscribed or not', publicly, async () => {
    const name = newName();
    await join(ada, [name]);
    for (const client of [cy, guest]) await expectSubscribed(bo, name, only(client));
  });

  test('Works for no outsider of a private channel, not even owners', proves('subscribe.4'), async () => {
    const name = newName();
    await join(ada, [name], { invite_only: true, principals: [ada.userId, bo.userId] });
    for (const client of [cy, service.owner])
      expectRefusal(await join(client, [name], only(guest)), cannotAccess(name));
    await expectSubscribed(bo, name, only(cy));
  });

  const adders = proves('subscribe.32', 'subscribe.37');
  test('Works for outsiders in can_add_subscribers_group of a private channel', adders, async () => {
    const name = newName();
    await join(ada, [name], { invite_only: true, can_add_subscribers_group: people(bo) });
    await expectSubscribed(bo, name, only(cy));
    expect(await subscriptionOf(bo, name)).toBeUndefined();
  });

  test('Fails for guests, even in their own channels', async () => {
    const name = newName();
    const channelId = await ada.subscribe(name, { principals: [ada.userId, guest.userId] });
    for (const principals of [[bo.userId], [guest.userId, bo.userId], [bo.email]])
      expectRefusal(await join(guest, [name], { principals }), ...MEMBERS_ONLY);
    expect((await membersOf(ada, channelId)).body.subscribers).toEqual([ada.userId, guest.userId]);
  });

  test('Works with bots for everybody, and bots may subscribe themselves', async () => {
    const bot = await createUser(service, 'Robo');
    await service.makeBot(bot, bo);
    const [others, own] = [newName(), newName()];
    await join(ada, [others], only(bot));
    await join(bot, [own]);
    expect(await subscriptionOf(bot, others)).toMatchObject({ creator_id: ada.userId });
    expect(await subscriptionOf(bot, own)).toMatchObject({ creator_id: bot.userId });
  });
});

describe('A channel that the caller may not subscribe to', () => {
  test('Fails the whole call, and nothing is created or subscribed', proves('subscribe.11'), async () => {
    const [secret, open, fresh] = [newName('secret'), newName(), newName()];
    await join(ada, [secret], { invite_only: true });
    const openId = await ada.subscribe(open);
    expectRefusal(await join(bo, [open, secret, fresh]), cannotAccess(secret));
    expect((await membersOf(ada, openId)).body.subscribers).toEqual([ada.userId]);
    expectRefusal(await ada.get('/get_stream_id', { stream: fresh }), `Invalid channel name '${fresh}'`);
  });

  test('Appears in the reply if errors are not fatal', proves('subscribe.12'), async () => {
    const [secret, open, fresh] = [newName('secret'), newName(), newName()];
    await join(ada, [secret], { invite_only: true });
    await join(ada, [open]);
    const { body } = await join(bo, [secret, open, fresh], { authorization_errors_fatal: false });
    expect(body).toMatchObject({ subscribed: { [bo.userId]: [open, fresh] }, unauthorized: [secret] });
    const allowed = await join(bo, [open], { authorization_errors_fatal: false });
    expect(allowed.body.unauthorized).toEqual([]);
  });

  test('Appears with all others if there are several', async () => {
    const names = [newName('secret'), newName('secret')];
    await join(ada, names, { invite_only: true });
    expectRefusal(await join(bo, names), cannotAccess(names.join(', ')));
  });

  test('Appears in the spelling of the caller, never with its stored name', async () => {
    const name = newName('Project Nightfall');
    await join(ada, [name], { invite_only: true });
    const guess = name.toLowerCase();
    expectRefusal(await join(bo, [guess]), cannotAccess(guess));
    const { body } = await join(bo, [guess], { authorization_errors_fatal: false });
    expect(body.unauthorized).toEqual([guess]);
  });

  test('Looks to a guest as if it did not exist if it is private', async () => {
    const [secret, missing] = [newName('secret'), newName('missing')];
    await join(ada, [secret], { invite_only: true });
    for (const params of [{}, { authorization_errors_fatal: false }, { invite_only: true }]) {
      const [real, imagined] = [await join(guest, [secret], params), await join(guest, [missing], params)];
      const described = JSON.stringify(imagined.body).replaceAll(missing, secret);
      expect([real.status, JSON.stringify(real.body)]).toEqual([imagined.status, described]);
    }
  });
});
