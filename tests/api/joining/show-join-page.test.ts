import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '#tests/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const open = async (path: string) => {
  const response = await fetch(service.url + path);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe('the page behind the link of an invitation', () => {
  test('opens at the address that is mailed, with the slash at its end and without', async () => {
    const { body } = await service.owner.post('/invites/multiuse', { stream_ids: [] });
    const path = new URL(body.invite_link).pathname;
    expect(path).toMatch(/^\/join\/\w+\/$/);
    const pages = await Promise.all([open(path), open(path.slice(0, -1))]);
    for (const { status, headers } of pages) {
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
  });

  test('is the same whatever the key, and writes nothing of it into itself', async () => {
    const page = await open('/join/abcdefghijklmnop1/');
    const hostile = await open('/join/%3Cscript%3Ealert(1)%3C%2Fscript%3E');
    expect(hostile.status).toBe(200);
    expect(hostile.text).toBe(page.text);
    expect(page.text).not.toContain('abcdefghijklmnop1');
  });

  test('runs its own script and nothing else, tells nobody its address, and is not kept', async () => {
    const { headers, text } = await open('/join/key/');
    const [, script = ''] = /<script>(.*)<\/script>/s.exec(text) ?? [];
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(text) ?? [];
    const policy = headers.get('content-security-policy') ?? '';
    for (const [directive, source] of [
      ['script-src', script],
      ['style-src', style],
    ] as const) {
      expect(source.length).toBeGreaterThan(100);
      expect(policy).toContain(
        `${directive} 'sha256-${createHash('sha256').update(source).digest('base64')}'`,
      );
    }
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).not.toMatch(/\son\w+=|innerHTML|(?:src|href)="/);
  });

  test('without a key is no page', async () => {
    expect((await open('/join/')).status).toBe(404);
  });
});
