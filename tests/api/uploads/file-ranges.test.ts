import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendTo } from '#tests/harness/anonymous.ts';
import type { Client } from '#tests/harness/client.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { textOf, upload } from './files.ts';

let service: TestService;
let ada: Client;
let url: string;

beforeAll(async () => {
  service = await startTestService();
  ada = await service.createUser('Ada');
  url = await upload(ada, 'song.mp3', { content: '0123456789' });
});
afterAll(() => service.stop());

const get = (path: string, headers: Record<string, string>) =>
  sendTo(service.url + path, { headers: { authorization: ada.authorization, ...headers } });

describe('A part of a file', () => {
  test('Is what a player gets that asks for it', async () => {
    const reply = await get(url, { range: 'bytes=2-5' });
    expect([reply.status, textOf(reply)]).toEqual([206, '2345']);
    expect(reply.headers.get('content-range')).toBe('bytes 2-5/10');
    expect(reply.headers.get('content-length')).toBe('4');
    expect(reply.headers.get('content-type')).toBe('audio/mpeg');
    expect(reply.headers.get('content-disposition')).toContain('song.mp3');
    expect(textOf(await get(url, { range: 'bytes=-3' }))).toBe('789');
    expect(textOf(await get(url, { range: 'bytes=8-99' }))).toBe('89');
  });

  test('Is announced with the whole file', async () => {
    const reply = await get(url, {});
    expect([reply.status, textOf(reply)]).toEqual([200, '0123456789']);
    expect(reply.headers.get('accept-ranges')).toBe('bytes');
    expect(reply.headers.get('etag')).toMatch(/^"[\w-]+"$/);
    expect(reply.headers.get('access-control-expose-headers')).toContain('Content-Range');
  });

  test('A part of a file that is not there is refused, and the size of the file is told', async () => {
    const reply = await get(url, { range: 'bytes=10-' });
    expectRefusal(reply, 'The requested range is not satisfiable', { status: 416 });
    expect(reply.headers.get('content-range')).toBe('bytes */10');
  });

  test.each(['bytes=0-1,3-4', 'lines=1-2', 'bytes=5-1'])(
    'Asked for by %j is the whole file',
    async (range) => {
      const reply = await get(url, { range });
      expect([reply.status, textOf(reply)]).toEqual([200, '0123456789']);
    },
  );

  test('Is given only of the file that the client has seen', async () => {
    const tag = (await get(url, {})).headers.get('etag') ?? '';
    expect((await get(url, { range: 'bytes=0-1', 'if-range': tag })).status).toBe(206);
    for (const other of ['"other"', `W/${tag}`, 'Wed, 21 Oct 2015 07:28:00 GMT'])
      expect((await get(url, { range: 'bytes=0-1', 'if-range': other })).status).toBe(200);
  });

  test('Is not for those who may not have the file', async () => {
    const { authorization } = await service.createUser('Bo');
    const reply = await get(url, { authorization, range: 'bytes=0-1' });
    expect(reply.status).toBe(404);
  });

  test('Comes from temporary addresses, and of pictures, too', async () => {
    const { body } = await ada.get(url);
    const temporary = await sendTo(service.url + body.url, { headers: { range: 'bytes=0-1' } });
    expect([temporary.status, textOf(temporary)]).toEqual([206, '01']);
    const rawBody = toForm(await makePicture());
    const { avatar_url } = (await ada.post('/users/me/avatar', {}, { rawBody })).body;
    const picture = await sendTo(service.url + avatar_url, { headers: { range: 'bytes=1-3' } });
    expect([picture.status, textOf(picture)]).toEqual([206, 'PNG']);
  });
});

test('HEAD says how large a file is, and no part is asked for by it', async () => {
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
