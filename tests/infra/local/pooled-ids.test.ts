import { expect, test } from 'vitest';
import { pooledIds } from '#infra/local/pooled-ids.ts';

test('The ids of writes all differ, with 48 random bits, however many a process needs', () => {
  const ids = Array.from({ length: 2_000 }, () => pooledIds.writeId());
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[\w-]{8}$/);
});
