import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import type { Client, Reply } from '#tests/harness/client.ts';
import { lookAt, makePicture, type PictureOptions, toForm } from '#tests/harness/pictures.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

let service: TestService;
let [administrator, member, guest]: Client[] = [];
let made = 0;
beforeAll(async () => {
  service = await startTestService();
  administrator = await service.createUser('Administrator', roles.administrator);
  member = await service.createUser('Member');
  guest = await service.createUser('Guest', roles.guest);
  await service.settle();
});
afterAll(() => service.stop());

const as = (client: Client | undefined): Client => client as Client;
const freshName = (): string => `emoji_${++made}`;
const upload = (client: Client | undefined, name: string, rawBody: FormData): Promise<Reply> =>
  as(client).post(`/realm/emoji/${encodeURIComponent(name)}`, {}, { rawBody });
const uploadPicture = async (name: string, options: PictureOptions = {}): Promise<Reply> =>
  upload(member, name, toForm(await makePicture(options)));
const recordOf = async (name: string) => {
  const { body } = await as(member).get('/realm/emoji');
  return Object.values<Record<string, string>>(body.emoji).find((one) => one.name === name);
};
const fetchPicture = async (url: string | null | undefined): Promise<Reply> => sendTo(service.url + url);

describe('an emoji', () => {
  test('is told of at once, and is in register and in the list', async () => {
    const queue = await as(guest).listen({ client_capabilities: { individual_emoji_changes: true } });
    const name = freshName();
    expect((await uploadPicture(name)).status).toBe(200);
    const record = await recordOf(name);
    expect(record).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name,
      source_url: expect.stringMatching(/^\/user_avatars\/[0-9a-f-]{36}\.png$/),
      still_url: null,
      deactivated: false,
      author_id: as(member).userId,
    });
    expect(await queue.drain()).toEqual([
      { id: expect.any(Number), type: 'realm_emoji', op: 'add', emoji: record },
    ]);
    const { snapshot } = await as(guest).register({ fetch_event_types: ['realm_emoji'] });
    expect(snapshot.realm_emoji[record?.id as string]).toEqual(record);
  });

  test('is told old clients with all others', async () => {
    const queue = await as(guest).listen();
    await uploadPicture(freshName());
    const { body } = await as(member).get('/realm/emoji');
    expect(await queue.drain()).toEqual([
      { id: expect.any(Number), type: 'realm_emoji', op: 'update', realm_emoji: body.emoji },
    ]);
  });

  test.each([[true], [false]])('is what register says of it (told of one by one: %s)', async (capable) => {
    await expectConsistentSnapshot(
      service,
      [service.owner, as(member), as(guest)],
      async () => {
        const name = freshName();
        await uploadPicture(name);
        await uploadPicture(freshName(), {
          kind: 'gif',
          colours: [
            [255, 0, 0],
            [0, 255, 0],
          ],
        });
        await as(member).delete(`/realm/emoji/${name}`);
        await uploadPicture(name);
      },
      { individual_emoji_changes: capable },
    );
  });

  test('costs no more than a few units to add, however many there are', async () => {
    await service.settle();
    service.meter.reset();
    await uploadPicture(freshName());
    expect(service.meter.write).toBeLessThanOrEqual(12);
    expect(service.meter.read).toBeLessThanOrEqual(7);
  });
});

describe('its picture', () => {
  test.each([['png'], ['jpg'], ['webp'], ['gif']] as const)(
    'may be %s, and is shown as a square of 64 pixels in which all of it is seen',
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

  test.each([['gif'], ['webp']] as const)(
    'goes on moving as %s, with a still one beside it',
    async (kind) => {
      const name = freshName();
      const colours: [number, number, number][] = [
        [255, 0, 0],
        [0, 255, 0],
        [0, 0, 255],
      ];
      expect((await uploadPicture(name, { kind, colours, width: 100, height: 100 })).status).toBe(200);
      const record = await recordOf(name);
      expect(record?.source_url).toMatch(new RegExp(`\\.${kind}$`));
      expect(record?.still_url).toMatch(/-still\.png$/);
      const moving = await fetchPicture(record?.source_url);
      expect(moving.headers.get('content-type')).toBe(`image/${kind}`);
      expect(await lookAt(moving.body)).toMatchObject({ kind, width: 64, height: 64, frames: 3 });
      const still = await lookAt((await fetchPicture(record?.still_url)).body);
      expect(still).toMatchObject({ kind: 'png', width: 64, height: 64, frames: 1 });
      expect(still.middle[0]).toBeGreaterThan(245);
    },
  );

  test.each([
    ['a text', Buffer.from('I am no picture')],
    ['nothing', new Uint8Array()],
    [
      'a vector graphic with script',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    ],
    ['a page', Buffer.from('<!DOCTYPE html><script>alert(1)</script>')],
    ['the beginning of a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['a GIF that ends after its header', Buffer.from('GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000')],
  ])('is not %s', async (_what, bytes) => {
    const name = freshName();
    expectRefusal(await upload(member, name, toForm(bytes)), 'Invalid image format', { code: 'BAD_IMAGE' });
    expect(await recordOf(name)).toBeUndefined();
  });

  test('is not of a kind that browsers do not show', async () => {
    const bytes = await makePicture({ kind: 'tif' });
    expectRefusal(await upload(member, freshName(), toForm(bytes)), 'Invalid image format', {
      code: 'BAD_IMAGE',
    });
  });

  test.each<[string, PictureOptions]>([
    ['of 1 × 100 000 pixels', { width: 1, height: 100_000 }],
    [
      'of 600 frames',
      {
        kind: 'gif',
        width: 2,
        height: 2,
        colours: Array.from({ length: 600 }, (_, n) => [n % 2 === 0 ? 255 : 0, 0, 255]),
      },
    ],
  ])('is refused before it is decoded when it is %s', async (_what, options) => {
    expectRefusal(await uploadPicture(freshName(), options), 'Image size exceeds limit', {
      code: 'BAD_IMAGE',
    });
  });

  test('is refused by its head alone when that says 7 000 × 7 000 pixels', async () => {
    const bytes = Buffer.from(await makePicture());
    bytes.writeUInt32BE(7000, 16);
    bytes.writeUInt32BE(7000, 20);
    bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
    expectRefusal(await upload(member, freshName(), toForm(bytes)), 'Image size exceeds limit', {
      code: 'BAD_IMAGE',
    });
  });

  test('is refused when a few bytes claim to be a picture of 65 535 × 65 535 pixels in many frames', async () => {
    const head = Buffer.from('474946383961ffffffff800000ff0000000000', 'hex');
    const frame = Buffer.from('2c00000000ffffffff000202440100', 'hex');
    const bomb = Buffer.concat([head, ...Array.from({ length: 1000 }, () => frame), Buffer.from(';')]);
    const { status, body } = await upload(member, freshName(), toForm(bomb));
    expect([status, body.code]).toEqual([400, 'BAD_IMAGE']);
  });

  test('is at most 4 MiB as a file', async () => {
    const limit = 4 * 1024 * 1024;
    const refused = await upload(member, freshName(), toForm(new Uint8Array(limit + 1)));
    expectRefusal(refused, 'Uploaded file is larger than the allowed limit of 4 MiB');
    const looked = await upload(member, freshName(), toForm(new Uint8Array(limit)));
    expect(looked.body.code).toBe('BAD_IMAGE');
  });

  test('its picture of 9 MB is refused as a body', async () => {
    const { status, body } = await upload(member, freshName(), toForm(new Uint8Array(9_000_000)));
    expect([status, body.msg]).toEqual([413, 'The request body is too large']);
  });

  test('its picture of 20 MB does not get in', async () => {
    const sending = upload(member, freshName(), toForm(new Uint8Array(20_000_000)));
    const status = await sending.then((reply) => reply.status).catch(() => 413);
    expect(status).toBe(413);
  });

  test.each([
    ['none', toForm([])],
    ['two', toForm([new Uint8Array(1), new Uint8Array(1)])],
  ])('is exactly one file, not %s', async (_count, form) => {
    expectRefusal(await upload(member, freshName(), form), 'You must upload exactly one file.');
  });

  test('says nothing beside what it shows', async () => {
    const name = freshName();
    const plain = Buffer.from(await makePicture());
    // Behind the header, which takes 33 bytes.
    const withText = Buffer.concat([plain.subarray(0, 33), textChunk('Author\0Myself'), plain.subarray(33)]);
    await upload(member, name, toForm(withText));
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

describe('its name', () => {
  test('has underscores where spaces were', async () => {
    const name = `with space ${++made}`;
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
  ])('is not %j', async (name, message) => {
    expectRefusal(await uploadPicture(name), message);
  });

  test('is that of one active emoji', async () => {
    const name = freshName();
    await uploadPicture(name);
    expectRefusal(await uploadPicture(name), 'A custom emoji with this name already exists.');
    await as(member).delete(`/realm/emoji/${name}`);
    expect((await uploadPicture(name)).status).toBe(200);
  });

  test('is given once when several ask for it at the same time', async () => {
    const name = freshName();
    const replies = await Promise.all(Array.from({ length: 5 }, () => uploadPicture(name)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  });

  test('is that of a built-in emoji only when an administrator says so', async () => {
    const form = async () => toForm(await makePicture());
    expectRefusal(
      await upload(member, 'octopus', await form()),
      'Only administrators can override default emoji.',
    );
    expect((await upload(administrator, 'octopus', await form())).status).toBe(200);
  });
});

describe('adding emoji', () => {
  test('is for those that the organization lets', async () => {
    const form = async () => toForm(await makePicture());
    expectRefusal(await upload(guest, freshName(), await form()), 'Insufficient permission');
    const { body } = await service.owner.post('/user_groups/create', {
      name: 'painters',
      description: '',
      members: [as(administrator).userId],
    });
    const setTo = (group: number) =>
      service.owner.patch('/realm', { can_add_custom_emoji_group: { new: group } });
    const { snapshot } = await service.owner.register({ fetch_event_types: ['realm'] });
    expect((await setTo(body.group_id)).status).toBe(200);
    expectRefusal(await upload(member, freshName(), await form()), 'Insufficient permission');
    expect((await upload(administrator, freshName(), await form())).status).toBe(200);
    await setTo(snapshot.realm_can_add_custom_emoji_group);
    expect((await upload(member, freshName(), await form())).status).toBe(200);
  });
});
