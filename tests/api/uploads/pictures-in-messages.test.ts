import { describe, expect, test } from 'vitest';
import { makePicture } from '#tests/harness/pictures.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { idsIn, term } from '../messages/lists/message-lists.ts';
import { attachmentAt, upload } from './files.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo], { invite_only: true });
const content = await makePicture({ width: 90, height: 60 });
const url = await upload(ada, 'cat.png', { type: 'image/png', content });
const idsWith = (operand: string) => idsIn(bo, [term('has', operand)]);

/** Shortens the address of the picture in HTML for the expectations below. */
const shown = (html: string) => html.replaceAll(url.slice('/user_uploads/'.length), 'CAT');
const render = async (content: string, client = ada) => {
  const { body } = await client.post('/messages/render', { content });
  return shown(body.rendered);
};
/** The description of a new channel as readers see it. */
async function renderDescription(name: string, description: string): Promise<string> {
  await ada.post('/users/me/subscriptions', { subscriptions: [{ name, description }] });
  const { stream_id } = (await ada.get('/get_stream_id', { stream: name })).body;
  return (await ada.get(`/streams/${stream_id}`)).body.stream.rendered_description;
}
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
    const link = `<a href="/user_uploads/CAT">${service.url}/user_uploads/CAT</a>`;
    expect(await render(`look ${service.url}${url}`)).toBe(`<p>look ${link}</p>\n${preview()}`);
  });

  test('Appears once, in lists and spoilers too, and not in quotes, tables and code', async () => {
    const twice = `<p>${LINK}</p>\n${preview('cat')}\n<p>${LINK}</p>`;
    expect(await render(`[cat](${url})\n\n[cat](${url})`)).toBe(twice);
    expect(await render(`* [cat](${url})`)).toContain(preview('cat'));
    expect(await render(`\`\`\`spoiler s\n[cat](${url})\n\`\`\``)).toContain(preview('cat'));
    for (const source of [`> [cat](${url})`, `a | b\n--- | ---\n[cat](${url}) | c`, `\`[cat](${url})\``])
      expect(await render(source)).not.toContain('<img');
  });

  test('Has its size as people see it, whatever the orientation of the camera', async () => {
    const photo = { kind: 'jpg', width: 80, height: 50, orientation: 6 } as const;
    const taken = await upload(ada, 'p.jpg', { type: 'image/jpeg', content: await makePicture(photo) });
    const turned = 'data-original-content-type="image/jpeg" data-original-dimensions="50x80"';
    expect(await render(`[p](${taken})`)).toContain(turned);
  });

  test('Shows its name as text, whatever it contains', async () => {
    const escaped = preview('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(await render(`["><script>alert(1)</script>](${url})`)).toContain(escaped);
  });

  test('Matches the search for images', async () => {
    const messageId = await ada.send(room.name, 'found', `my [cat](${url})`);
    expect(await idsIn(bo, [term('has', 'image'), term('topic', 'found')])).toEqual([messageId]);
  });
});

describe('A picture within the text', () => {
  test('Appears there', async () => {
    expect(await render(`a ![small "cat"](${url}) b`)).toBe(
      `<p>a <img alt="small &quot;cat&quot;" class="inline-image" ${DATA} data-original-src="/user_uploads/CAT" ${SOURCE}> b</p>`,
    );
  });

  test('From another site stays a link, since loading it would reveal the readers', async () => {
    const link = '<p><a href="https://example.com/x.png">x</a></p>';
    expect(await render('![x](https://example.com/x.png)')).toBe(link);
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
    expect(shown(await renderDescription('described', `[cat](${url})`))).toBe(`<p>${LINK}</p>`);
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
    expect(await idsWith('attachment')).toContain(messageId);
  });
});

describe('A video file', () => {
  test.each([
    ['a.mp4', 'video/mp4'],
    ['a.mov', 'video/quicktime'],
    ['IMG_1.MOV', ''],
  ])('As a link has a player after its paragraph: %s, sent as %j', async (name, type) => {
    const url = await upload(ada, name, { type });
    const paragraph = `<p>see <a href="${url}">film</a></p>`;
    expect(await render(`see [film](${url})`)).toBe(`${paragraph}\n${film(url, 'film')}`);
    expect(await render(`${service.url}${url}`)).toBe(film(url));
    expect(await render(`> [film](${url})`)).not.toContain('<video');
  });

  test('Does not match the search for images', async () => {
    const url = await upload(ada, 'a.mp4', { type: 'video/mp4' });
    const messageId = await ada.send(room.name, 'films', `[film](${url})`);
    expect(await idsWith('attachment')).toContain(messageId);
    expect(await idsWith('image')).not.toContain(messageId);
  });

  test('Stays a link if the organization turned pictures off, and sound has its player', async () => {
    await service.owner.patch('/realm', { inline_image_preview: false });
    const movie = await upload(ada, 'a.mp4', { type: 'video/mp4' });
    const song = await upload(ada, 'a.mp3', { type: 'audio/mpeg' });
    expect(await render(`[film](${movie})`)).toBe(`<p><a href="${movie}">film</a></p>`);
    expect(await render(`![](${song})`)).toBe(`<p>${player(song)}</p>`);
    await service.owner.patch('/realm', { inline_image_preview: true });
  });
});

test('Players appear in messages, not in descriptions', async () => {
  const url = await upload(ada, 'a.mp3', { type: 'audio/mpeg' });
  expect(await renderDescription('sounds', `![song](${url})`)).toBe(`<p><a href="${url}">song</a></p>`);
});
