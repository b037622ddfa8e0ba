import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { interrupt, reads } from '#tests/harness/interruption.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { botRecordOf, createBot } from './bots.ts';

const service = await startTestService();
const { owner } = service;
const administrator = await createUser(service, 'Administrator', roles.administrator);
const member = await createUser(service, 'Member');
const other = await createUser(service, 'Other');
const guest = await createUser(service, 'Guest', roles.guest);
const bot = await createBot(member);

const edit = (by: Client, one: Client, params: Params) => by.patch(`/bots/${one.userId}`, params);
const everyone = () => [owner, administrator, member, other, guest];

describe('Editing a bot', () => {
  test('Changes its name and defaults', async () => {
    const { name } = await createChannel(service, [member]);
    await expectConsistentSnapshot(service, everyone(), async () => {
      const { status, body } = await edit(member, bot, {
        full_name: 'Renamed',
        default_sending_stream: name,
        default_events_register_stream: name,
        default_all_public_streams: true,
      });
      expect([status, body]).toMatchObject([
        200,
        {
          full_name: 'Renamed',
          bot_owner: member.email,
          default_sending_stream: name,
          default_events_register_stream: name,
          default_all_public_streams: true,
        },
      ]);
    });
    expect(await botRecordOf(member, bot)).toMatchObject({ default_sending_stream: name });
    const cleared = await edit(member, bot, {
      default_sending_stream: '',
      default_events_register_stream: '',
      default_all_public_streams: false,
    });
    expect(cleared.body).toMatchObject({
      default_sending_stream: null,
      default_events_register_stream: null,
    });
  });

  test('Keeps defaults that the request does not name, and its type', async () => {
    const { name } = await createChannel(service, [member]);
    const defaults = { default_sending_stream: name, default_events_register_stream: name };
    const hook = await createBot(member, { ...defaults, bot_type: 2 });
    const { body } = await edit(member, hook, { default_all_public_streams: true });
    expect(body).toMatchObject({ ...defaults, default_all_public_streams: true });
    expect(await botRecordOf(member, hook)).toMatchObject(defaults);
    expect((await member.get(`/users/${hook.userId}`)).body.user.bot_type).toBe(2);
  });

  test('Notifies its owner and administrators once, with only the changed fields', async () => {
    const queues = [await member.listen(), await administrator.listen(), await other.listen()];
    const params = { default_all_public_streams: true, full_name: '  ' };
    await edit(member, bot, params);
    await edit(member, bot, params);
    const received = await Promise.all(queues.map((queue) => queue.drain()));
    const update = {
      id: expect.any(Number),
      type: 'realm_bot',
      op: 'update',
      bot: { user_id: bot.userId, default_all_public_streams: true },
    };
    expect(received).toEqual([[update], [update], []]);
    await edit(member, bot, { default_all_public_streams: false });
  });

  test('Transfers it between members and administrators', async () => {
    const passes: [from: Client, to: Client][] = [
      [member, other],
      [other, administrator],
      [administrator, member],
    ];
    const bots: Client[] = [];
    for (const [from] of passes) bots.push(await createBot(from));
    const ways = passes.map(([from, to], n) => ({ from, to, one: bots[n] as Client }));
    await expectConsistentSnapshot(service, everyone(), async () => {
      for (const { from, to, one } of ways) {
        const { body } = await edit(from, one, { bot_owner_id: to.userId });
        expect(body.bot_owner, from.email).toBe(to.email);
      }
    });
    for (const { to, one } of ways) {
      expect((await guest.get(`/users/${one.userId}`)).body.user.bot_owner_id).toBe(to.userId);
      expect((await edit(to, one, { full_name: 'Mine Now' })).status, to.email).toBe(200);
    }
  });

  test.each([
    ['previous', roles.administrator],
    ['next', roles.administrator],
    ['previous', roles.member],
    ['next', roles.member],
  ])('Notifies its %s owner once if their role becomes %i right before', async (which, role) => {
    const [previous, next] = [await createUser(service, 'From'), await createUser(service, 'To')];
    const one = await createBot(previous);
    const turning = which === 'previous' ? previous : next;
    const turn = (to: number) => owner.patch(`/users/${turning.userId}`, { role: to });
    await turn(role === roles.member ? roles.administrator : roles.member);
    await expectConsistentSnapshot(service, [...everyone(), previous, next], async () => {
      const counting = { increment: reads(organizationKeys.counter('log')) };
      const turned = interrupt(service, counting, () => turn(role));
      await edit(owner, one, { default_all_public_streams: true, bot_owner_id: next.userId });
      expect(turned.hasHappened()).toBe(true);
    });
  });

  test('Keeps other fields if one call transfers and changes the bot', async () => {
    const one = await createBot(member);
    await expectConsistentSnapshot(service, [administrator, member, other, guest], () =>
      edit(member, one, { bot_owner_id: other.userId, default_all_public_streams: true, full_name: 'Both' }),
    );
    expect(await botRecordOf(other, one)).toMatchObject({ default_all_public_streams: true });
    expect(await botRecordOf(member, one)).toBeUndefined();
  });
});

describe('The right to edit a bot', () => {
  test('Belongs to its owner and to administrators', async () => {
    for (const by of [member, administrator, owner])
      expect((await edit(by, bot, { full_name: 'Changed' })).status).toBe(200);
    for (const by of [other, bot])
      expectRefusal(await edit(by, bot, { full_name: 'Not This' }), 'Insufficient permission');
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
      expectRefusal(await edit(owner, bot, { bot_owner_id: id, full_name: 'Not This' }), msg);
  });

  test('A name that another user has if names have to be unique, but not for its own name', async () => {
    await owner.patch('/realm', { require_unique_names: true });
    expectRefusal(
      await edit(member, bot, { full_name: 'OTHER' }),
      'Unique names required in this organization.',
    );
    expect((await edit(member, bot, { full_name: 'Alone' })).status).toBe(200);
    expect((await edit(member, bot, { full_name: 'ALONE' })).status).toBe(200);
    await owner.patch('/realm', { require_unique_names: false });
  });
});

const COMMANDS = [
  { name: 'deploy', description: 'Deploys a version' },
  { name: 'roll-back', description: '' },
];

const declare = (by: Client, commands: unknown) => by.patch(`/bots/${bot.userId}`, { commands });
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
    expectRefusal(
      await bot.patch(`/bots/${bot.userId}`, { commands: [], full_name: 'Mine' }),
      'Insufficient permission',
    );
    const second = await createBot(member);
    expectRefusal(await second.patch(`/bots/${bot.userId}`, { commands: [] }), 'Insufficient permission');
    expect(await commandsSeenBy(other)).toEqual([COMMANDS[0]]);
  });

  test('Stay when something else is changed, and end with an empty list', async () => {
    await declare(member, COMMANDS);
    await member.patch(`/bots/${bot.userId}`, { full_name: 'Renamed', default_all_public_streams: true });
    expect(await commandsSeenBy(other)).toEqual(COMMANDS);
    await expectConsistentSnapshot(service, [member, other], async () => {
      await declare(member, []);
    });
    expect(await commandsSeenBy(other)).toEqual([]);
  });

  test.each([
    [[{ name: 'Deploy', description: '' }], "Invalid command name 'Deploy'"],
    [[{ name: '', description: '' }], "Invalid command name ''"],
    [[{ name: 'x'.repeat(33), description: '' }], `Invalid command name '${'x'.repeat(33)}'`],
    [[{ name: 'poll', description: '' }], 'The command /poll is one of the service'],
    [
      [
        { name: 'one', description: '' },
        { name: 'one', description: '' },
      ],
      'The command /one is declared twice',
    ],
    [[{ name: 'one', description: 'x'.repeat(101) }], 'description is too long (limit: 100 characters)'],
    [[{ name: 'one', description: 'two\nlines' }], 'description has invalid characters'],
    [
      Array.from({ length: 21 }, (_, n) => ({ name: `c${n}`, description: '' })),
      'Too many commands: a bot may have 20',
    ],
  ])('May not be %j', async (commands, msg) => {
    expectRefusal(await declare(member, commands), msg);
    expect(await commandsSeenBy(other)).toEqual([]);
  });
});
