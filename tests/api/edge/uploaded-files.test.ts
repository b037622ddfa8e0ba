import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { describeApi } from '#infra/openapi/document.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { optional, text } from '#shared/api/parameters.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { call, serve } from '#tests/infra/local/gateway-fixture.ts';

const MEBIBYTE = 1024 * 1024;
const result = z.looseObject({});
const shared = { allow: 'anyone' as const, result, errors: [], emits: [], uses: { table: 'none' as const } };

const hangPicture = endpoint({
  ...shared,
  route: 'POST /picture',
  summary: 'Hang a picture',
  params: { title: optional(text(z.string(), 'What it shows')) },
  files: { count: 1, countError: 'You must upload exactly one picture.', maxMebibytes: 1 },
  async handle({ title }, { files }) {
    const [picture] = files;
    const bytes = [...(picture?.bytes ?? [])];
    return { title, ...picture, bytes: bytes.slice(0, 300), size: bytes.length };
  },
});
const hangPair = endpoint({
  ...shared,
  route: 'POST /pair',
  summary: 'Hang a pair of pictures',
  params: {},
  files: { count: 2, countError: 'You must upload exactly two pictures.', maxMebibytes: 1 },
  handle: async (_params, { files }) => ({ fields: files.map(({ field }) => field) }),
});
const writeNote = endpoint({
  ...shared,
  route: 'POST /note',
  summary: 'Write a note',
  params: { title: optional(text(z.string(), 'What about')) },
  handle: async ({ title }, { files }) => ({ title, files: files.length }),
});
const registry = { hangPicture, hangPair, writeNote };

const gateway = await serve(registry);

const form = (parts: Record<string, string | File>): FormData => {
  const data = new FormData();
  for (const [name, part] of Object.entries(parts)) data.append(name, part);
  return data;
};
const post = (path: string, body: FormData | URLSearchParams) =>
  call(gateway, path, { method: 'POST', body });
const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const picture = (size = 10, name = 'cat.png') =>
  new File([new Uint8Array(size)], name, { type: 'image/png' });

describe('An uploaded file', () => {
  test('Reaches the endpoint byte for byte, with its name and media type, beside the parameters', async () => {
    const file = new File([everyByte], 'Zwölf Katzen "1".png', { type: 'image/png' });
    const { status, body } = await post('/picture', form({ title: 'ä & b', file }));
    expect(status).toBe(200);
    expect(body).toEqual({
      result: 'success',
      msg: '',
      title: 'ä & b',
      field: 'file',
      name: 'Zwölf Katzen "1".png',
      mediaType: 'image/png',
      bytes: [...everyByte],
      size: 256,
    });
  });

  test('May have any field name, and no stated type', async () => {
    const { body } = await post('/picture', form({ anything: new File(['x'], 'x') }));
    expect(body).toMatchObject({ field: 'anything', mediaType: 'application/octet-stream', size: 1 });
    expect(body).not.toHaveProperty('ignored_parameters_unsupported');
  });

  test('May have at most the size limit of the endpoint', async () => {
    expect((await post('/picture', form({ file: picture(MEBIBYTE) }))).body.size).toBe(MEBIBYTE);
    const larger = picture(MEBIBYTE + 1);
    for (const reply of [
      await post('/picture', form({ file: larger })),
      await post('/pair', form({ a: picture(), b: larger })),
    ])
      expectRefusal(reply, 'Uploaded file is larger than the allowed limit of 1 MiB');
  });

  test('May be empty, if it has a name', async () => {
    expect((await post('/picture', form({ file: picture(0) }))).body.size).toBe(0);
  });
});

describe('The number of files', () => {
  const ONE = 'You must upload exactly one picture.';

  test.each([
    ['none', form({ title: 'x' })],
    ['none, in a form that knows no files', new URLSearchParams({ title: 'x', file: 'cat.png' })],
    ['a text in the place of a file', form({ file: 'cat.png' })],
    ['two', form({ a: picture(), b: picture() })],
    ['a part without a file', form({ file: new File([], '') })],
  ])('Must be the one that the endpoint requires: %s', async (_what, body) => {
    expectRefusal(await post('/picture', body), ONE);
  });

  test('Counts files under one name too, and keeps their order', async () => {
    const data = form({ b: picture() });
    data.append('b', picture(11, 'dog.png'));
    expectRefusal(await post('/picture', data), ONE);
    expect((await post('/pair', form({ z: picture(), a: picture() }))).body.fields).toEqual(['z', 'a']);
  });

  test('Does not include texts of the form, which stay parameters', async () => {
    const { body } = await post('/picture', form({ surprise: 'x', file: picture() }));
    expect(body.ignored_parameters_unsupported).toEqual(['surprise']);
  });
});

describe('An endpoint without files', () => {
  test('Gets none, and reads the rest of the form', async () => {
    const { status, body } = await post('/note', form({ title: 'x', file: picture(2 * MEBIBYTE) }));
    expect([status, body.title, body.files]).toEqual([200, 'x', 0]);
    expect(body).not.toHaveProperty('ignored_parameters_unsupported');
  });

  test('Refuses a broken multipart body', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const reply = await call(gateway, '/note', { method: 'POST', body: '--y\r\n', headers });
    expectRefusal(reply, 'The multipart body is malformed');
  });
});

test('The description of an endpoint shows that it accepts files', () => {
  const { paths } = describeApi(registry, { title: 'Test' });
  const { required, content } = paths['/api/v1/picture']!.post!.requestBody!;
  expect(required).toBe(true);
  expect(content['multipart/form-data']!.schema).toMatchObject({
    properties: { title: { type: 'string' } },
    additionalProperties: { type: 'string', format: 'binary' },
  });
  const types = Object.keys(paths['/api/v1/note']!.post!.requestBody!.content);
  expect(types).toEqual(['application/x-www-form-urlencoded']);
});
