// The operations abandonResumableUpload, beginResumableUpload, continueResumableUpload and getResumableUpload.
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { uploadKeys } from '#shared/table/keys/uploads.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import type { Client, Reply } from '#tests/harness/client.ts';
import { interrupt, writes } from '#tests/harness/interruption.ts';
import { makePicture } from '#tests/harness/pictures.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { deleteFile, getAt, listFiles, tryUpload } from './files.ts';
import { PIECE, PIECE_BYTES, TusClient } from './tus-client.ts';

const MEBIBYTE = 1024 * 1024;
const DAY_MS = 24 * 3600 * 1000;

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const tus = new TusClient(ada);

const spaceUsed = async (): Promise<number> => (await listFiles(ada)).upload_space_used;
const answerOf = ({ status, headers }: Reply) => [status, headers.get('upload-offset')];
const filesOfTenBytes = async (): Promise<unknown[]> =>
  (await listFiles(ada)).attachments.filter(({ size }: { size: number }) => size === 10);
/** A file as its readers get it, wherever the service sends them. */
async function load(client: Client, url: string, headers: Record<string, string> = {}) {
  const all = { authorization: client.authorization, ...headers };
  const first = await sendTo(client.url + url, { headers: all });
  const address = first.headers.get('location');
  return first.status === 302 && address ? sendTo(address, { headers }) : first;
}

describe('A resumable upload', () => {
  test('Becomes complete with its last piece, and then a file like any other', async () => {
    const bytes = randomBytes(9 * MEBIBYTE);
    const queue = await ada.listen({ event_types: ['attachment'] });
    const begun = await tus.begin(bytes.length, 'fi/lm.mp4');
    expect(answerOf(begun)).toEqual([201, '0']);
    const address = begun.headers.get('location') ?? '';
    expect(address).toMatch(/^\/api\/v1\/tus\/[0-9a-f-]{36}$/);
    for (const [offset, length] of [
      [0, PIECE_BYTES],
      [PIECE_BYTES, 1000],
    ] as const) {
      const end = offset + length;
      const reply = await tus.piece(address, offset, bytes.subarray(offset, end));
      expect(answerOf(reply)).toEqual([204, String(end)]);
      expect(await tus.offsetOf(address)).toBe(end);
    }
    expect(await queue.drain()).toEqual([]);
    const rest = PIECE_BYTES + 1000;
    await tus.piece(address, rest, bytes.subarray(rest, rest + PIECE_BYTES));
    const last = await tus.piece(address, rest + PIECE_BYTES, bytes.subarray(rest + PIECE_BYTES));
    expect(last.status).toBe(200);
    expect(last.body).toEqual({ url: expect.stringMatching(/^\/user_uploads\/2\//), filename: 'lm.mp4' });
    expect(await queue.drain()).toMatchObject([
      { type: 'attachment', op: 'add', attachment: { name: 'lm.mp4', size: bytes.length } },
    ]);
    const stored = await load(ada, last.body.url);
    expect(Buffer.compare(stored.body, bytes)).toBe(0);
    expect(stored.headers.get('content-type')).toBe('video/mp4');
    expect(stored.headers.get('content-disposition')).toContain('inline; filename="lm.mp4"');
    const part = await load(ada, last.body.url, { range: 'bytes=5000000-5000009' });
    expect([part.status, [...part.body]]).toEqual([206, [...bytes.subarray(5_000_000, 5_000_010)]]);
    expect((await getAt(last.body.url, bo)).status).toBe(404);
    await ada.sendDirect([bo.userId], `[film](${last.body.url})`);
    expect((await load(bo, last.body.url)).body).toHaveLength(bytes.length);
    expect(await tus.offsetOf(address)).toBe(bytes.length);
  });

  test('Appears as a picture in messages like one that was uploaded at once', async () => {
    const { body } = await tus.upload(await makePicture({ width: 1_200, height: 900 }), 'a.png', 'image/png');
    const id = await ada.sendDirect([bo.userId], `[a](${body.url})`);
    const { message } = (await bo.get(`/messages/${id}`)).body;
    expect(message.content).toContain('data-original-dimensions="1200x900"');
    expect(message.content).toContain('/840x560.webp');
  });

  test('Continues after a broken connection, and stores each piece once', async () => {
    const address = await tus.at(10);
    await tus.piece(address, 0, Buffer.from('01234'));
    const again = await tus.piece(address, 0, Buffer.from('01234'));
    expect(answerOf(again)).toEqual([409, '5']);
    expect(await tus.offsetOf(address)).toBe(5);
    const sendRest = () => tus.piece(address, 5, Buffer.from('56789'));
    const replies = await Promise.all(Array.from({ length: 5 }, sendRest));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const [whole] = replies.filter(({ status }) => status === 200);
    expect(Buffer.from((await load(ada, whole?.body.url)).body).toString()).toBe('0123456789');
    expect(await filesOfTenBytes()).toHaveLength(1);
  });
});

describe('A piece that another request sends first', () => {
  const unfinishedAt = (address: string) =>
    uploadKeys.unfinished(ada.userId, address.split('/').at(-1) ?? '');

  test('Fails, and its bytes are not stored', async () => {
    const address = await tus.at(10);
    const { files } = service.services;
    const { put } = files;
    const kept: string[] = [];
    files.put = async (name, bytes) => {
      kept.push(name);
      await put.call(files, name, bytes);
    };
    interrupt(service, { transact: writes(unfinishedAt(address)) }, () =>
      tus.piece(address, 0, Buffer.from('012')),
    );
    const slower = await tus.piece(address, 0, Buffer.from('01234'));
    Object.assign(files, { put });
    expect(answerOf(slower)).toEqual([409, '3']);
    const bytes = await Promise.all(kept.map((name) => files.find(name)));
    expect(bytes.map((file) => file && Buffer.from(file).toString())).toEqual([undefined, '012']);
  });

  test('Completes no file that was abandoned meanwhile', async () => {
    const address = await tus.at(10);
    await tus.piece(address, 0, Buffer.from('01234'));
    const begins = (key: Key) => key.pk === organizationKeys.counter('upload').pk;
    interrupt(service, { increment: begins }, () => tus.send('DELETE', address));
    const last = await tus.piece(address, 5, Buffer.from('56789'));
    expect(last.status).toBe(404);
    expect(await filesOfTenBytes()).toHaveLength(1);
  });
});

test('A complete file accepts an empty piece at its end again, and does not become a second file', async () => {
  const address = await tus.at(4);
  expect((await tus.piece(address, 0, Buffer.from('0123'))).status).toBe(200);
  const before = (await listFiles(ada)).attachments;
  expect(answerOf(await tus.piece(address, 4, new Uint8Array()))).toEqual([204, '4']);
  expect((await listFiles(ada)).attachments).toEqual(before);
});

describe('A file of very many pieces', () => {
  /** As if so many pieces of one byte had come. */
  async function havingTaken(count: number): Promise<string> {
    const address = await tus.at(2 * count);
    await tus.piece(address, 0, Buffer.from('0'));
    const key = uploadKeys.unfinished(ada.userId, address.split('/').at(-1) ?? '');
    const { table } = service.services;
    const [first] = ((await table.find(key))?.pieces ?? []) as object[];
    await table.write({ kind: 'update', key, set: { pieces: Array.from({ length: count }, () => first) } });
    return address;
  }

  test('Accepts a thousand, refuses one more, and stores nothing of that one', async () => {
    const address = await havingTaken(999);
    expect((await tus.piece(address, 999, Buffer.from('1'))).status).toBe(204);
    const { files } = service.services;
    const put = files.put;
    let kept = 0;
    files.put = async (name, bytes) => {
      kept++;
      await put(name, bytes);
    };
    const refused = await tus.piece(address, 1_000, Buffer.from('2'));
    Object.assign(files, { put });
    expect([refused.status, refused.body.message]).toEqual([413, 'Send the file in at most 1000 pieces']);
    expect(kept).toBe(0);
    expect(await tus.offsetOf(address)).toBe(1_000);
  });
});

describe('The error of a refused piece', () => {
  test('Never has status 400, which clients would retry, and gives the reason', async () => {
    const post = (headers: Record<string, string>) => tus.send('POST', '/api/v1/tus/', headers);
    const address = await tus.at(10);
    const bytes = Buffer.from('0123456789a');
    const patch = (headers: Record<string, string>) => tus.send('PATCH', address, headers, bytes);
    for (const [status, sending] of [
      [411, post({})],
      [411, post({ 'upload-defer-length': '1' })],
      [412, post({ 'upload-length': '1', 'tus-resumable': '0.2.2' })],
      [413, tus.piece(address, 0, bytes)],
      [413, tus.piece(address, 0, new Uint8Array(PIECE_BYTES + 1))],
      [415, patch({ 'upload-offset': '0', 'content-type': 'application/octet-stream' })],
      [404, tus.piece(`/api/v1/tus/${crypto.randomUUID()}`, 0, bytes)],
      [404, new TusClient(bo).piece(address, 0, bytes)],
      [404, new TusClient(bo).send('DELETE', address)],
      [401, tus.send('HEAD', address, { authorization: '' })],
    ] as const) {
      const reply = await sending;
      expect(reply.status, JSON.stringify(reply.body)).toBe(status);
      if (status === 411 || status === 412) expect(reply.body.message).toBe(reply.body.msg);
    }
    expect(await tus.offsetOf(address)).toBe(0);
  });
});

describe('The quota of a complete file', () => {
  test('Stays used, and its pieces are deleted', async () => {
    const kept = new Set<string>();
    let putCount = 0;
    const { files } = service.services;
    const spied = { put: files.put, remove: files.remove };
    files.put = async (name, bytes) => {
      kept.add(name);
      putCount++;
      await spied.put(name, bytes);
    };
    files.remove = async (name) => {
      kept.delete(name);
      await spied.remove(name);
    };
    const before = await spaceUsed();
    const { body } = await tus.upload(randomBytes(9 * MEBIBYTE), 'kept.bin', '');
    expect(putCount).toBe(2);
    await service.settle();
    Object.assign(files, spied);
    expect([...kept]).toEqual([]);
    expect(await spaceUsed()).toBe(before + 9 * MEBIBYTE);
    expect((await load(ada, body.url)).body).toHaveLength(9 * MEBIBYTE);
    await deleteFile(ada, body.url);
    expect(await spaceUsed()).toBe(before);
    service.advance(DAY_MS + 1_000);
    await sweep(service.services);
    expect(await spaceUsed()).toBeLessThanOrEqual(before);
  });
});

describe('A resumable upload', () => {
  test('In pieces of 25 MiB may have the size limit of register and OPTIONS', async () => {
    const { snapshot } = await ada.register({ fetch_event_types: ['realm'] });
    expect(snapshot.max_file_upload_size_mib).toBe(25);
    const options = await tus.send('OPTIONS', '/api/v1/tus/');
    expect(options.headers.get('tus-max-size')).toBe(String(25 * MEBIBYTE));
    expect(options.headers.get('tus-version')).toBe('1.0.0');
    expect(options.headers.get('tus-extension')?.split(',')).toContain('creation');
    expect(options.headers.get('access-control-allow-headers')).toContain('Upload-Offset');
    const { body } = await tus.upload(randomBytes(25 * MEBIBYTE), 'large.bin', '');
    expect((await load(ada, body.url)).body).toHaveLength(25 * MEBIBYTE);
    const refused = await tus.begin(25 * MEBIBYTE + 1);
    const message = 'Uploaded file is larger than the allowed limit of 25 MiB';
    expect([refused.status, refused.body.message]).toEqual([413, message]);
  });

  test('May come with its announcement, or be empty', async () => {
    const metadata = `filename ${btoa('a.txt')}`;
    const headers = { 'upload-length': '5', 'upload-metadata': metadata, 'content-type': PIECE };
    const reply = await tus.send('POST', '/api/v1/tus/', headers, Buffer.from('hello'));
    expect([...answerOf(reply), reply.body.filename]).toEqual([201, '5', 'a.txt']);
    expect(Buffer.from((await load(ada, reply.body.url)).body).toString()).toBe('hello');
    const empty = await tus.begin(0, '..');
    expect([empty.status, empty.body.filename]).toEqual([201, 'uploaded-file']);
  });

  test('Changes nothing if the announcement carries more bytes than it declares', async () => {
    for (const announced of ['4', '0']) {
      const headers = { 'upload-length': announced, 'content-type': PIECE };
      const { write } = await unitsOf(service, async () => {
        const { status, body } = await tus.send('POST', '/api/v1/tus/', headers, Buffer.from('hello'));
        expect([status, body.message]).toEqual([413, 'This is more than Upload-Length announced']);
      });
      expect(write).toBe(0);
    }
  });
});

describe('The quota of a resumable upload', () => {
  test('Limits the total of started files', async () => {
    const uploadQuotas = { organization: 100, account: 5, accountPerDay: 50 };
    const small = await startTestService({ uploadQuotas });
    const client = new TusClient(small.owner);
    expect((await client.begin(3 * MEBIBYTE)).status).toBe(201);
    const { status, body } = await client.begin(3 * MEBIBYTE);
    const code = 'REALM_UPLOAD_QUOTA';
    expect({ status, ...body }).toMatchObject({
      status: 413,
      message: 'Upload would exceed your upload quota.',
      code,
    });
    const plain = { name: 'a.bin', content: new Uint8Array(3 * MEBIBYTE) };
    expect((await tryUpload(small.owner, plain)).body.code).toBe(code);
    small.advance(DAY_MS + 1_000);
    await sweep(small.services);
    expect((await tryUpload(small.owner, plain)).status).toBe(200);
  });

  test('Counts from its announcement on, and returns when it is abandoned', async () => {
    const before = await spaceUsed();
    const address = await tus.at(7 * MEBIBYTE);
    await tus.piece(address, 0, new Uint8Array(MEBIBYTE));
    expect(await spaceUsed()).toBe(before + 7 * MEBIBYTE);
    expect((await tus.send('DELETE', address)).status).toBe(204);
    expect(await spaceUsed()).toBe(before);
    await service.settle();
    expect((await tus.piece(address, MEBIBYTE, new Uint8Array(1))).status).toBe(404);
  });
});

test('The offset of an upload is returned to its owner for a day, and to no one else', async () => {
  const address = await tus.at(10);
  await tus.piece(address, 0, Buffer.from('0123'));
  const reply = await tus.send('HEAD', address);
  expect(reply.status).toBe(204);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'tus-resumable': '1.0.0',
    'upload-offset': '4',
    'upload-length': '10',
    'upload-expires': expect.stringMatching(/GMT$/),
    'cache-control': 'no-store',
    'access-control-expose-headers': expect.stringContaining('Upload-Offset'),
  });
  expect((await new TusClient(bo).send('HEAD', address)).status).toBe(404);
  expect((await tus.send('HEAD', '/api/v1/tus/nothing')).status).toBe(404);
  service.advance(24 * 3600 * 1000 + 1_000);
  expect((await tus.send('HEAD', address)).status).toBe(404);
});
