// The operations uploadOwnAvatar, deleteOwnAvatar, getAvatar and getMediumAvatar.
import { beforeAll, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import type { Client, Reply } from '#tests/harness/client.ts';
import { lookAt, makePicture, toForm } from '#tests/harness/pictures.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { drainMessages } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();
const administrator = await service.createUser('Administrator', roles.administrator);
const member = await service.createUser('Member');
const guest = await service.createUser('Guest', roles.guest);
const red = await makePicture({ width: 300, height: 200 });
const blue = await makePicture({ kind: 'jpg', width: 50, height: 50, colours: [[0, 0, 255]] });

const upload = (client: Client, bytes: Uint8Array): Promise<Reply> =>
  client.post('/users/me/avatar', {}, { rawBody: toForm(bytes) });
const recordOf = async (viewer: Client, { userId }: Client, client_gravatar = true) =>
  (await viewer.get(`/users/${userId}`, { client_gravatar })).body.user;
const pictureStatus = async (url: string): Promise<number> => (await sendTo(service.url + url)).status;
const SMALL = /^\/user_avatars\/[0-9a-f-]{36}\.png$/;
const MEDIUM = /^\/user_avatars\/[0-9a-f-]{36}-medium\.png$/;

describe('Uploading an avatar', () => {
  test('Crops the picture to squares of 100 and of 500 pixels', async () => {
    const { status, body } = await upload(member, red);
    expect(status).toBe(200);
    expect(body).toEqual({ result: 'success', msg: '', avatar_url: expect.stringMatching(SMALL) });
    const { snapshot } = await member.register({ fetch_event_types: ['realm_user'] });
    expect(snapshot).toMatchObject({
      avatar_source: 'U',
      avatar_url: body.avatar_url,
      avatar_url_medium: expect.stringMatching(MEDIUM),
    });
    for (const [url, size] of [
      [snapshot.avatar_url, 100],
      [snapshot.avatar_url_medium, 500],
    ] as const) {
      const shown = await sendTo(service.url + url);
      expect(shown.status).toBe(200);
      expect(await lookAt(shown.body)).toMatchObject({ kind: 'png', width: size, height: size });
    }
  });

  test('Notifies every user, whether or not their client computes Gravatar addresses', async () => {
    const ways = [true, false];
    const queues = await Promise.all(ways.map((client_gravatar) => guest.listen({ client_gravatar })));
    const before = await recordOf(guest, member);
    const { avatar_url } = (await upload(member, blue)).body;
    const person = {
      user_id: member.userId,
      avatar_source: 'U',
      avatar_url,
      avatar_url_medium: expect.stringMatching(MEDIUM),
      avatar_version: before.avatar_version + 1,
    };
    for (const queue of queues)
      expect(await queue.drain()).toEqual([
        { id: expect.any(Number), type: 'realm_user', op: 'update', person },
      ]);
    for (const client_gravatar of ways)
      expect(await recordOf(guest, member, client_gravatar)).toMatchObject({
        avatar_url,
        avatar_version: before.avatar_version + 1,
      });
  });

  test('Shows the picture beside messages, earlier ones included', async () => {
    await upload(member, red);
    await member.subscribe('hall');
    const queue = await service.owner.listen({ all_public_streams: true });
    const id = await member.send('hall', 'topic', 'before');
    const first = (await drainMessages(queue))[0].avatar_url;
    expect(first).toMatch(SMALL);
    const { avatar_url } = (await upload(member, blue)).body;
    const next = await member.send('hall', 'topic', 'after');
    expect((await drainMessages(queue))[0]).toMatchObject({ avatar_url });
    const list = await service.owner.get('/messages', { message_ids: [id, next] });
    expect(list.body.messages).toMatchObject([{ avatar_url }, { avatar_url }]);
    expect((await service.owner.get(`/messages/${id}`)).body.message).toMatchObject({ avatar_url });
    expect(await pictureStatus(first)).toBe(404);
  });

  test('Keeps the picture when the user changes address or visibility', async () => {
    const person = await service.createUser('Mover');
    const { body } = await upload(person, red);
    const queue = await guest.listen({ client_gravatar: false });
    await person.patch('/settings', { email_address_visibility: 4 });
    const people = (await queue.drain()).map(({ person: changed }) => Object.keys(changed).sort());
    expect(people).not.toContainEqual(expect.arrayContaining(['avatar_url']));
    expect((await recordOf(guest, person)).avatar_url).toBe(body.avatar_url);
  });

  test('Returns the same picture in register', async () => {
    await expectConsistentSnapshot(service, [service.owner, member, guest], async () => {
      await upload(member, red);
      await upload(guest, blue);
      await member.delete('/users/me/avatar');
      await upload(member, blue);
    });
  });

  test('Keeps the last picture if several are uploaded at once', async () => {
    const replies = await Promise.all(Array.from({ length: 4 }, () => upload(member, blue)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { avatar_url } = await recordOf(guest, member);
    const urls = replies.map(({ body }) => body.avatar_url);
    expect(urls).toContain(avatar_url);
    const statuses = await Promise.all(urls.map(pictureStatus));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  test('Costs one transaction', async () => {
    await service.settle();
    service.meter.reset();
    await upload(member, red);
    expect(service.meter.write).toBeLessThanOrEqual(10);
    expect(service.meter.read).toBeLessThanOrEqual(6);
  });
});

test('An invalid avatar fails and changes nothing', async () => {
  await upload(member, red);
  const before = await recordOf(guest, member);
  const text = await upload(member, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  expectRefusal(text, 'Invalid image format', { code: 'BAD_IMAGE' });
  const tall = await upload(member, await makePicture({ width: 1, height: 100_000 }));
  expectRefusal(tall, 'Image size exceeds limit', { code: 'BAD_IMAGE' });
  const large = await upload(member, new Uint8Array(4 * 1024 * 1024 + 1));
  expectRefusal(large, 'Uploaded file is larger than the allowed limit of 4 MiB');
  const none = await member.post('/users/me/avatar', {}, { rawBody: toForm([]) });
  expectRefusal(none, 'You must upload exactly one avatar.');
  const two = await member.post('/users/me/avatar', {}, { rawBody: toForm([red, blue]) });
  expectRefusal(two, 'You must upload exactly one avatar.');
  expect(await recordOf(guest, member)).toEqual(before);
});

test('An organization that forbids changing avatars lets only administrators change theirs', async () => {
  await service.owner.patch('/realm', { avatar_changes_disabled: true });
  const MESSAGE = 'Avatar changes are disabled in this organization.';
  expectRefusal(await upload(member, red), MESSAGE);
  expectRefusal(await member.delete('/users/me/avatar'), MESSAGE);
  expect((await upload(administrator, red)).status).toBe(200);
  await service.owner.patch('/realm', { avatar_changes_disabled: false });
  expect((await upload(member, red)).status).toBe(200);
});

await service.owner.patch('/realm', { default_avatar_source: 'G' });
const plain = await service.createUser('Plain');

async function expectNothingToDelete(avatar_url: string): Promise<void> {
  const queue = await guest.listen();
  const { avatar_version } = await recordOf(guest, member);
  expect((await member.delete('/users/me/avatar')).body).toMatchObject({ avatar_url });
  expect(await queue.drain()).toEqual([]);
  expect(await recordOf(guest, member)).toMatchObject({ avatar_version });
}

describe('Deleting the own avatar', () => {
  test('Shows the picture of the address again, deletes the file, and has no effect when repeated', async () => {
    const uploaded = (await upload(member, red)).body.avatar_url;
    const own = await guest.listen({ client_gravatar: true });
    const self = await member.listen({ client_gravatar: true });
    const full = await guest.listen({ client_gravatar: false });
    const { avatar_url } = (await member.delete('/users/me/avatar')).body;
    expect(avatar_url).toMatch(/^https:\/\/secure\.gravatar\.com/);
    const person = { user_id: member.userId, avatar_source: 'G', avatar_version: expect.any(Number) };
    const computed = { ...person, avatar_url: null, avatar_url_medium: null };
    expect(await own.drain()).toMatchObject([{ person: computed }]);
    const whole = { ...person, avatar_url, avatar_url_medium: avatar_url };
    expect(await self.drain()).toMatchObject([{ person: whole }]);
    expect(await full.drain()).toMatchObject([{ person: { ...person, avatar_url } }]);
    expect((await recordOf(guest, member, false)).avatar_url).toBe(avatar_url);
    expect(await pictureStatus(uploaded)).toBe(404);
    await expectNothingToDelete(avatar_url);
  });

  test('Shows the generated avatar if the organization uses generated ones', async () => {
    const uploaded = (await upload(member, red)).body.avatar_url;
    await service.owner.patch('/realm', { default_avatar_source: 'J' });
    const generated = `/user_avatars/j${member.userId}.png`;
    await expectConsistentSnapshot(service, [service.owner, member, guest], async () => {
      expect((await member.delete('/users/me/avatar')).body.avatar_url).toBe(generated);
    });
    expect(await pictureStatus(uploaded)).toBe(404);
    expect(await pictureStatus(generated)).toBe(200);
    await expectNothingToDelete(generated);
  });
});

describe('The address of a user’s picture', () => {
  const { owner } = service;
  const get = (path: unknown) =>
    sendTo(`${service.url}/avatar/${path}`, { headers: { authorization: guest.authorization } });
  /** The picture that an address leads to. */
  const locationOf = async (path: unknown): Promise<string> => {
    const { status, headers, body } = await get(path);
    expect([status, body]).toEqual([302, undefined]);
    return headers.get('location') ?? '';
  };
  const urlOf = async (user: Client): Promise<string> => (await recordOf(guest, user, false)).avatar_url;
  beforeAll(() => upload(member, red));

  test('Leads to the uploaded picture, by id and by e-mail address', async () => {
    for (const name of [member.userId, member.email, encodeURIComponent(member.email)])
      expect(await locationOf(name)).toBe(await urlOf(member));
  });

  test('Leads to the picture of the e-mail address if the user uploaded none', async () => {
    const url = await urlOf(plain);
    expect(url).toMatch(/^https:/);
    for (const path of [plain.userId, `${plain.userId}/medium`]) expect(await locationOf(path)).toBe(url);
  });

  test('Has a larger form, for uploaded and for generated pictures', async () => {
    const larger = await locationOf(`${member.userId}/medium`);
    expect(larger).toBe((await urlOf(member)).replace('.png', '-medium.png'));
    expect(await pictureStatus(larger)).toBe(200);
    expect(await locationOf(`${owner.userId}/medium`)).toBe(`/user_avatars/j${owner.userId}-medium.png`);
  });

  test('Does not reveal whether a hidden e-mail address belongs to a user', async () => {
    await plain.patch('/settings', { email_address_visibility: 4 });
    const [hidden, unknown] = [await get(plain.email), await get('nobody@example.com')];
    expect([hidden.status, hidden.body]).toEqual([unknown.status, unknown.body]);
    expect(await locationOf(plain.userId)).toBe(await urlOf(plain));
  });

  test.each(['999999', 'nobody@example.com'])('Answers 400 for a user called %s', async (name) => {
    const { status, body } = await get(name);
    expect([status, body.result]).toEqual([400, 'error']);
  });
});
