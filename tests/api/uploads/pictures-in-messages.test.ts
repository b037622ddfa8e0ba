import { describe, expect, test } from 'vitest';
import { makePicture } from '#tests/harness/pictures.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { attachmentAt, upload } from './files.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo], { invite_only: true });
const url = await upload(ada, 'cat.png', {
  type: 'image/png',
  content: await makePicture({ width: 90, height: 60 }),
});

/** Shortens the address of the picture in HTML for the expectations below. */
const shown = (html: string) => html.replaceAll(url.slice('/user_uploads/'.length), 'CAT');
const render = async (content: string, client = ada) => {
  const { body } = await client.post('/messages/render', { content });
  return shown(body.rendered);
};
const DATA = 'data-original-content-type="image/png" data-original-dimensions="90x60"';
const SOURCE = 'src="/user_uploads/thumbnail/CAT/840x560.webp"';
const preview = (title = '') =>
  `<div class="message_inline_image"><a href="/user_uploads/CAT"${title && ` title="${title}"`}><img ${DATA} ${SOURCE}></a></div>`;
const player = (url: string, title = '') =>
  `<audio controls preload="metadata" src="${url}"${title && ` title="${title}"`}></audio>`;
const film = (url: string, title = '') =>
  `<div class="message_inline_image message_inline_video"><a href="${url}"${title && ` title="${title}"`}><video preload="metadata" src="${url}"></video></a></div>`;
const LINK = '<a href="/user_uploads/CAT">cat</a>';

describe('A linked picture', () => {
  test('Follows its paragraph, in a message and in its preview', async () => {
    const expected = `<p>my ${LINK}</p>\n${preview('cat')}`;
    expect(await render(`my [cat](${url})`)).toBe(expected);
    const messageId = await ada.send(room.name, 'pictures', `my [cat](${url})`);
    expect(shown((await bo.get(`/messages/${messageId}`)).body.message.content)).toBe(expected);
  });

  test('Becomes a block if the paragraph is only its address', async () => {
    expect(await render(`${service.url}${url}`)).toBe(preview());
    expect(await render(`look ${service.url}${url}`)).toBe(
      `<p>look <a href="/user_uploads/CAT">${service.url}/user_uploads/CAT</a></p>\n${preview()}`,
    );
  });

  test('Appears once, in lists and spoilers too, and not in quotes, tables and code', async () => {
    expect(await render(`[cat](${url})\n\n[cat](${url})`)).toBe(
      `<p>${LINK}</p>\n${preview('cat')}\n<p>${LINK}</p>`,
    );
    expect(await render(`* [cat](${url})`)).toContain(preview('cat'));
    expect(await render(`\`\`\`spoiler s\n[cat](${url})\n\`\`\``)).toContain(preview('cat'));
    for (const source of [`> [cat](${url})`, `a | b\n--- | ---\n[cat](${url}) | c`, `\`[cat](${url})\``])
      expect(await render(source)).not.toContain('<img');
  });

  test('Has its size as people see it, whatever the orientation of the camera', async () => {
    const photo = { kind: 'jpg', width: 80, height: 50, orientation: 6 } as const;
    const taken = await upload(ada, 'p.jpg', { type: 'image/jpeg', content: await makePicture(photo) });
    expect(await render(`[p](${taken})`)).toContain(
      'data-original-content-type="image/jpeg" data-original-dimensions="50x80"',
    );
  });

  test('Shows its name as text, whatever it contains', async () => {
    expect(await render(`["><script>alert(1)</script>](${url})`)).toContain(
      preview('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;'),
    );
  });

  test('Matches the search for images', async () => {
    const messageId = await ada.send(room.name, 'found', `my [cat](${url})`);
    const narrow = [
      { operator: 'has', operand: 'image' },
      { operator: 'topic', operand: 'found' },
    ];
    const { body } = await bo.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0, narrow });
    expect(body.messages.map(({ id }: { id: number }) => id)).toEqual([messageId]);
  });
});

describe('A picture within the text', () => {
  test('Appears there', async () => {
    expect(await render(`a ![small "cat"](${url}) b`)).toBe(
      `<p>a <img alt="small &quot;cat&quot;" class="inline-image" ${DATA} data-original-src="/user_uploads/CAT" ${SOURCE}> b</p>`,
    );
  });

  test('From another site stays a link, since loading it would reveal the readers', async () => {
    expect(await render('![x](https://example.com/x.png)')).toBe(
      '<p><a href="https://example.com/x.png">x</a></p>',
    );
  });
});

describe('A link stays a link', () => {
  test('If its author may not read the picture', async () => {
    const own = await upload(ada, 'own.png', { type: 'image/png', content: await makePicture() });
    expect(await render(`[own](${own})`, bo)).toBe(`<p><a href="${own}">own</a></p>`);
    expect(await render(`![own](${own})`, bo)).toBe(`<p><a href="${own}">own</a></p>`);
  });

  test('If the file is no picture, whatever its name', async () => {
    const liar = await upload(ada, 'a.png', { type: 'image/png', content: 'no picture' });
    expect(await render(`[a](${liar})`)).toBe(`<p><a href="${liar}">a</a></p>`);
  });

  test('In a description', async () => {
    const subscriptions = [{ name: 'described', description: `[cat](${url})` }];
    await ada.post('/users/me/subscriptions', { subscriptions });
    const { body: found } = await ada.get('/get_stream_id', { stream: 'described' });
    const { body } = await ada.get(`/streams/${found.stream_id}`);
    expect(shown(body.stream.rendered_description)).toBe(`<p>${LINK}</p>`);
  });

  test('If the organization turned pictures off', async () => {
    expect((await service.owner.patch('/realm', { inline_image_preview: false })).status).toBe(200);
    expect(await render(`my [cat](${url})`)).toBe(`<p>my ${LINK}</p>`);
    await service.owner.patch('/realm', { inline_image_preview: true });
  });
});

describe('A sound file', () => {
  test.each([
    ['a.mp3', 'audio/mpeg'],
    ['a.wav', 'audio/wav'],
    ['a.m4a', 'audio/mp4'],
    ['song.mp3', ''],
  ])('With picture syntax has a player: %s, sent as %j', async (name, type) => {
    const url = await upload(ada, name, { type });
    expect(await render(`![${name}](${url})`)).toBe(`<p>${player(url, name)}</p>`);
    expect(await render(`[${name}](${url})`)).toBe(`<p><a href="${url}">${name}</a></p>`);
  });

  test('Belongs to the message that plays it, and can be read by its readers', async () => {
    const url = await upload(ada, 'a.mp3', { type: 'audio/mpeg' });
    expect(await render(`![](${url})`, bo)).not.toContain('<audio');
    const messageId = await ada.send(room.name, 'sounds', `![](${url})`);
    const { body } = await bo.get(`/messages/${messageId}`);
    expect(body.message.content).toBe(`<p>${player(url)}</p>`);
    expect(await attachmentAt(ada, url)).toMatchObject({ message_ids: [messageId] });
    expect(await render(`![](${url})`, bo)).toContain('<audio');
    const narrow = [{ operator: 'has', operand: 'attachment' }];
    const found = await bo.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0, narrow });
    expect(found.body.messages.map(({ id }: { id: number }) => id)).toContain(messageId);
  });
});

describe('A video file', () => {
  test.each([
    ['a.mp4', 'video/mp4'],
    ['a.mov', 'video/quicktime'],
    ['IMG_1.MOV', ''],
  ])('As a link has a player after its paragraph: %s, sent as %j', async (name, type) => {
    const url = await upload(ada, name, { type });
    expect(await render(`see [film](${url})`)).toBe(
      `<p>see <a href="${url}">film</a></p>\n${film(url, 'film')}`,
    );
    expect(await render(`${service.url}${url}`)).toBe(film(url));
    expect(await render(`> [film](${url})`)).not.toContain('<video');
  });

  test('Does not match the search for images', async () => {
    const url = await upload(ada, 'a.mp4', { type: 'video/mp4' });
    const messageId = await ada.send(room.name, 'films', `[film](${url})`);
    const idsWith = async (operand: string): Promise<number[]> => {
      const narrow = [{ operator: 'has', operand }];
      const { body } = await bo.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow });
      return body.messages.map(({ id }: { id: number }) => id);
    };
    expect(await idsWith('attachment')).toContain(messageId);
    expect(await idsWith('image')).not.toContain(messageId);
  });

  test('Stays a link if the organization turned pictures off, and sound has its player', async () => {
    await service.owner.patch('/realm', { inline_image_preview: false });
    const [movie, song] = [
      await upload(ada, 'a.mp4', { type: 'video/mp4' }),
      await upload(ada, 'a.mp3', { type: 'audio/mpeg' }),
    ];
    expect(await render(`[film](${movie})`)).toBe(`<p><a href="${movie}">film</a></p>`);
    expect(await render(`![](${song})`)).toBe(`<p>${player(song)}</p>`);
    await service.owner.patch('/realm', { inline_image_preview: true });
  });
});

test('Players appear in messages, not in descriptions', async () => {
  const url = await upload(ada, 'a.mp3', { type: 'audio/mpeg' });
  const description = `![song](${url})`;
  const { body } = await ada.post('/users/me/subscriptions', {
    subscriptions: [{ name: 'sounds', description }],
  });
  expect(body.result).toBe('success');
  const { body: all } = await ada.get('/streams');
  const channel = all.streams.find(({ name }: { name: string }) => name === 'sounds');
  expect(channel.rendered_description).toBe(`<p><a href="${url}">song</a></p>`);
});
