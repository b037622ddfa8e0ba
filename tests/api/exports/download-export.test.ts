import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { downloadArchive, exportRecordOf } from '#tests/harness/archive.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

const DAY_MS = 24 * 3600 * 1000;

let service: TestService;
let address: string;
let others: string;

beforeAll(async () => {
  service = await startTestService();
  const addresses: string[] = [];
  for (const type of ['public', 'full_with_consent']) {
    const { body } = await service.owner.post('/export/realm', { export_type: type });
    await service.settle();
    addresses.push((await exportRecordOf(service.owner, body.id)).export_url);
  }
  [address = '', others = ''] = addresses;
});
afterAll(() => service.stop());

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

describe('the address of an export', () => {
  test('leads a user who has it to the archive, without credentials', async () => {
    const archive = await downloadArchive(address);
    expect(archive.manifest.export_type).toBe('public');
    const reply = await fetch(address, { redirect: 'manual' });
    expect(reply.status).toBe(302);
    expect(reply.headers.get('cache-control')).toContain('no-cache');
  });

  test('is good for a week and not longer', async () => {
    service.advance(7 * DAY_MS - 60_000);
    expect(await statusOf(address)).toBe(200);
    service.advance(120_000);
    expect(await statusOf(address)).toBe(404);
    const [fresh] = (await service.owner.get('/export/realm')).body.exports;
    expect(fresh.export_url).not.toBe(address);
    expect(await statusOf(fresh.export_url)).toBe(200);
    address = fresh.export_url;
  });

  test('cannot be made up, prolonged or used for another export', async () => {
    const key = address.slice(address.lastIndexOf('/') + 1);
    const [until = '', signature = ''] = key.split(/-(.*)/s);
    const root = address.slice(0, address.lastIndexOf('/'));
    const tries = [
      `${root}/${Number(until) + 1}-${signature}`,
      `${root}/${until}-${signature.slice(0, -1)}`,
      `${root}/${until}`,
      `${root}/-${signature}`,
      `${root}/${until}-`,
      `${root}/99999999999999999999-${signature}`,
      `${others.slice(0, others.lastIndexOf('/'))}/${key}`,
      `${service.url}/exports/999/${key}`,
    ];
    for (const one of tries) expect(await statusOf(one), one).toBe(404);
    expect(await statusOf(`${service.url}/exports/x/${key}`)).toBe(400);
    expect(await statusOf(address)).toBe(200);
  });
});
