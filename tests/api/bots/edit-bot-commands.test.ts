import { afterAll, describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createBot } from './bots.ts';

const service = await startTestService();
const member = await createUser(service, 'Member');
const other = await createUser(service, 'Other');
const bot = await createBot(member);
afterAll(() => service.stop());

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
    const { snapshot } = await other.register({ fetch_event_types: ['realm_user'] });
    const found = snapshot.realm_users.find(({ user_id }: { user_id: number }) => user_id === bot.userId);
    expect(found.bot_commands).toEqual(COMMANDS);
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

  test('May come from nobody else', async () => {
    expectRefusal(await declare(other, COMMANDS), 'Insufficient permission');
  });
});
