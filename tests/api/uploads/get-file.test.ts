import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectNoFile, getAt, textOf, upload } from './files.ts';

const service = await startTestService({ webPublicChannels: true });
const [ada, bo, cleo] = await createUsers(service, 'Ada', 'Bo', 'Cleo');
const guest = await createUser(service, 'Guest', roles.guest);
const open = await createChannel(service, [ada]);
const closed = await createChannel(service, [ada, bo], { invite_only: true });

const link = (url: string) => `see [this](${url})`;
/** The people who can read the file. */
const readersOf = async (url: string) => {
  const people = { ada, bo, cleo, guest, owner: service.owner };
  const statuses = await Promise.all(
    Object.entries(people).map(async ([name, client]) => [name, (await getAt(url, client)).status] as const),
  );
  return statuses.filter(([, status]) => status === 200).map(([name]) => name);
};

describe('A file can be read by', () => {
  test('Only its owner while no message links to it', async () => {
    expect(await readersOf(await upload(ada))).toEqual(['ada']);
  });

  test('Every member if a message of a public channel links to it, and guests of the channel', async () => {
    const url = await upload(ada);
    await ada.send(open.name, 'files', link(url));
    expect(await readersOf(url)).toEqual(['ada', 'bo', 'cleo', 'owner']);
    await ada.subscribe(open.name, { principals: [guest.userId] });
    expect(await readersOf(url)).toEqual(['ada', 'bo', 'cleo', 'guest', 'owner']);
  });

  test('Subscribers of a private channel, whatever their role', async () => {
    const url = await upload(ada);
    await ada.send(closed.name, 'files', link(url));
    expect(await readersOf(url)).toEqual(['ada', 'bo']);
  });

  test('The participants of a conversation', async () => {
    const url = await upload(ada);
    await ada.sendDirect([guest.userId], link(url));
    expect(await readersOf(url)).toEqual(['ada', 'guest']);
  });

  test('The readers of each message that links to it', async () => {
    const url = await upload(ada);
    await ada.send(closed.name, 'files', link(url));
    await bo.sendDirect([cleo.userId], `look: ${service.url}${url}`);
    expect(await readersOf(url)).toEqual(['ada', 'bo', 'cleo']);
  });

  test('No additional users through links in code or of people who may not read it', async () => {
    const url = await upload(ada);
    await cleo.send(open.name, 'files', link(url));
    await ada.send(open.name, 'files', `\`${url}\``);
    expect(await readersOf(url)).toEqual(['ada']);
  });

  test('The readers of the message after it was moved', async () => {
    const url = await upload(ada);
    const messageId = await ada.send(open.name, 'files', link(url));
    const place = { stream_id: closed.channelId, topic: 'elsewhere' };
    expect((await service.owner.patch(`/messages/${messageId}`, place)).status).toBe(400);
    expect((await ada.patch(`/messages/${messageId}`, place)).status).toBe(200);
    expect(await readersOf(url)).toEqual(['ada', 'bo']);
  });

  test('No one without an account, unless a channel is web-public', async () => {
    const url = await upload(ada);
    await ada.send(open.name, 'files', link(url));
    const statusOf = async (file: string) => (await getAt(file, undefined, service.url)).status;
    expect(await statusOf(url)).toBe(401);
    await service.owner.patch('/realm', { enable_spectator_access: true });
    expect(await statusOf(url)).toBe(401);
    await service.owner.patch(`/streams/${open.channelId}`, { is_web_public: true });
    expect([await statusOf(url), await statusOf(await upload(ada))]).toEqual([200, 401]);
  });

  test('No one if it does not exist, with the same answer as for users who may not read it', async () => {
    const url = await upload(ada);
    const [, uuid = ''] = /\/([0-9a-f-]{36})\//.exec(url) ?? [];
    const wrong = [
      url.replace(uuid, crypto.randomUUID()),
      url.replace('notes.txt', 'other.txt'),
      url.replace('/2/', '/3/'),
      '/user_uploads/2/1-99999/x',
      '/user_uploads/2/../2/x',
      '/user_uploads/2/..%2f..%2fowner.zuliprc',
      `/user_uploads/2/${'9'.repeat(400)}`,
      '/user_uploads/2/%00',
    ];
    for (const path of wrong) expectNoFile(await getAt(path, ada));
    expectNoFile(await getAt(url, bo));
  });
});

describe('The reply with a file', () => {
  test.each([
    ['a.txt', '', 'inline', 'text/plain; charset=utf-8'],
    ['a.png', 'image/png', 'inline', 'image/png'],
    ['a.pdf', '', 'inline', 'application/pdf'],
    ['a.mp4', 'video/mp4', 'inline', 'video/mp4'],
    ['a.html', 'text/html', 'attachment', 'application/octet-stream'],
    ['a.svg', 'image/svg+xml', 'attachment', 'application/octet-stream'],
    ['a.xhtml', 'application/xhtml+xml', 'attachment', 'application/octet-stream'],
    ['a.js', 'text/javascript', 'attachment', 'application/octet-stream'],
    ['a.png', 'text/html', 'attachment', 'application/octet-stream'],
    ['a', 'nonsense\u0001', 'attachment', 'application/octet-stream'],
  ])(
    'For %s sent as %j is %s, of type %s, and cannot run scripts',
    async (name, type, disposition, shownType) => {
      const reply = await getAt(await upload(ada, name, { type, content: '<script>alert(1)</script>' }), ada);
      expect(textOf(reply)).toBe('<script>alert(1)</script>');
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        'content-type': shownType,
        'content-disposition': `${disposition}; filename="${name}"; filename*=UTF-8''${name}`,
        'x-content-type-options': 'nosniff',
      });
      const policy = reply.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain('script-src');
      expect(policy.includes('sandbox')).toBe(shownType !== 'application/pdf');
    },
  );

  test('Names the file as its owner did, in a form for old and new clients', async () => {
    const reply = await getAt(await upload(ada, `"\u65e5\u672c" 'x'\r\n.txt`), ada);
    expect(reply.headers.get('content-disposition')).toBe(
      `inline; filename="____ 'x'.txt"; filename*=UTF-8''%22%E6%97%A5%E6%9C%AC%22%20%27x%27.txt`,
    );
  });

  test('Forbids shared caches', async () => {
    const { headers } = await getAt(await upload(ada), ada);
    expect(headers.get('cache-control')).toMatch(/^private/);
    expect(headers.get('vary')).toBe('Authorization');
  });
});
