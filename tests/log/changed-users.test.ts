import { describe, expect, test } from 'vitest';
import { accountOf } from '#shared/actions/users/account-of.ts';
import { botDefaultEdits, botOwnerEdit } from '#shared/domain/users/bots.ts';
import { editChange, nameEdits, roleEdit, type UserEdit } from '#shared/domain/users/edit.ts';
import { type Account, type BotSettings, roles } from '#shared/domain/users/user.ts';
import { Conflict, commit } from '#shared/log/commit.ts';
import { getAccount, getUser } from '#shared/store/users/users.ts';
import { createBot } from '#tests/api/bots/bots.ts';
import type { Client } from '#tests/harness/client.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const [member, other] = await createUsers(service, 'Member', 'Other');
const bot = await createBot(member);
const { table } = service.services;
const others = { member: await getUser(table, member.userId), other: await getUser(table, other.userId) };

const giveTo = (one: Client) => service.owner.patch(`/bots/${bot.userId}`, { bot_owner_id: one.userId });
const hearAll = (allowed: boolean) =>
  service.owner.patch(`/bots/${bot.userId}`, { default_all_public_streams: allowed });
const edit = (params: Record<string, unknown>) => service.owner.patch(`/users/${other.userId}`, params);

/** A change of a user, and another user's change after the user was loaded. */
type Case = [what: string, Client, (account: Account) => UserEdit[], () => Promise<unknown>];

describe('A change of a user is decided again if another one came before it', () => {
  const listCases = (): Case[] => [
    [
      'the owner of a bot',
      bot,
      (account) => [botOwnerEdit(account, others.member, others.other)],
      () => giveTo(service.owner),
    ],
    [
      'the defaults of a bot',
      bot,
      (account) => {
        const settings = { ...(account.bot as BotSettings), usesAllPublicChannels: true };
        return botDefaultEdits(
          account,
          { ...settings, sendingChannel: { channelId: 1, name: 'x' } },
          undefined,
        );
      },
      () => hearAll(true),
    ],
    [
      'the role',
      other,
      (account) => [
        roleEdit(account, roles.moderator, undefined, {
          effects: [],
          visibilityRevision: { people: 0, channels: 0 },
        }),
      ],
      () => edit({ role: 200 }),
    ],
    [
      'the name',
      other,
      (account) => nameEdits(account, 'One name'),
      () => edit({ full_name: 'Another name' }),
    ],
  ];

  test('The owner and the defaults of a bot, a role and a name', async () => {
    for (const [what, { userId }, decide, meanwhile] of listCases()) {
      const account = await getAccount(service.services.table, userId);
      const change = editChange(account, decide(account));
      await meanwhile();
      const late = change && commit(service.services, change);
      await expect(late, what).rejects.toThrow(Conflict);
    }
  });

  test('Throws Conflict if the account’s user changed since loading', async () => {
    await giveTo(member);
    const loaded = await getUser(service.services.table, bot.userId);
    expect((await accountOf(service.services.table, loaded)).userId).toBe(bot.userId);
    await giveTo(other);
    await expect(accountOf(service.services.table, loaded)).rejects.toThrow(Conflict);
  });
});
