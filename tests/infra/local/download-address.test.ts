import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '#tests/harness/service.ts';

describe('An address for downloads of the local service', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService();
  });
  afterEach(() => service.stop());

  test('Returns the file, without credentials, until it expires', async () => {
    const { files } = service.services;
    await files.put('exports/one.json', Buffer.from('{}'));
    const url = await files.downloadUrl('exports/one.json', 60);
    expect(url.startsWith(service.url)).toBe(true);
    const reply = await fetch(url);
    expect([reply.status, await reply.text()]).toEqual([200, '{}']);
    expect(reply.headers.get('content-type')).toBe('application/json');
    expect(reply.headers.get('content-disposition')).toBe('attachment');
    service.advance(62_000);
    expect((await fetch(url)).status).toBe(404);
  });

  test('Returns a range of the file, and its size if the range is beyond it', async () => {
    const { files } = service.services;
    await files.put('exports/one.json', Buffer.from('0123456789'));
    const url = await files.downloadUrl('exports/one.json', 60);
    const part = async (range: string) => {
      const reply = await fetch(url, { headers: { range } });
      return [reply.status, reply.headers.get('content-range'), (await reply.text()).slice(0, 12)];
    };
    expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234']);
    expect(await part('bytes=10-')).toEqual([416, 'bytes */10', '{"result":"e']);
  });

  test('Does not work for another file, another time, or a deleted file', async () => {
    const { files } = service.services;
    await files.put('exports/one.json', Buffer.from('1'));
    await files.put('exports/two.json', Buffer.from('2'));
    const url = await files.downloadUrl('exports/one.json', 60);
    for (const [from, to] of [
      ['one', 'two'],
      [/expires=\d+/, 'expires=9999999999'],
      [/signature=./, 'signature=x'],
      [/\?.*/, ''],
      ['exports/', 'exports/../exports/'],
      ['exports/', 'exports/%2e%2e/'],
    ] as [string | RegExp, string][]) {
      const changed = url.replace(from, to);
      if (new URL(changed).href !== url) expect((await fetch(changed)).status, changed).toBe(404);
    }
    await files.remove('exports/one.json');
    expect((await fetch(url)).status).toBe(404);
  });
});
