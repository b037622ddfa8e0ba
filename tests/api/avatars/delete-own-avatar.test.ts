import { expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();
await service.owner.patch('/realm', { default_avatar_source: 'G' });
const member = await service.createUser('Member');
const guest = await service.createUser('Guest', roles.guest);
await service.settle();

const upload = async () => {
  const picture = await makePicture();
  return (await member.post('/users/me/avatar', {}, { rawBody: toForm(picture) })).body.avatar_url;
};

test('Deleting the own avatar shows the picture of the address again and deletes the file', async () => {
  const uploaded = await upload();
  const own = await guest.listen({ client_gravatar: true });
  const self = await member.listen({ client_gravatar: true });
  const full = await guest.listen({ client_gravatar: false });
  const { status, body } = await member.delete('/users/me/avatar');
  expect([status, body.avatar_url]).toEqual([200, expect.stringMatching(/^https:\/\/secure\.gravatar\.com/)]);
  const person = { user_id: member.userId, avatar_source: 'G', avatar_version: expect.any(Number) };
  expect(await own.drain()).toMatchObject([
    { person: { ...person, avatar_url: null, avatar_url_medium: null } },
  ]);
  expect(await self.drain()).toMatchObject([
    { person: { ...person, avatar_url: body.avatar_url, avatar_url_medium: body.avatar_url } },
  ]);
  expect(await full.drain()).toMatchObject([{ person: { ...person, avatar_url: body.avatar_url } }]);
  const { user } = (await guest.get(`/users/${member.userId}`, { client_gravatar: false })).body;
  expect(user.avatar_url).toBe(body.avatar_url);
  expect((await sendTo(service.url + uploaded)).status).toBe(404);
});

test('Deleting changes nothing for a user without an avatar of their own, and sends no event', async () => {
  const queue = await guest.listen();
  const before = (await member.get('/users/me')).body.avatar_version;
  const { status, body } = await member.delete('/users/me/avatar');
  expect([status, body.avatar_url]).toEqual([200, expect.stringMatching(/^https:/)]);
  expect(await queue.drain()).toEqual([]);
  expect((await member.get('/users/me')).body.avatar_version).toBe(before);
});

test('Deleting shows the generated avatar if the organization uses generated ones', async () => {
  const uploaded = await upload();
  await service.owner.patch('/realm', { default_avatar_source: 'J' });
  const generated = `/user_avatars/j${member.userId}.png`;
  await expectConsistentSnapshot(service, [service.owner, member, guest], async () => {
    expect((await member.delete('/users/me/avatar')).body.avatar_url).toBe(generated);
  });
  expect((await sendTo(service.url + uploaded)).status).toBe(404);
  const before = (await member.get('/users/me')).body.avatar_version;
  expect((await member.delete('/users/me/avatar')).body.avatar_url).toBe(generated);
  expect((await member.get('/users/me')).body.avatar_version).toBe(before);
  expect((await sendTo(service.url + generated)).status).toBe(200);
});
