import { expect, test } from 'vitest';
import { type Grant, grantsFor } from '#infra/aws/grants.ts';
import type { Area } from '#shared/table/areas.ts';
import { places } from '#tests/harness/privilege/aws-calls.ts';

const indexesIn = (grants: Grant[]): string[] =>
  grants
    .filter(({ effect }) => effect === 'Allow')
    .flatMap(({ resources }) => resources)
    .flatMap((resource) => resource.split('/index/').slice(1))
    .sort();

test.each<{ declared: Area[]; indexes: string[] }>([
  { declared: [], indexes: [] },
  { declared: ['drafts'], indexes: [] },
  { declared: ['due'], indexes: ['byDueTime'] },
  { declared: ['messages'], indexes: ['byChannel', 'byConversation'] },
  { declared: ['due', 'messages'], indexes: ['byChannel', 'byConversation', 'byDueTime'] },
])('a function that declares $declared may query the indexes $indexes', ({ declared, indexes }) => {
  for (const table of ['read', 'write'] as const)
    expect(indexesIn(grantsFor({ table, areas: declared }, places))).toEqual(indexes);
});
