import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { findEmoji, freshName, uploadEmoji, uploadEmojiPicture } from '#tests/api/emoji/emoji-calls.ts';
import { createGroup } from '#tests/api/user-groups/group-calls.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import type { Client, Reply } from '#tests/harness/client.ts';
import { lookAt, makePicture, type PictureOptions, toForm } from '#tests/harness/pictures.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();
const administrator = await service.createUser('Administrator', roles.administrator);
const member = await service.createUser('Member');
const guest = await service.createUser('Guest', roles.guest);
await service.settle();

const uploadPicture = (name: string, options?: PictureOptions): Promise<Reply> =>
  uploadEmojiPicture(member, name, options);
/** Of an animated picture. */
const COLOURS: [number, number, number][] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
];
const recordOf = (name: string) => findEmoji(member, name);

describe('Uploading an emoji', () => {
  test('Sends an event at once, and adds it to register and to the list', async () => {
    const queue = await guest.listen({ client_capabilities: { individual_emoji_changes: true } });
    const name = freshName();
    expect((await uploadPicture(name)).status).toBe(200);
    const record = await recordOf(name);
    expect(record).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name,
      source_url: expect.stringMatching(/^\/user_avatars\/[0-9a-f-]{36}\.png$/),
      still_url: null,
      deactivated: false,
      author_id: member.userId,
    });
    const event = { id: expect.any(Number), type: 'realm_emoji', op: 'add', emoji: record };
    expect(await queue.drain()).toEqual([event]);
    const { snapshot } = await guest.register({ fetch_event_types: ['realm_emoji'] });
    expect(snapshot.realm_emoji[record?.id as string]).toEqual(record);
  });

  test.each([true, false])('Leads to the same state as register (one by one: %s)', async (capable) => {
    const write = async () => {
      const name = freshName();
      await uploadPicture(name);
      await uploadPicture(freshName(), { kind: 'gif', colours: COLOURS });
      await member.delete(`/realm/emoji/${name}`);
      await uploadPicture(name);
    };
    const capabilities = { individual_emoji_changes: capable };
    await expectConsistentSnapshot(service, [service.owner, member, guest], write, capabilities);
  });

  test('Costs a few units, however many emoji there are', async () => {
    await service.settle();
    service.meter.reset();
    await uploadPicture(freshName());
    expect(service.meter.write).toBeLessThanOrEqual(12);
    expect(service.meter.read).toBeLessThanOrEqual(7);
  });
});

describe('The name of an emoji', () => {
  test('Works in messages and reactions at its greatest length', async () => {
    const name = 'e'.repeat(100);
    expect((await uploadPicture(name)).status).toBe(200);
    const id = await member.sendDirect([member.userId], `:${name}:`);
    const reply = await member.post(`/messages/${id}/reactions`, { emoji_name: name });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    const { message } = (await member.get(`/messages/${id}`)).body;
    expect(message.content).toContain((await recordOf(name))?.source_url);
    expect(message.reactions).toMatchObject([{ emoji_name: name, reaction_type: 'realm_emoji' }]);
    await member.delete(`/realm/emoji/${name}`);
  });

  test.each(['a.b', '0-a_b.c'])('Works in messages as %j', async (name) => {
    expect((await uploadPicture(name)).status).toBe(200);
    const { body } = await member.post('/messages/render', { content: `:${name}:` });
    expect(body.rendered).toContain((await recordOf(name))?.source_url);
  });

  test('Has underscores instead of spaces', async () => {
    const name = `with space ${freshName()}`;
    expect((await uploadPicture(name)).status).toBe(200);
    expect(await recordOf(name.replaceAll(' ', '_'))).toBeDefined();
  });

  const CHARACTERS =
    'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.';
  test.each([
    ['Upper', CHARACTERS],
    ['ü', CHARACTERS],
    ['a/b', CHARACTERS],
    ['__proto__\0', CHARACTERS],
    ['ends_', 'Emoji names must end with either a letter or digit.'],
    [' ', 'Emoji name is missing'],
    ['x'.repeat(101), 'emoji_name is too long (limit: 100 characters)'],
  ])('Must not be %j', async (name, message) => {
    expectRefusal(await uploadPicture(name), message);
  });

  test('Belongs to one active emoji', async () => {
    const name = freshName();
    await uploadPicture(name);
    expectRefusal(await uploadPicture(name), 'A custom emoji with this name already exists.');
    await member.delete(`/realm/emoji/${name}`);
    expect((await uploadPicture(name)).status).toBe(200);
  });

  test('May equal a built-in emoji only if an administrator uploads it', async () => {
    const msg = 'Only administrators can override default emoji.';
    for (const name of ['octopus', '-1', 'e-mail', 'flag-wales', 'flag_wales'])
      expectRefusal(await uploadPicture(name), msg);
    expect((await uploadEmojiPicture(administrator, 'octopus')).status).toBe(200);
  });
});

test('The right to add emoji belongs to the group that the organization sets', async () => {
  const add = (client: Client) => uploadEmojiPicture(client, freshName());
  const setTo = (group: number) =>
    service.owner.patch('/realm', { can_add_custom_emoji_group: { new: group } });
  expectRefusal(await add(guest), 'Insufficient permission');
  const { snapshot } = await service.owner.register({ fetch_event_types: ['realm'] });
  expect((await setTo(await createGroup(service.owner, [administrator]))).status).toBe(200);
  expectRefusal(await add(member), 'Insufficient permission');
  expect((await add(administrator)).status).toBe(200);
  await setTo(snapshot.realm_can_add_custom_emoji_group);
  expect((await add(member)).status).toBe(200);
});

const upload = (name: string, rawBody: FormData): Promise<Reply> => uploadEmoji(member, name, rawBody);
const fetchPicture = async (url: string | null | undefined): Promise<Reply> => sendTo(service.url + url);

describe('The picture of an emoji', () => {
  test.each(['png', 'jpg', 'webp', 'gif'] as const)(
    'May be %s, and becomes a whole square of 64 pixels',
    async (kind) => {
      const name = freshName();
      expect((await uploadPicture(name, { kind, width: 200, height: 100 })).status).toBe(200);
      const { status, headers, body } = await fetchPicture((await recordOf(name))?.source_url);
      expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
      const seen = await lookAt(body);
      expect(seen).toMatchObject({ kind: 'png', width: 64, height: 64, frames: 1 });
      expect(seen.corner[3]).toBe(0);
      expect(seen.middle[0]).toBeGreaterThan(245);
      expect(seen.middle[3]).toBe(255);
    },
  );

  test.each(['gif', 'webp'] as const)('Stays animated as %s, beside a still picture', async (kind) => {
    const name = freshName();
    const size = { width: 100, height: 100 };
    expect((await uploadPicture(name, { kind, colours: COLOURS, ...size })).status).toBe(200);
    const record = await recordOf(name);
    expect(record?.source_url).toMatch(new RegExp(`\\.${kind}$`));
    expect(record?.still_url).toMatch(/-still\.png$/);
    const moving = await fetchPicture(record?.source_url);
    expect(moving.headers.get('content-type')).toBe(`image/${kind}`);
    expect(await lookAt(moving.body)).toMatchObject({ kind, width: 64, height: 64, frames: 3 });
    const still = await lookAt((await fetchPicture(record?.still_url)).body);
    expect(still).toMatchObject({ kind: 'png', width: 64, height: 64, frames: 1 });
    expect(still.middle[0]).toBeGreaterThan(245);
  });

  test.each([
    ['a text', Buffer.from('I am no picture')],
    ['nothing', new Uint8Array()],
    ['a vector graphic with script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['a page', Buffer.from('<!DOCTYPE html><script>alert(1)</script>')],
    ['the beginning of a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['a GIF that ends after its header', Buffer.from('GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000')],
  ])('Must not be %s', async (_what, bytes) => {
    const name = freshName();
    expectRefusal(await upload(name, toForm(bytes)), 'Invalid image format', { code: 'BAD_IMAGE' });
    expect(await recordOf(name)).toBeUndefined();
  });

  test('Must have a format that browsers show', async () => {
    const bytes = await makePicture({ kind: 'tif' });
    expectRefusal(await upload(freshName(), toForm(bytes)), 'Invalid image format', { code: 'BAD_IMAGE' });
  });

  test.each<[string, PictureOptions]>([
    ['of 1 × 100 000 pixels', { width: 1, height: 100_000 }],
    ['of 600 frames', { kind: 'gif', width: 2, height: 2, colours: Array(200).fill(COLOURS).flat() }],
  ])('Fails before it is decoded if it is %s', async (_what, options) => {
    const refused = await uploadPicture(freshName(), options);
    expectRefusal(refused, 'Image size exceeds limit', { code: 'BAD_IMAGE' });
  });

  test('Fails if a few bytes claim to be a picture of 65 535 × 65 535 pixels in many frames', async () => {
    const head = Buffer.from('474946383961ffffffff800000ff0000000000', 'hex');
    const frame = Buffer.from('2c00000000ffffffff000202440100', 'hex');
    const bomb = Buffer.concat([head, ...Array.from({ length: 1000 }, () => frame), Buffer.from(';')]);
    const { status, body } = await upload(freshName(), toForm(bomb));
    expect([status, body.code]).toEqual([400, 'BAD_IMAGE']);
  });

  test('Has at most 4 MiB as a file', async () => {
    const limit = 4 * 1024 * 1024;
    const refused = await upload(freshName(), toForm(new Uint8Array(limit + 1)));
    expectRefusal(refused, 'Uploaded file is larger than the allowed limit of 4 MiB');
    const looked = await upload(freshName(), toForm(new Uint8Array(limit)));
    expect(looked.body.code).toBe('BAD_IMAGE');
  });

  test.each([
    ['none', toForm([])],
    ['two', toForm([new Uint8Array(1), new Uint8Array(1)])],
  ])('Must be exactly one file, not %s', async (_count, form) => {
    expectRefusal(await upload(freshName(), form), 'You must upload exactly one file.');
  });

  test('Contains no metadata after processing', async () => {
    const name = freshName();
    const plain = Buffer.from(await makePicture());
    // Behind the header, which takes 33 bytes.
    const withText = Buffer.concat([plain.subarray(0, 33), textChunk('Author\0Myself'), plain.subarray(33)]);
    await upload(name, toForm(withText));
    const { body } = await fetchPicture((await recordOf(name))?.source_url);
    expect(Buffer.from(body).toString('latin1')).not.toMatch(/Myself|tEXt|iTXt|eXIf|iCCP/);
  });
});

/** A part of a PNG file that holds a text. */
function textChunk(text: string): Buffer {
  const content = Buffer.from(`tEXt${text}`, 'latin1');
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length - 4);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
}
