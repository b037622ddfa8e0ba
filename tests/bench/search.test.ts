import { expect, test } from 'vitest';
import { measureSearch } from './search.ts';
import { startBenchService } from './service.ts';

test('indexing messages and searching them keep to their budgets', async () => {
  const service = await startBenchService({ config: { searchSegment: { positions: 1_000, fanout: 3 } } });
  try {
    const rows = await measureSearch(service, 4_000);
    expect(rows.filter(({ isMet }) => isMet !== undefined).length).toBeGreaterThan(10);
    expect(rows.filter(({ isMet }) => isMet === false)).toEqual([]);
  } finally {
    await service.stop();
  }
}, 120_000);
