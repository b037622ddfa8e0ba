import { expect, test } from 'vitest';
import { measureCapacity } from './capacity.ts';
import { startBenchService } from './service.ts';

test('Every operation that has a capacity budget keeps to it', async () => {
  const service = await startBenchService();
  try {
    const rows = await measureCapacity(service, 200);
    expect(rows.length).toBeGreaterThanOrEqual(20);
    expect(rows.filter(({ isMet }) => isMet !== true)).toEqual([]);
    const sends = rows.filter(({ what }) => what.startsWith('send 200 characters'));
    expect(new Set(sends.map(({ measured }) => measured)).size, 'whatever the number of subscribers').toBe(1);
  } finally {
    await service.stop();
  }
}, 300_000);
