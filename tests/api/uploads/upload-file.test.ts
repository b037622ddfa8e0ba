import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { attachmentAt, formOf, getAt, listFiles, textOf, tryUpload, upload } from './files.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', roles.guest);

const usedSpace = async (): Promise<number> => (await listFiles(ada)).upload_space_used;

describe('Uploading a file', () => {
  test('Returns an address that works for its owner', async () => {
    const { status, body } = await tryUpload(ada, { name: 'plan.txt', content: 'Monday' });
    expect(status).toBe(200);
    const url = expect.stringMatching(/^\/user_uploads\/2\/[^/]+\/[^/]+\/plan\.txt$/);
    expect(body).toEqual({ result: 'success', msg: '', url, uri: body.url, filename: 'plan.txt' });
    expect(textOf(await getAt(body.url, ada))).toBe('Monday');
  });

  test('Notifies its owner and no other user, with the total size of all files', async () => {
    const used = await usedSpace();
    const [own, ...others] = await listenAll([ada, service.owner, bo]);
    let url = '';
    await expectConsistentSnapshot(service, [service.owner, ada, guest], async () => {
      url = await upload(ada, 'plan.txt', { content: 'Monday' });
    });
    const attachment = await attachmentAt(ada, url);
    const event = { type: 'attachment', op: 'add', attachment, upload_space_used: used + 6 };
    expect(await own.drain()).toEqual([{ id: expect.any(Number), ...event }]);
    for (const queue of others) expect(await queue.drain()).toEqual([]);
  });

  test('Counts every byte if many upload at the same time', async () => {
    const before = await usedSpace();
    await Promise.all([ada, bo, guest, ada, bo].map((client) => upload(client)));
    expect(await usedSpace()).toBe(before + 25);
  });
});

describe('An upload is refused', () => {
  test('Without a file, and with several', async () => {
    const none = 'You must specify a file to upload';
    expectRefusal(await ada.post('/user_uploads', {}, { rawBody: formOf() }), none);
    expectRefusal(await ada.post('/user_uploads', {}), none);
    const rawBody = formOf({ name: 'a.txt' }, { name: 'b.txt' });
    const several = await ada.post('/user_uploads', {}, { rawBody });
    expectRefusal(several, 'You may only upload one file at a time');
  });

  test('Above the size limit in register', async () => {
    const { snapshot } = await ada.register({ fetch_event_types: ['realm'] });
    expect(snapshot.max_file_upload_size_mib).toBe(25);
    const before = await usedSpace();
    const fits = new Uint8Array(4 * 1024 * 1024);
    const refused = await tryUpload(ada, { name: 'big.bin', content: new Uint8Array(fits.length + 1) });
    expectRefusal(refused, 'Uploaded file is larger than the allowed limit of 4 MiB');
    expect(await usedSpace()).toBe(before);
    const url = await upload(ada, 'big.bin', { content: fits });
    expect((await getAt(url, ada)).body).toHaveLength(fits.length);
  });
});

describe('The name of a file', () => {
  test.each([
    ['../../etc/passwd', 'passwd', 'passwd'],
    ['..', 'uploaded-file', 'uploaded-file'],
    ['.htaccess', '.htaccess', 'htaccess'],
    ['r\u00e9sum\u00e9.pdf', 'r\u00e9sum\u00e9.pdf', 'resume.pdf'],
    ['\u65e5\u672c\u8a9e.png', '\u65e5\u672c\u8a9e.png', 'png'],
    ['photo\u202egnp.exe', 'photognp.exe', 'photognp.exe'],
    ['what (a file)...', 'what (a file)...', 'what-a-file'],
    ['a?b#c%d&e.txt', 'a?b#c%d&e.txt', 'a-b-c-d-e.txt'],
    [`${'x'.repeat(300)}.txt`, `${'x'.repeat(196)}.txt`, `${'x'.repeat(76)}.txt`],
  ])('Changes from %j to %j for people and %j in its address', async (original, name, inAddress) => {
    const { body } = await tryUpload(ada, { name: original });
    expect(body.filename).toBe(name);
    expect(body.url.split('/').at(-1)).toBe(inAddress);
    expect(await attachmentAt(ada, body.url)).toMatchObject({ name });
    expect((await getAt(body.url, ada)).status).toBe(200);
  });
});

const url = await upload(ada, 'song.mp3', { content: '0123456789' });

const get = (path: string, headers: Record<string, string>) =>
  sendTo(service.url + path, { headers: { authorization: ada.authorization, ...headers } });

describe('A range of a file', () => {
  test('Comes with status 206 for a player that requests it', async () => {
    const reply = await get(url, { range: 'bytes=2-5' });
    expect([reply.status, textOf(reply)]).toEqual([206, '2345']);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-range': 'bytes 2-5/10',
      'content-length': '4',
      'content-type': 'audio/mpeg',
      'content-disposition': expect.stringContaining('song.mp3'),
    });
    expect(textOf(await get(url, { range: 'bytes=-3' }))).toBe('789');
    expect(textOf(await get(url, { range: 'bytes=8-99' }))).toBe('89');
  });

  test('Works if the whole file announced it', async () => {
    const reply = await get(url, {});
    expect([reply.status, textOf(reply)]).toEqual([200, '0123456789']);
    expect(reply.headers.get('accept-ranges')).toBe('bytes');
    expect(reply.headers.get('etag')).toMatch(/^"[\w-]+"$/);
    expect(reply.headers.get('access-control-expose-headers')).toContain('Content-Range');
  });

  test('Beyond the file gets 416 with the size of the file', async () => {
    const reply = await get(url, { range: 'bytes=10-' });
    expectRefusal(reply, 'The requested range is not satisfiable', { status: 416 });
    expect(reply.headers.get('content-range')).toBe('bytes */10');
  });

  test.each(['bytes=0-1,3-4', 'lines=1-2', 'bytes=5-1'])(
    'Requested by %j returns the whole file',
    async (range) => {
      const reply = await get(url, { range });
      expect([reply.status, textOf(reply)]).toEqual([200, '0123456789']);
    },
  );

  test('Depends on If-Range: only the version that the client has is returned in parts', async () => {
    const tag = (await get(url, {})).headers.get('etag') ?? '';
    expect((await get(url, { range: 'bytes=0-1', 'if-range': tag })).status).toBe(206);
    for (const other of ['"other"', `W/${tag}`, 'Wed, 21 Oct 2015 07:28:00 GMT'])
      expect((await get(url, { range: 'bytes=0-1', 'if-range': other })).status).toBe(200);
  });

  test('Works for temporary addresses and for pictures, too', async () => {
    const { body } = await ada.get(url);
    const temporary = await sendTo(service.url + body.url, { headers: { range: 'bytes=0-1' } });
    expect([temporary.status, textOf(temporary)]).toEqual([206, '01']);
    const rawBody = toForm(await makePicture());
    const { avatar_url } = (await ada.post('/users/me/avatar', {}, { rawBody })).body;
    const picture = await sendTo(service.url + avatar_url, { headers: { range: 'bytes=1-3' } });
    expect([picture.status, textOf(picture)]).toEqual([206, 'PNG']);
  });
});

test('HEAD returns the size of a file, and ignores ranges', async () => {
  const headers = { authorization: ada.authorization, range: 'bytes=0-1' };
  const asking = request(service.url + url, { method: 'HEAD', headers }).end();
  const [{ statusCode, headers: answer }] = (await once(asking, 'response')) as [IncomingMessage];
  expect([statusCode, answer['content-length'], answer['accept-ranges']]).toEqual([200, '10', 'bytes']);
});
