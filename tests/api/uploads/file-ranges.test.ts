import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { sendTo } from '#tests/harness/anonymous.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { textOf, upload } from './files.ts';

const service = await startTestService();
const ada = await service.createUser('Ada');
const url = await upload(ada, 'song.mp3', { content: '0123456789' });

const get = (path: string, headers: Record<string, string>) =>
  sendTo(service.url + path, { headers: { authorization: ada.authorization, ...headers } });

describe('A range of a file', () => {
  test('Comes with status 206 for a player that requests it', async () => {
    const reply = await get(url, { range: 'bytes=2-5' });
    expect([reply.status, textOf(reply)]).toEqual([206, '2345']);
    expect(reply.headers.get('content-range')).toBe('bytes 2-5/10');
    expect(reply.headers.get('content-length')).toBe('4');
    expect(reply.headers.get('content-type')).toBe('audio/mpeg');
    expect(reply.headers.get('content-disposition')).toContain('song.mp3');
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
  const { statusCode, headers } = await new Promise<import('node:http').IncomingMessage>(
    (resolve, reject) => {
      const asking = request(service.url + url, {
        method: 'HEAD',
        headers: { authorization: ada.authorization, range: 'bytes=0-1' },
      });
      asking.on('response', resolve).on('error', reject).end();
    },
  );
  expect([statusCode, headers['content-length'], headers['accept-ranges']]).toEqual([200, '10', 'bytes']);
});
