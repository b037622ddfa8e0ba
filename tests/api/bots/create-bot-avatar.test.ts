import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { shortName } from './bots.ts';

const service = await startTestService();
const member = await service.createUser('Member');
const guest = await service.createUser('Guest', roles.guest);
const picture = await makePicture();
await service.settle();

const create = (files: Uint8Array[]) =>
  member.post('/bots', {}, { rawBody: toForm(files, { full_name: 'Helper', short_name: shortName() }) });

describe('A picture of a bot', () => {
  test('May be uploaded when the bot is created', async () => {
    const { status, body } = await create([picture]);
    expect([status, body.avatar_url]).toEqual([200, expect.stringMatching(/^\/user_avatars\//)]);
    const { user } = (await guest.get(`/users/${body.user_id}`)).body;
    expect(user.avatar_url).toBe(body.avatar_url);
    expect((await sendTo(service.url + body.avatar_url)).status).toBe(200);
    expect((await member.get('/bots')).body.bots.at(-1).avatar_url).toBe(body.avatar_url);
  });

  test('May be uploaded later, and replaces the picture before it', async () => {
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

  test('Consists of at most one file', async () => {
    expectRefusal(await create([picture, picture]), 'You may only upload one file at once');
    expect((await create([])).body.avatar_url).toMatch(/^\/user_avatars\/j\d+\.png$/);
  });

  test('Prevents the creation of the bot if the file is no picture', async () => {
    const before = (await member.get('/bots')).body.bots.length;
    expectRefusal(await create([Buffer.from('text')]), 'Invalid image format', { code: 'BAD_IMAGE' });
    expect((await member.get('/bots')).body.bots).toHaveLength(before);
  });

  test('Stays if a later upload is no picture', async () => {
    const { body: bot } = await create([picture]);
    const none = await member.patch(`/bots/${bot.user_id}`, {}, { rawBody: toForm(Buffer.from('text')) });
    expectRefusal(none, 'Invalid image format', { code: 'BAD_IMAGE' });
    expect((await guest.get(`/users/${bot.user_id}`)).body.user.avatar_url).toBe(bot.avatar_url);
  });
});
