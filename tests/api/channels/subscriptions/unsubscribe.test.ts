import { describe, expect, test } from 'vitest';
import { expectEachRefused, join, leave, membersOf, newName } from '#tests/api/channels/channel-calls.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

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
  test(
    'Returns which channels the caller left and which they had left before',
    proves('unsubscribe.1', 'unsubscribe.3', 'unsubscribe.8', 'unsubscribe.9'),
    async () => {
      const [one, two, three] = [newName(), newName(), newName()];
      await join(ada, [one, two]);
      await join(bo, [three]);
      const { body } = await leave(ada, [one, two, three]);
      expect(body).toEqual({ result: 'success', msg: '', removed: [one, two], not_removed: [three] });
      expect((await leave(ada, [one])).body).toMatchObject({ removed: [], not_removed: [one] });
    },
  );

  test('Accepts names in any letter case and with white space around them, each once', async () => {
    const name = newName('Mixed');
    await join(ada, [name]);
    const { body } = await leave(ada, [` ${name.toUpperCase()} `, name]);
    expect(body).toMatchObject({ removed: [name], not_removed: [] });
  });

  test('Works for guests, and for the last subscriber', async () => {
    const name = newName();
    const channelId = await ada.subscribe(name, { principals: [ada.userId, guest.userId] });
    expect((await leave(guest, [name])).body.removed).toEqual([name]);
    expect((await leave(ada, [name])).body.removed).toEqual([name]);
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
  test(
    'Fails as if it did not exist: a missing one, a private one, and any public one for a guest',
    proves('unsubscribe.10'),
    async () => {
      const [secret, open] = [newName('secret'), newName()];
      await join(ada, [secret], { invite_only: true });
      await join(ada, [open]);
      await expectUnknown(bo, 'nowhere');
      await expectUnknown(bo, secret);
      await expectUnknown(bo, secret.toUpperCase());
      await expectUnknown(bo, secret, only(ada));
      await expectUnknown(guest, open);
      await expectUnknown(bo, 'x'.repeat(5000));
      await expectUnknown(bo, '');
    },
  );

  test('Fails the whole call, naming the first that is unknown', proves('unsubscribe.10'), async () => {
    const name = newName();
    const channelId = await ada.subscribe(name);
    expectRefusal(await leave(ada, [name, 'nowhere', 'neverland']), "Channel 'nowhere' does not exist", {
      code: 'STREAM_DOES_NOT_EXIST',
      stream: 'nowhere',
    });
    expect((await membersOf(ada, channelId)).body.subscribers).toEqual([ada.userId]);
  });
});

describe('Unsubscribing others', () => {
  test(
    'Works for administrators in any channel, private ones that they are not in included',
    proves('unsubscribe.3', 'unsubscribe.4'),
    async () => {
      const admin = await createUser(service, 'Admin', 200);
      const [open, secret] = [newName(), newName()];
      await join(ada, [open], everyone());
      await join(ada, [secret], { invite_only: true, ...everyone() });
      for (const remover of [service.owner, admin]) {
        const target = remover === admin ? bo : cy;
        expect((await leave(remover, [open, secret], only(target))).body.removed).toEqual([open, secret]);
      }
    },
  );

  test(
    'Fails for members, moderators and guests in channels that others created',
    proves('unsubscribe.7'),
    async () => {
      const moderator = await createUser(service, 'Moderator', 300);
      const name = newName();
      const channelId = await ada.subscribe(name, everyone());
      for (const remover of [bo, moderator, guest])
        expectRefusal(await leave(remover, [name], only(cy)), insufficient);
      expectRefusal(await leave(bo, [name], { principals: [bo.userId, cy.userId] }), insufficient);
      expect((await membersOf(ada, channelId)).body.subscribers).toEqual(everyone().principals);
    },
  );

  test('Works for the creator of a channel, who administers it', async () => {
    const name = newName();
    await join(ada, [name], everyone());
    expect((await leave(ada, [name], only(bo))).body.removed).toEqual([name]);
  });

  test(
    'Works for members of can_remove_subscribers_group in channels that they can access',
    proves('unsubscribe.6'),
    async () => {
      const group = { direct_members: [bo.userId], direct_subgroups: [] };
      const [open, inside, outside] = [newName(), newName(), newName()];
      const settings = { can_remove_subscribers_group: group };
      const principals = [ada.userId, cy.userId];
      await join(ada, [open], { ...settings, principals });
      await join(ada, [inside], { ...settings, invite_only: true, principals: [...principals, bo.userId] });
      await join(ada, [outside], { ...settings, invite_only: true, principals });
      expect((await leave(bo, [open, inside], only(cy))).body.removed).toEqual([open, inside]);
      await expectUnknown(bo, outside, only(cy));
      expectRefusal(await leave(cy, [open], only(ada)), insufficient);
    },
  );

  test(
    'Works for the owner of a bot in channels that the owner can access',
    proves('unsubscribe.5'),
    async () => {
      const bot = await createUser(service, 'Robo');
      await service.makeBot(bot, bo);
      const [open, secret] = [newName(), newName()];
      await join(ada, [open], only(bot));
      await join(ada, [secret], { invite_only: true, principals: [ada.userId, bot.userId] });
      expectRefusal(await leave(cy, [open], only(bot)), insufficient);
      expectRefusal(await leave(bot, [open], only(bo)), insufficient);
      expect((await leave(bo, [open], only(bot))).body.removed).toEqual([open]);
      await expectUnknown(bo, secret, only(bot));
    },
  );

  test('Lists a channel as both if some people were in it and others were not', async () => {
    const name = newName();
    await join(ada, [name], { principals: [ada.userId, bo.userId] });
    const { body } = await leave(service.owner, [name], { principals: [bo.email, cy.email] });
    expect(body).toMatchObject({ removed: [name], not_removed: [name] });
  });
});

describe('Parameters of unsubscribing', () => {
  test(
    'With the wrong type are refused with the name of the wrong part',
    proves('unsubscribe.2', 'unsubscribe.3'),
    async () => {
      await expectEachRefused(
        (params) => ada.delete('/users/me/subscriptions', { subscriptions: [], ...params }),
        [
          [{ subscriptions: 'design' }, 'subscriptions is not valid JSON'],
          [{ subscriptions: { name: 'x' } }, 'subscriptions is not a list'],
          [{ subscriptions: [{ name: 'x' }] }, 'subscriptions[0] is not a string'],
          [{ principals: 5 }, 'principals is not a list'],
        ],
      );
    },
  );

  test(
    'Must name principals who exist and are active; otherwise no user is removed',
    proves('unsubscribe.11'),
    async () => {
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
    },
  );
});
