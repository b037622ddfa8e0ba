import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { attachmentAt, upload } from './files.ts';

const service = await startTestService();
const owner = service.owner;
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo], { invite_only: true });
afterAll(() => service.stop());

const render = async (content: string, client = ada): Promise<string> =>
  (await client.post('/messages/render', { content })).body.rendered;
const player = (url: string, title = '') =>
  `<audio controls preload="metadata" src="${url}"${title && ` title="${title}"`}></audio>`;
const film = (url: string, title = '') =>
  `<div class="message_inline_image message_inline_video"><a href="${url}"${title && ` title="${title}"`}><video preload="metadata" src="${url}"></video></a></div>`;

describe('A sound file', () => {
  test.each([
    ['a.mp3', 'audio/mpeg'],
    ['a.wav', 'audio/wav'],
    ['a.flac', 'audio/flac'],
    ['a.aac', 'audio/aac'],
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
    ['a.webm', 'video/webm'],
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

  describe('If the organization turned pictures off', () => {
    beforeEach(async () => {
      await owner.patch('/realm', { inline_image_preview: false });
      return () => owner.patch('/realm', { inline_image_preview: true });
    });

    test('Stays a link, and sound has its player', async () => {
      const [movie, song] = [
        await upload(ada, 'a.mp4', { type: 'video/mp4' }),
        await upload(ada, 'a.mp3', { type: 'audio/mpeg' }),
      ];
      expect(await render(`[film](${movie})`)).toBe(`<p><a href="${movie}">film</a></p>`);
      expect(await render(`![](${song})`)).toBe(`<p>${player(song)}</p>`);
    });
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
