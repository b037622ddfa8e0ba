import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import type { Client } from '#tests/harness/client.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const member = await service.createUser('Member');
const plain = await service.createUser('Plain');
const guest = await service.createUser('Guest', roles.guest);
await member.post('/users/me/avatar', {}, { rawBody: toForm(await makePicture()) });

const get = (client: Client, path: string) =>
  sendTo(`${service.url}/avatar/${path}`, { headers: { authorization: client.authorization } });
const recordOf = async ({ userId }: Client) =>
  (await guest.get(`/users/${userId}`, { client_gravatar: false })).body.user;

describe('The address of a user’s picture', () => {
  test('Leads to the uploaded picture, by id and by e-mail address', async () => {
    const { avatar_url } = await recordOf(member);
    for (const named of [String(member.userId), member.email, encodeURIComponent(member.email)]) {
      const { status, headers, body } = await get(guest, named);
      expect([status, headers.get('location'), body]).toEqual([302, avatar_url, undefined]);
    }
  });

  test('Leads to the picture of the e-mail address if the user uploaded none', async () => {
    const { status, headers } = await get(guest, String(plain.userId));
    expect([status, headers.get('location')]).toEqual([302, (await recordOf(plain)).avatar_url]);
  });

  test('Has a larger form', async () => {
    const { headers } = await get(guest, `${member.userId}/medium`);
    const { avatar_url } = await recordOf(member);
    expect(headers.get('location')).toBe(avatar_url.replace('.png', '-medium.png'));
    const shown = await sendTo(service.url + headers.get('location'));
    expect(shown.status).toBe(200);
  });

  test('Does not reveal whether a hidden e-mail address belongs to a user', async () => {
    await plain.patch('/settings', { email_address_visibility: 4 });
    const hidden = await get(guest, plain.email);
    const unknown = await get(guest, 'nobody@example.com');
    expect([hidden.status, hidden.body]).toEqual([unknown.status, unknown.body]);
    expect((await get(guest, String(plain.userId))).headers.get('location')).toBe(
      (await recordOf(plain)).avatar_url,
    );
  });

  test.each(['999999', 'nobody@example.com'])('Answers 400 for a user called %s', async (named) => {
    const { status, body } = await get(member, named);
    expect([status, body.result]).toEqual([400, 'error']);
  });
});
