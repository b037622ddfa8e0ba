import { afterAll, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createBot } from '../../bots/bots.ts';

const HIGHER = "The role of a bot cannot be higher than its owner's.";

const service = await startTestService();
const { owner } = service;
const administrator = await createUser(service, 'Administrator', roles.administrator);
const member = await service.createUser('Member');
afterAll(() => service.stop());

const setRole = (by: Client, { userId }: Client, role: number) => by.patch(`/users/${userId}`, { role });
const roleOf = async ({ userId }: Client) => (await owner.get(`/users/${userId}`)).body.user.role;

test('Nobody gives a bot a higher role than its owner has', async () => {
  const bot = await createBot(member);
  for (const role of [roles.administrator, roles.moderator])
    for (const by of [administrator, owner]) expectRefusal(await setRole(by, bot, role), HIGHER);
  expectRefusal(await setRole(owner, bot, roles.owner), HIGHER);
  expect(await roleOf(bot)).toBe(roles.member);
});

test('A bot may have the role of its owner, or a lower one', async () => {
  const bot = await createBot(administrator);
  for (const role of [roles.administrator, roles.moderator, roles.member, roles.guest]) {
    expect((await setRole(owner, bot, role)).status).toBe(200);
    expect(await roleOf(bot)).toBe(role);
  }
});

test('A bot is not handed to an owner of a lower role', async () => {
  const bot = await createBot(administrator);
  await setRole(owner, bot, roles.administrator);
  const hand = (to: Client) => owner.patch(`/bots/${bot.userId}`, { bot_owner_id: to.userId });
  expectRefusal(await hand(member), HIGHER);
  expect((await hand(owner)).status).toBe(200);
  await setRole(owner, bot, roles.member);
  expect((await hand(member)).status).toBe(200);
});
