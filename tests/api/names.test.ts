import { describe, expect, test } from 'vitest';
import type { Reply } from '#tests/harness/client.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const channelId = await service.owner.subscribe('room');

let count = 0;
const fresh = (): string => `${++count}`;
const post = (path: string, params: object): Promise<Reply> => service.owner.post(path, { ...params });

/** Whatever others read a name of, and the call that gives it one. */
const named: Record<string, (name: string) => Promise<Reply>> = {
  person: (name) =>
    post('/users', { email: `${fresh()}@example.com`, password: PASSWORD, full_name: `${name} ${fresh()}` }),
  bot: (name) => post('/bots', { full_name: `${name} ${fresh()}`, short_name: `bot${fresh()}` }),
  channel: (name) => post('/channels/create', { name: `${name} ${fresh()}`, subscribers: [] }),
  'renamed channel': (name) =>
    service.owner.patch(`/streams/${channelId}`, { new_name: `${name} ${fresh()}` }),
  topic: (name) => post('/messages', { type: 'channel', to: channelId, topic: name, content: 'hello' }),
  group: (name) => post('/user_groups/create', { name: `${name} ${fresh()}`, description: '', members: [] }),
  folder: (name) => post('/channel_folders/create', { name: `${name} ${fresh()}` }),
  'profile field': (name) =>
    post('/realm/profile_fields', { name: `${name} ${fresh()}`.slice(-40), field_type: 1 }),
  organization: (name) => service.owner.patch('/realm', { name }),
  playground: (name) =>
    post('/realm/playgrounds', {
      name,
      pygments_language: 'Python',
      url_template: 'https://a.example/{code}',
    }),
};

const UNFIT: [string, string][] = [
  ['an override of the direction', 'gpj\u202e.exe'],
  ['an embedding', 'a\u202ab\u202c'],
  ['an isolate', 'a\u2066b\u2069'],
  ['a mark of the direction', 'a\u200fb'],
  ['an Arabic mark of the direction', 'a\u061cb'],
  ['a line separator', 'a\u2028b'],
  ['a paragraph separator', 'a\u2029b'],
  ['a line break', 'a\nb'],
  ['a space without width', 'finance\u200b'],
  ['a filler', 'finance\u3164'],
  ['a filler of half width', 'a\uffa0b'],
  ['a word joiner', 'a\u2060b'],
  ['a byte order mark', 'a\ufeffb'],
  ['a soft hyphen', 'fin\u00adance'],
  ['a joiner between Latin letters', 'fin\u200dance'],
  ['a non-joiner at the end', 'می\u200c'],
  ['a variation selector of a letter', 'finance\ufe0f'],
  ['a blank pattern of Braille', 'a\u2800b'],
  ['nothing but fillers', '\u3164\u3164'],
  ['tags of no flag', 'a\u{e0067}\u{e007f}'],
];
const FIT: [string, string][] = [
  ['an emoji of several people', 'team 👩‍👩‍👧'],
  ['Persian with a non-joiner', 'می\u200cخواهم'],
  ['Sinhala with a joiner', 'ක්\u200dෂ'],
  ['Hebrew', 'שלום'],
  ['an emoji in colour', 'love ❤️'],
  ['a keycap', '1️⃣ first'],
  ['a skin tone before a joiner', '👨🏽\u200d💻'],
  ['a variant of an ideograph', '葛\u{e0100}城'],
  ['an ideographic space', '山田　太郎'],
  ['the flag of Scotland', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
];

describe.each(Object.entries(named))('The name of a %s', (_what, give) => {
  test.each(UNFIT)('Cannot contain %s', async (_name, unfit) => {
    const { status, body } = await give(unfit);
    expect(status, JSON.stringify(body)).toBe(400);
    expect(body.msg).toMatch(/^Invalid characters? in/);
  });

  test.each(FIT)('May contain %s, which every user sees', async (_name, fit) => {
    const queue = await service.owner.listen();
    const { status, body } = await give(fit);
    expect(status, JSON.stringify(body)).toBe(200);
    await service.settle();
    expect(JSON.stringify(await queue.drain())).toContain(fit);
  });
});

test('The name of an emoji has letters, digits and a few signs', async () => {
  const rawBody = new FormData();
  rawBody.set('file', new Blob(['x'], { type: 'image/png' }), 'a.png');
  const path = `/realm/emoji/${encodeURIComponent('a\u202eb')}`;
  expect((await service.owner.post(path, {}, { rawBody })).status).toBe(400);
});
