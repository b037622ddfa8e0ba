import { expect, test } from 'vitest';
import { type Grant, grantsFor } from '#infra/aws/grants.ts';
import { type Area, areas, writeAreas } from '#shared/table/areas.ts';
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
])('A function that declares $declared may query the indexes $indexes', ({ declared, indexes }) => {
  for (const table of ['read', 'write'] as const)
    expect(indexesIn(grantsFor({ table, areas: declared }, places))).toEqual(indexes);
});

const all = Object.keys(areas) as (keyof typeof areas)[];

/** The denials of a policy by the keys of partitions, each with its number. */
const deniedKeys = (grants: Grant[]): string[] =>
  grants
    .flatMap(({ effect, conditions }) =>
      effect === 'Deny' ? (conditions?.['ForAnyValue:StringLike']?.['dynamodb:LeadingKeys'] ?? []) : [],
    )
    .sort();

test.each(all)('A function that declares all areas except %s is denied its keys, and no others', (left) => {
  const declared: Area[] = [...all.filter((area) => area !== left), 'accounts'];
  for (const table of ['read', 'write'] as const)
    expect(deniedKeys(grantsFor({ table, areas: declared }, places))).toEqual([...areas[left]].sort());
});

test('Every function reads accounts, and only functions that declare it write them', () => {
  const grants = grantsFor({ table: 'write', areas: all }, places);
  const denied = grants.filter(
    ({ effect, conditions }) => effect === 'Deny' && conditions?.['ForAnyValue:StringLike'],
  );
  expect(denied.map(({ actions }) => actions)).toEqual([
    ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
  ]);
  expect(deniedKeys(grants)).toEqual([...writeAreas.accounts].sort());
  expect(deniedKeys(grantsFor({ table: 'read', areas: all }, places))).toEqual([]);
});

test('No statement of a policy has an empty list of resources or keys, which IAM refuses', () => {
  for (const declared of [[], ['drafts'], all, [...all, 'accounts']] as Area[][])
    for (const table of ['none', 'read', 'write'] as const)
      for (const { resources, conditions = {} } of grantsFor({ table, areas: declared }, places)) {
        expect(resources).not.toEqual([]);
        for (const values of Object.values(conditions).flatMap(Object.values)) expect(values).not.toEqual([]);
      }
});
