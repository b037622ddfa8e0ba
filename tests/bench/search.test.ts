import { expect, test } from 'vitest';
import { aFew, measureSearch } from './search.ts';
import { startBenchService } from './service.ts';

test('Indexing messages and searching them keep to their budgets', async () => {
  const service = await startBenchService({ config: aFew.config });
  try {
    const rows = await measureSearch(service, aFew.messages);
    expect(rows.filter(({ isMet }) => isMet !== undefined).length).toBeGreaterThan(10);
    expect(rows.filter(({ isMet }) => isMet === false)).toEqual([]);
  } finally {
    await service.stop();
  }
});
