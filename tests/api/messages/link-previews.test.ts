import { beforeEach, expect, test } from 'vitest';
import { readOpenings } from '#shared/runtime/outside/openings.ts';
import { createBot } from '#tests/api/bots/bots.ts';
import { atFileEnd } from '#tests/harness/file-end.ts';
import { lookAt, makePicture } from '#tests/harness/pictures.ts';
import { Receiver } from '#tests/harness/receiver.ts';
import { createChannel, createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const receiver = new Receiver();
await receiver.start();
atFileEnd(() => receiver.stop());
const service = await startTestService({ openings: readOpenings(receiver.host) });
const member = await createUser(service, 'Member');
const { channelId } = await createChannel(service, [member]);
await service.owner.patch('/realm', { inline_url_embed_preview: true });

const PAGE =
  '<title>Tides &amp; winds</title><meta name="description" content="When"><meta property="og:image" content="/picture.png">';
const red: [number, number, number] = [255, 0, 0];
const blue: [number, number, number] = [0, 0, 255];
const files: Record<string, [type: string, content: string | Uint8Array]> = {
  '/picture.png': ['image/png', await makePicture({ width: 1280, height: 640 })],
  '/moving.gif': ['image/gif', await makePicture({ kind: 'gif', colours: [red, blue] })],
  '/still.gif': ['image/gif', await makePicture({ kind: 'gif' })],
  '/page': ['text/html', PAGE],
  '/text': ['text/html', '<title>Only text</title>'],
  '/fake.png': ['image/png', '<svg/>'],
};
receiver.respond = ({ path }, response) => {
  const [type, content] = files[path.replace(/\?.*/, '')] ?? [];
  if (type) response.setHeader('content-type', type).end(content);
  else response.writeHead(404).end();
};
beforeEach(() => {
  receiver.received.length = 0;
});

let count = 0;
/** An address that no test has used. */
const fresh = (path: string): string => `${receiver.url}${path}?${++count}`;

async function htmlOf(id: number): Promise<string> {
  await service.settle();
  return (await member.get(`/messages/${id}`)).body.message.content;
}
const send = (content: string, by = member): Promise<number> => by.send(channelId, 'links', content);
// The first picture takes the longest: its thread loads the library.
await htmlOf(await send(fresh('/picture.png')));

/** Holds the next answers back until they may be given. */
function holdPages(): { isFetched: Promise<void>; answer: () => void } {
  const { respond } = receiver;
  const fetched = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  receiver.respond = async (received, response) => {
    fetched.resolve();
    await released.promise;
    respond(received, response);
  };
  const answer = () => {
    receiver.respond = respond;
    released.resolve();
  };
  return { isFetched: fetched.promise, answer };
}

test('A linked page gets a card after the send, with an event for the rendering only', async () => {
  const url = fresh('/page');
  const queue = await member.listen();
  const id = await send(`see ${url} now`);
  const html = await htmlOf(id);
  expect(html).toMatch(
    /^<p>.*<\/p>\n<div class="message_embed"><a class="message_embed_image" href="[^"]+" style="background-image: url\(&quot;\/user_avatars\/[0-9a-f-]{36}\.webp&quot;\)"><\/a><div class="data-container"><div class="message_embed_title"><a href="[^"]+" title="Tides &amp; winds">Tides &amp; winds<\/a><\/div><div class="message_embed_description">When<\/div><\/div><\/div>$/,
  );
  const events = await queue.drain();
  const [sent, update, ...others] = events.filter(({ type }) => /message$/.test(type));
  expect(sent).toMatchObject({ type: 'message', message: { id, content: `see ${url} now` } });
  expect(update).toMatchObject({
    type: 'update_message',
    user_id: null,
    rendering_only: true,
    message_id: id,
    message_ids: [id],
    content: `see ${url} now`,
    rendered_content: html,
    edit_timestamp: expect.any(Number),
  });
  expect(others).toEqual([]);
  const { message } = (await member.get(`/messages/${id}`)).body;
  expect(message).not.toHaveProperty('last_edit_timestamp');
  expect(message).not.toHaveProperty('edit_history');
  const [, picture] = /(\/user_avatars\/[^&]+)&quot;/.exec(html) ?? [];
  const reply = await fetch(new URL(picture ?? '', service.url));
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/webp']);
});

test('A page without a picture gets a card of text', async () => {
  const html = await htmlOf(await send(fresh('/text')));
  expect(html).toContain('<div class="message_embed"><div class="data-container"><div class="message_embed_');
  expect(html).not.toContain('message_embed_image');
});

test('A bare link to a picture becomes a copy of it from this service', async () => {
  const url = fresh('/picture.png');
  expect(await htmlOf(await send(url))).toMatch(
    /^<div class="message_inline_image"><a href="[^"]+"><img data-original-dimensions="1280x640" src="\/user_avatars\/[0-9a-f-]{36}\.webp"><\/a><\/div>$/,
  );
  const agent = receiver.received[0]?.headers['user-agent'];
  expect(agent).toMatch(/^Mozilla\/5\.0 \(compatible; ZulipURLPreview\//);
});

test('A bare link to a GIF becomes a copy that moves, and its first frame is beside it', async () => {
  const html = await htmlOf(await send(fresh('/moving.gif')));
  const [, name = ''] =
    /<img data-animated="true" data-original-dimensions="40x30" src="([^"]+)\.gif">/.exec(html) ?? [];
  const open = async (path: string) => lookAt(await (await fetch(new URL(path, service.url))).bytes());
  expect(await open(`${name}.gif`)).toMatchObject({ kind: 'gif', frames: 2 });
  expect(await open(`${name}-still.webp`)).toMatchObject({ kind: 'webp', frames: 1, width: 40 });
});

test('A GIF of one frame is a still copy', async () => {
  const html = await htmlOf(await send(fresh('/still.gif')));
  expect(html).toMatch(/<img data-original-dimensions="40x30" src="[^"]+\.webp">/);
});

test('A page is fetched once for many messages', async () => {
  const url = fresh('/page');
  const first = await htmlOf(await send(url));
  expect(receiver.received).toHaveLength(2);
  expect(await htmlOf(await send(url))).toBe(first);
  expect(receiver.received).toHaveLength(2);
  service.advance(8 * 24 * 3600 * 1000);
  await htmlOf(await send(url));
  expect(receiver.received).toHaveLength(4);
});

test.each([['/fake.png'], ['/missing'], ['/missing.png']])('A link to %s stays a link', async (path) => {
  const url = fresh(path);
  expect(await htmlOf(await send(url))).toBe(`<p><a href="${url}">${url}</a></p>`);
});

test('A message of a bot shows pictures, and no pages', async () => {
  const bot = await createBot(member);
  expect(await htmlOf(await send(fresh('/page'), bot))).not.toContain('message_embed');
  expect(await htmlOf(await send(fresh('/picture.png'), bot))).toContain('message_inline_image');
});

test('Organizations without previews fetch nothing', async () => {
  await service.owner.patch('/realm', { inline_url_embed_preview: false, inline_image_preview: false });
  await htmlOf(await send(`${fresh('/page')} ${fresh('/picture.png')}`));
  expect(receiver.received).toEqual([]);
  await service.owner.patch('/realm', { inline_url_embed_preview: true, inline_image_preview: true });
});

test('An edit renews the cards, also while a page is being fetched', async () => {
  const [slow, other] = [fresh('/page'), fresh('/text')];
  const { isFetched, answer } = holdPages();
  const id = await send(slow);
  await isFetched;
  await member.patch(`/messages/${id}`, { content: other });
  answer();
  const html = await htmlOf(id);
  expect(html.match(/class="message_embed"/g)).toHaveLength(1);
  expect(html).toContain('Only text');
});

test('A message that is deleted while a page is being fetched stays deleted', async () => {
  const { isFetched, answer } = holdPages();
  const id = await send(fresh('/page'));
  await isFetched;
  await service.owner.delete(`/messages/${id}`);
  answer();
  await service.settle();
  expect((await member.get(`/messages/${id}`)).status).toBe(400);
});
