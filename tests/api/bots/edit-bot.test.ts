import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { Client } from '#tests/harness/client.ts';
import { interrupt, reads } from '#tests/harness/interruption.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { botRecordOf, createBot, editBot, keep, shortName, storageOf } from './bots.ts';

const service = await startTestService();
const { owner } = service;
const administrator = await createUser(service, 'Administrator', roles.administrator);
const member = await createUser(service, 'Member');
const other = await createUser(service, 'Other');
const guest = await createUser(service, 'Guest', roles.guest);
const bot = await createBot(member);

const defaultsFor = (channel: string | null) => ({
  default_sending_stream: channel,
  default_events_register_stream: channel,
});
const everyone = () => [owner, administrator, member, other, guest];

describe('Editing a bot', () => {
  test('Changes its name and defaults', async () => {
    const { name } = await createChannel(service, [member]);
    await expectConsistentSnapshot(service, everyone(), async () => {
      const changes = { full_name: 'Renamed', ...defaultsFor(name), default_all_public_streams: true };
      const { status, body } = await editBot(member, bot, changes);
      expect([status, body]).toMatchObject([200, { ...changes, bot_owner: member.email }]);
    });
    expect(await botRecordOf(member, bot)).toMatchObject({ default_sending_stream: name });
    const cleared = await editBot(member, bot, { ...defaultsFor(''), default_all_public_streams: false });
    expect(cleared.body).toMatchObject(defaultsFor(null));
  });

  test('Keeps defaults that the request does not name, and its type', async () => {
    const { name } = await createChannel(service, [member]);
    const hook = await createBot(member, { ...defaultsFor(name), bot_type: 2 });
    const { body } = await editBot(member, hook, { default_all_public_streams: true });
    expect(body).toMatchObject({ ...defaultsFor(name), default_all_public_streams: true });
    expect(await botRecordOf(member, hook)).toMatchObject(defaultsFor(name));
    expect((await member.get(`/users/${hook.userId}`)).body.user.bot_type).toBe(2);
  });

  test('Notifies its owner and administrators once, with only the changed fields', async () => {
    const queues = [await member.listen(), await administrator.listen(), await other.listen()];
    const params = { default_all_public_streams: true, full_name: '  ' };
    await editBot(member, bot, params);
    await editBot(member, bot, params);
    const received = await Promise.all(queues.map((queue) => queue.drain()));
    const update = {
      id: expect.any(Number),
      type: 'realm_bot',
      op: 'update',
      bot: { user_id: bot.userId, default_all_public_streams: true },
    };
    expect(received).toEqual([[update], [update], []]);
    await editBot(member, bot, { default_all_public_streams: false });
  });

  test('Transfers it between members and administrators', async () => {
    const passes: [from: Client, to: Client][] = [
      [member, other],
      [other, administrator],
      [administrator, member],
    ];
    const bots: Client[] = [];
    for (const [from] of passes) bots.push(await createBot(from));
    const ways = passes.map(([from, to], n) => ({ from, to, passed: bots[n] as Client }));
    await expectConsistentSnapshot(service, everyone(), async () => {
      for (const { from, to, passed } of ways) {
        const { body } = await editBot(from, passed, { bot_owner_id: to.userId });
        expect(body.bot_owner, from.email).toBe(to.email);
      }
    });
    for (const { to, passed } of ways) {
      expect((await guest.get(`/users/${passed.userId}`)).body.user.bot_owner_id).toBe(to.userId);
      expect((await editBot(to, passed, { full_name: 'Mine Now' })).status, to.email).toBe(200);
    }
  });

  test.each([
    ['previous', roles.administrator],
    ['next', roles.administrator],
    ['previous', roles.member],
    ['next', roles.member],
  ])('Notifies its %s owner once if their role becomes %i right before', async (which, role) => {
    const [previous, next] = [await createUser(service, 'From'), await createUser(service, 'To')];
    const passed = await createBot(previous);
    const turning = which === 'previous' ? previous : next;
    const turn = (to: number) => owner.patch(`/users/${turning.userId}`, { role: to });
    await turn(role === roles.member ? roles.administrator : roles.member);
    await expectConsistentSnapshot(service, [...everyone(), previous, next], async () => {
      const counting = { increment: reads(organizationKeys.counter('log')) };
      const turned = interrupt(service, counting, () => turn(role));
      await editBot(owner, passed, { default_all_public_streams: true, bot_owner_id: next.userId });
      expect(turned.hasHappened()).toBe(true);
    });
  });

  test('Keeps other fields if one call transfers and changes the bot', async () => {
    const passed = await createBot(member);
    await expectConsistentSnapshot(service, [administrator, member, other, guest], () =>
      editBot(member, passed, {
        bot_owner_id: other.userId,
        default_all_public_streams: true,
        full_name: 'Both',
      }),
    );
    expect(await botRecordOf(other, passed)).toMatchObject({ default_all_public_streams: true });
    expect(await botRecordOf(member, passed)).toBeUndefined();
  });
});

describe('The right to edit a bot', () => {
  test('Belongs to its owner and to administrators', async () => {
    for (const by of [member, administrator, owner])
      expect((await editBot(by, bot, { full_name: 'Changed' })).status).toBe(200);
    for (const by of [other, bot])
      expectRefusal(await editBot(by, bot, { full_name: 'Not This' }), 'Insufficient permission');
    for (const id of [bot.userId, 999_999])
      expectRefusal(await guest.patch(`/bots/${id}`, { full_name: 'Not This' }), 'No such bot');
  });

  test('Does not extend to people, to the bots of the service, or to users who do not exist', async () => {
    for (const id of [member.userId, 1, 999_999, -1])
      expectRefusal(await owner.patch(`/bots/${id}`, { full_name: 'Not This' }), 'No such bot');
  });
});

describe('Editing a bot is refused for', () => {
  test('An owner who does not exist, is deactivated, or is a bot', async () => {
    const gone = await createUser(service, 'Gone');
    await service.deactivate(gone);
    const second = await createBot(other);
    for (const [id, msg] of [
      [999_999, 'Failed to change owner, no such user'],
      [1, 'Failed to change owner, no such user'],
      [gone.userId, 'Failed to change owner, user is deactivated'],
      [second.userId, "Failed to change owner, bots can't own other bots"],
    ] as const)
      expectRefusal(await editBot(owner, bot, { bot_owner_id: id, full_name: 'Not This' }), msg);
  });

  test('A name that another user has if names have to be unique, but not for its own name', async () => {
    await owner.patch('/realm', { require_unique_names: true });
    const refused = await editBot(member, bot, { full_name: 'OTHER' });
    expectRefusal(refused, 'Unique names required in this organization.');
    for (const full_name of ['Alone', 'ALONE'])
      expect((await editBot(member, bot, { full_name })).status).toBe(200);
    await owner.patch('/realm', { require_unique_names: false });
  });
});

const command = (name: string, description = '') => ({ name, description });
const COMMANDS = [command('deploy', 'Deploys a version'), command('roll-back')];

const declare = (by: Client, commands: unknown) => editBot(by, bot, { commands });
const commandsSeenBy = async (viewer: Client) =>
  (await viewer.get(`/users/${bot.userId}`)).body.user.bot_commands;

describe('Commands of a bot', () => {
  test('Reach every client when the owner declares them', async () => {
    await expectConsistentSnapshot(service, [member, other, service.owner], async () => {
      const { status, body } = await declare(member, COMMANDS);
      expect([status, body.bot_commands]).toEqual([200, COMMANDS]);
    });
    expect(await commandsSeenBy(other)).toEqual(COMMANDS);
  });

  test('Reach a client that waits as an event', async () => {
    await declare(member, []);
    const queue = await other.listen({ event_types: ['realm_user'] });
    await declare(member, COMMANDS);
    expect(await queue.drain()).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id: bot.userId, bot_commands: COMMANDS } },
    ]);
    await declare(member, COMMANDS);
    expect(await queue.drain()).toEqual([]);
  });

  test('May come from the bot itself, which may change nothing else', async () => {
    expect((await declare(bot, [COMMANDS[0]])).status).toBe(200);
    expect(await commandsSeenBy(other)).toEqual([COMMANDS[0]]);
    const second = await createBot(member);
    expectRefusal(await editBot(bot, bot, { commands: [], full_name: 'Mine' }), 'Insufficient permission');
    expectRefusal(await editBot(second, bot, { commands: [] }), 'Insufficient permission');
    expect(await commandsSeenBy(other)).toEqual([COMMANDS[0]]);
  });

  test('Stay when something else is changed, and end with an empty list', async () => {
    await declare(member, COMMANDS);
    await editBot(member, bot, { full_name: 'Renamed', default_all_public_streams: true });
    expect(await commandsSeenBy(other)).toEqual(COMMANDS);
    await expectConsistentSnapshot(service, [member, other], () => declare(member, []));
    expect(await commandsSeenBy(other)).toEqual([]);
  });

  test.each([
    [[command('Deploy')], "Invalid command name 'Deploy'"],
    [[command('')], "Invalid command name ''"],
    [[command('x'.repeat(33))], `Invalid command name '${'x'.repeat(33)}'`],
    [[command('poll')], 'The command /poll is one of the service'],
    [[command('one'), command('one')], 'The command /one is declared twice'],
    [[command('one', 'x'.repeat(101))], 'description is too long (limit: 100 characters)'],
    [[command('one', 'two\nlines')], 'description has invalid characters'],
    [Array.from({ length: 21 }, (_, n) => command(`c${n}`)), 'Too many commands: a bot may have 20'],
  ])('May not be %j', async (commands, msg) => {
    expectRefusal(await declare(member, commands), msg);
    expect(await commandsSeenBy(other)).toEqual([]);
  });
});

const rename = (by: Client, bot: Client, short_name: string) => editBot(by, bot, { short_name });
const addressOf = (name: string): string => `${name}-bot@${new URL(service.url).hostname}`;
/** The bot under another address, with the key that it has. */
const renamed = (bot: Client, name: string): Client =>
  new Client(bot.url, { userId: bot.userId, email: addressOf(name), apiKey: bot.apiKey });

describe('The short name of a bot', () => {
  test('Changes its address: every user is notified, and its key works only with the new address', async () => {
    const [bot, name] = [await createBot(member), shortName()];
    await keep(bot, { turn: '1' });
    await expectConsistentSnapshot(service, everyone(), async () => {
      expect((await rename(member, bot, ` ${name} `)).status).toBe(200);
    });
    const { body } = await other.get(`/users/${bot.userId}`);
    expect(body.user.email).toBe(addressOf(name));
    expect(await storageOf(renamed(bot, name))).toEqual({ turn: '1' });
    expect((await bot.get('/users/me')).status).toBe(401);
  });

  test('Becomes available to another bot after a change', async () => {
    const name = shortName();
    const bot = await createBot(member, { short_name: name });
    await rename(member, bot, shortName());
    expect((await createBot(other, { short_name: name })).userId).not.toBe(bot.userId);
  });

  test('May be set to the same value, which sends no event', async () => {
    const name = shortName();
    const bot = await createBot(member, { short_name: name });
    const queue = await other.listen();
    expect((await rename(member, bot, name)).status).toBe(200);
    expect(await queue.drain()).toEqual([]);
  });

  test('May change its letter case', async () => {
    const name = shortName();
    const bot = await createBot(member, { short_name: name });
    await expectConsistentSnapshot(service, [member, other], async () => {
      expect((await rename(member, bot, name.toUpperCase())).status).toBe(200);
    });
    expect((await renamed(bot, name.toUpperCase()).get('/users/me')).status).toBe(200);
  });

  test('Goes to one bot if two bots request it at once', async () => {
    const [first, second, name] = [await createBot(member), await createBot(member), shortName()];
    const replies = await Promise.all([rename(member, first, name), rename(member, second, name)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    for (const { status, body } of replies)
      if (status === 400) expect(body.msg).toBe('Username already in use');
  });

  test('Cannot be taken or invalid: the edit is refused and changes nothing', async () => {
    const name = shortName();
    await createBot(other, { short_name: name });
    const bot = await createBot(member);
    const refuse = async (short_name: string, msg: string) => {
      const full_name = 'Not renamed';
      expectRefusal(await editBot(member, bot, { short_name, full_name }), msg);
    };
    for (const taken of [name, name.toUpperCase()]) await refuse(taken, 'Username already in use');
    for (const bad of ['', '  ', 'two words', 'at@sign', 'x'.repeat(400)])
      await refuse(bad, 'Bad name or username');
    const { body } = await other.get(`/users/${bot.userId}`);
    expect(body.user).toMatchObject({ email: bot.email, full_name: 'Helper' });
  });
});
