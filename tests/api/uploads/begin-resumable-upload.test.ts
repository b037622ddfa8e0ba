import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import type { Client } from '#tests/harness/client.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { tryUpload } from './files.ts';
import { PIECE, TusClient } from './tus-client.ts';

const MEBIBYTE = 1024 * 1024;
const DAY_MS = 24 * 3600 * 1000;

const service = await startTestService();
const [ada, _bo] = await createUsers(service, 'Ada', 'Bo');
const tus = new TusClient(ada);
afterAll(() => service.stop());

const _spaceUsed = async (client = ada): Promise<number> =>
  (await client.get('/attachments')).body.upload_space_used;
/** A file as its readers get it, wherever the service sends them. */
async function load(client: Client, url: string, headers: Record<string, string> = {}) {
  const first = await sendTo(client.url + url, {
    headers: { authorization: client.authorization, ...headers },
  });
  const address = first.headers.get('location');
  return first.status === 302 && address ? sendTo(address, { headers }) : first;
}

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
    expect([refused.status, refused.body.message]).toEqual([
      413,
      'Uploaded file is larger than the allowed limit of 25 MiB',
    ]);
  });

  test('May come with its announcement, or be empty', async () => {
    const headers = {
      'upload-length': '5',
      'upload-metadata': `filename ${btoa('a.txt')}`,
      'content-type': PIECE,
    };
    const reply = await tus.send('POST', '/api/v1/tus/', headers, Buffer.from('hello'));
    expect([reply.status, reply.headers.get('upload-offset'), reply.body.filename]).toEqual([
      201,
      '5',
      'a.txt',
    ]);
    expect(Buffer.from((await load(ada, reply.body.url)).body).toString()).toBe('hello');
    const empty = await tus.begin(0, '..');
    expect([empty.status, empty.body.filename]).toEqual([201, 'uploaded-file']);
  });

  test('Changes nothing if the announcement carries more bytes than it declares', async () => {
    for (const announced of ['4', '0']) {
      const headers = { 'upload-length': announced, 'content-type': PIECE };
      service.meter.reset();
      const reply = await tus.send('POST', '/api/v1/tus/', headers, Buffer.from('hello'));
      expect([reply.status, reply.body.message]).toEqual([413, 'This is more than Upload-Length announced']);
      expect(service.meter.write).toBe(0);
    }
  });
});

describe('The quota of a resumable upload', () => {
  test('Limits the total of started files', async () => {
    const small = await startTestService({
      uploadQuotas: { organization: 100, account: 5, accountPerDay: 50 },
    });
    try {
      const client = new TusClient(small.owner);
      expect((await client.begin(3 * MEBIBYTE)).status).toBe(201);
      const refused = await client.begin(3 * MEBIBYTE);
      expect([refused.status, refused.body.message, refused.body.code]).toEqual([
        413,
        'Upload would exceed your upload quota.',
        'REALM_UPLOAD_QUOTA',
      ]);
      const plain = { name: 'a.bin', content: new Uint8Array(3 * MEBIBYTE) };
      expect((await tryUpload(small.owner, plain)).body.code).toBe('REALM_UPLOAD_QUOTA');
      small.advance(DAY_MS + 1_000);
      await sweep(small.services);
      expect((await tryUpload(small.owner, plain)).status).toBe(200);
    } finally {
      await small.stop();
    }
  });
});
