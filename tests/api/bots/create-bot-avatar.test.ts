import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import type { Client } from '#tests/harness/client.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { shortName } from './bots.ts';

let service: TestService;
let member: Client;
let guest: Client;
let picture: Uint8Array;
beforeAll(async () => {
  service = await startTestService();
  member = await service.createUser('Member');
  guest = await service.createUser('Guest', roles.guest);
  picture = await makePicture();
  await service.settle();
});
afterAll(() => service.stop());

const create = (files: Uint8Array[]) =>
  member.post('/bots', {}, { rawBody: toForm(files, { full_name: 'Helper', short_name: shortName() }) });

describe('A picture of a bot', () => {
  test('May come with its creation', async () => {
    const { status, body } = await create([picture]);
    expect([status, body.avatar_url]).toEqual([200, expect.stringMatching(/^\/user_avatars\//)]);
    const { user } = (await guest.get(`/users/${body.user_id}`)).body;
    expect(user.avatar_url).toBe(body.avatar_url);
    expect((await sendTo(service.url + body.avatar_url)).status).toBe(200);
    expect((await member.get('/bots')).body.bots.at(-1).avatar_url).toBe(body.avatar_url);
  });

  test('May come later, and takes the place of the one before', async () => {
    const { body: bot } = await create([picture]);
    const queue = await guest.listen();
    const { status, body } = await member.patch(`/bots/${bot.user_id}`, {}, { rawBody: toForm(picture) });
    expect(status).toBe(200);
    expect(body.avatar_url).not.toBe(bot.avatar_url);
    expect(await queue.drain()).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id: bot.user_id, avatar_url: body.avatar_url } },
    ]);
    expect((await sendTo(service.url + bot.avatar_url)).status).toBe(404);
  });

  test('Is one file or none', async () => {
    expectRefusal(await create([picture, picture]), 'You may only upload one file at once');
    expect((await create([])).body.avatar_url).toMatch(/^\/user_avatars\/j\d+\.png$/);
  });

  test('A picture of a bot that is none makes no bot', async () => {
    const before = (await member.get('/bots')).body.bots.length;
    expectRefusal(await create([Buffer.from('text')]), 'Invalid image format', { code: 'BAD_IMAGE' });
    expect((await member.get('/bots')).body.bots).toHaveLength(before);
  });

  test('Is left as it was by a later one that is none', async () => {
    const { body: bot } = await create([picture]);
    const none = await member.patch(`/bots/${bot.user_id}`, {}, { rawBody: toForm(Buffer.from('text')) });
    expectRefusal(none, 'Invalid image format', { code: 'BAD_IMAGE' });
    expect((await guest.get(`/users/${bot.user_id}`)).body.user.avatar_url).toBe(bot.avatar_url);
  });

  test('Is what register says of it', async () => {
    await expectConsistentSnapshot(service, [service.owner, member, guest], async () => {
      const { body } = await create([picture]);
      await member.patch(`/bots/${body.user_id}`, {}, { rawBody: toForm(picture) });
    });
  });
});
