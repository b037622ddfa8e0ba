import { describe, expect, test } from 'vitest';
import { downloadArchive, exportRecordOf } from '#tests/harness/archive.ts';
import { startTestService } from '#tests/harness/service.ts';

const DAY_MS = 24 * 3600 * 1000;

let address: string;
let others: string;

const service = await startTestService();
const addresses: string[] = [];
for (const type of ['public', 'full_with_consent']) {
  const { body } = await service.owner.post('/export/realm', { export_type: type });
  await service.settle();
  addresses.push((await exportRecordOf(service.owner, body.id)).export_url);
}
[address = '', others = ''] = addresses;

/** The addresses that an administrator is given now. */
const listed = async (): Promise<string[]> =>
  (await service.owner.get('/export/realm')).body.exports.map(
    ({ export_url }: { export_url: string }) => export_url,
  );
const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

describe('The address of an export', () => {
  test('Leads every holder to the archive, without credentials', async () => {
    const archive = await downloadArchive(address);
    expect(archive.manifest.export_type).toBe('public');
    const reply = await fetch(address, { redirect: 'manual' });
    expect(reply.status).toBe(302);
    expect(reply.headers.get('cache-control')).toContain('no-cache');
  });

  test('Leads to a URL that expires after five minutes', async () => {
    const place = (await fetch(address, { redirect: 'manual' })).headers.get('location') ?? '';
    service.advance(290_000);
    expect(await statusOf(place)).toBe(200);
    service.advance(11_000);
    expect(await statusOf(place)).toBe(404);
    [address = ''] = await listed();
  });

  test('Expires after a week', async () => {
    service.advance(7 * DAY_MS - 60_000);
    expect(await statusOf(address)).toBe(200);
    service.advance(120_000);
    expect(await statusOf(address)).toBe(404);
    const [fresh = ''] = await listed();
    expect(fresh).not.toBe(address);
    expect(await statusOf(fresh)).toBe(200);
    address = fresh;
  });

  test('Cannot be forged, prolonged or used for another export', async () => {
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
