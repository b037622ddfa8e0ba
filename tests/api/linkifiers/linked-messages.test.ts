import { beforeEach, describe, expect, test } from 'vitest';
import { createChannel, createUsers, drainMessages } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { clear, make } from './linkifier-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo]);
beforeEach(() => clear(service.owner));

const messageOf = async (id: number) => (await bo.get(`/messages/${id}`)).body.message;
const rendered = async (content: string): Promise<string> =>
  (await messageOf(await ada.send(room.channelId, 'topic', content))).content;
const topicLinks = async (topic: string) =>
  (await messageOf(await ada.send(room.channelId, topic, 'x'))).topic_links;
const a = (url: string, text: string) => `<a href="${url}">${text}</a>`;
const issue = (id: number) => a(`https://example.com/issues/${id}`, `#${id}`);

describe('The text that a linkifier matches', () => {
  beforeEach(() => make(service.owner));

  test.each([
    ['see #12', `<p>see ${issue(12)}</p>`],
    ['#1 #2,#3', `<p>${issue(1)} ${issue(2)},${issue(3)}</p>`],
    ['(#1)! "#2"', `<p>(${issue(1)})! &quot;${issue(2)}&quot;</p>`],
    ['**#1** and ~~#2~~', `<p><strong>${issue(1)}</strong> and <del>${issue(2)}</del></p>`],
    ['one\n#2', `<p>one<br>\n${issue(2)}</p>`],
    ['* #1', `<ul>\n<li>${issue(1)}</li>\n</ul>`],
    ['## #1', `<h2>${issue(1)}</h2>`],
  ])('Becomes a link: %j', async (content, html) => {
    expect(await rendered(content)).toBe(html);
  });

  test.each([
    ['a#12', '<p>a#12</p>'],
    ['#12a', '<p>#12a</p>'],
    ['`#12`', '<p><code>#12</code></p>'],
    ['```\n#12\n```', '<div class="codehilite"><pre><span></span><code>#12\n</code></pre></div>'],
    ['[#12](https://a.b)', `<p>${a('https://a.b', '#12')}</p>`],
    ['https://a.b/ #12', `<p>${a('https://a.b/', 'https://a.b/')} ${issue(12)}</p>`],
    ['https://a.b/#12', `<p>${a('https://a.b/#12', 'https://a.b/#12')}</p>`],
  ])('Stays text within words, code, links and addresses: %j', async (content, html) => {
    expect(await rendered(content)).toBe(html);
  });

  test('Becomes a link in events, direct messages and scheduled messages', async () => {
    const queue = await bo.listen({ apply_markdown: true });
    await ada.sendDirect([bo.userId], 'see #7');
    const [message] = await drainMessages(queue);
    expect(message.content).toBe(`<p>see ${issue(7)}</p>`);
    const seconds = Math.floor(service.services.clock.nowMs() / 1000);
    const direct = { type: 'direct', to: [bo.userId], content: 'later #8' };
    const later = { ...direct, scheduled_delivery_timestamp: seconds + 3_600 };
    const { body } = await ada.post('/scheduled_messages', later);
    await ada.patch(`/scheduled_messages/${body.scheduled_message_id}`, { content: 'later #9' });
    const scheduled = await ada.get('/scheduled_messages');
    expect(scheduled.body.scheduled_messages[0].rendered_content).toBe(`<p>later ${issue(9)}</p>`);
  });

  test('Keeps the link of the time of sending, whatever happens to the linkifier', async () => {
    const id = await ada.send(room.channelId, '#5', 'see #5');
    const before = await messageOf(id);
    await clear(service.owner);
    expect(await messageOf(id)).toEqual(before);
    expect(await rendered('see #5')).toBe('<p>see #5</p>');
  });
});

describe('The address of a linkifier’s link', () => {
  test('Contains the matches of the groups, escaped as the template requires', async () => {
    const pattern = '(?P<repo>[^ #]+)#(?P<id>[0-9]+)(?:@(?P<at>\\w+))?';
    await make(service.owner, { pattern, url_template: 'https://example.com/{+repo}/{repo}/{id}{?at}' });
    expect(await rendered('a/b&c#7@x "d#8')).toBe(
      '<p><a href="https://example.com/a/b&amp;c/a%2Fb%26c/7?at=x">a/b&amp;c#7@x</a> ' +
        '<a href="https://example.com/%22d/%22d/8">&quot;d#8</a></p>',
    );
  });

  test('Never leads elsewhere than to the web or to a mailbox, nor out of its attribute', async () => {
    await make(service.owner, { pattern: 'go:(?P<x>.+)', url_template: 'https://{+x}' });
    const html = await rendered('go:a.b/"><script>alert(1)</script>');
    expect(html).not.toMatch(/<script|"[^>]*"[^>]*>[^<]*"/);
    expect(await rendered('go:/a.b')).toBe('<p>go:/a.b</p>');
  });
});

test('Several linkifiers that match the same text produce the link of the first one', async () => {
  const long = { pattern: '#(?P<n>[0-9]+)-(?P<m>[0-9]+)', url_template: 'https://a.b/{n}/{m}' };
  const [first, second] = [await make(service.owner), await make(service.owner, long)];
  expect(await rendered('#1-2')).toBe(`<p>${issue(1)}-2</p>`);
  await service.owner.patch('/realm/linkifiers', { ordered_linkifier_ids: [second, first] });
  expect(await rendered('#1-2 #3')).toBe(`<p>${a('https://a.b/1/2', '#1-2')} ${issue(3)}</p>`);
});

describe('The links of a topic', () => {
  test('Include linkifier matches and addresses, in the order of the text', async () => {
    await make(service.owner);
    const expected = [
      { text: '#4', url: 'https://example.com/issues/4' },
      { text: 'https://a.b/c', url: 'https://a.b/c' },
      { text: '#5', url: 'https://example.com/issues/5' },
    ];
    const queue = await bo.listen();
    expect(await topicLinks('✔ #4 (https://a.b/c) #5')).toEqual(expected);
    const [message] = await drainMessages(queue);
    expect(message.topic_links).toEqual(expected);
    const { body } = await bo.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    expect(body.messages[0].topic_links).toEqual(expected);
  });

  test('Stay empty if there is nothing to link', async () => {
    expect(await topicLinks('#4 javascript:alert(1) https:')).toEqual([]);
    const direct = await messageOf(await ada.sendDirect([bo.userId], 'https://a.b'));
    expect(direct.topic_links).toEqual([]);
  });
});

test('Sending costs half a read unit for linkifiers, with or without any', async () => {
  const send = () => unitsOf(service, () => ada.send(room.channelId, 'cost', 'nothing to link'));
  // The first message begins the topic, the second finds it there.
  for (let n = 0; n < 2; n++) await send();
  const without = await send();
  const url_template = `https://example.com/${'x'.repeat(500)}/{id}`;
  for (let n = 0; n < 30; n++) await make(service.owner, { pattern: `k${n}-(?P<id>[0-9]+)`, url_template });
  await send();
  expect(await send()).toEqual(without);
  expect(without.read).toBe(3.5);
});
