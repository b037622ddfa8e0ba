import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { listNeverReplayed, listUnknownIds, listUnproven, type TestReport } from './proofs.ts';
import type { Chapter } from './reference/statement.ts';
import { reference } from './reference.ts';

/** The operations that the reference describes. */
const OPERATIONS = [
  'DELETE /realm/emoji/{emoji_name}',
  'POST /users/me/subscriptions',
  'DELETE /users/me/apns_device_token',
  'DELETE /users/me/subscriptions',
  'PATCH /users/{user_id_or_email}',
  'POST /user_topics',
  'POST /invites/{invite_id}/resend',
  'GET /messages/matches_narrow',
  'POST /mark_all_as_read',
  'POST /user_groups/{user_group_id}/deactivate',
  'POST /mobile_push/e2ee/test_notification',
  'PATCH /drafts/{draft_id}',
  'GET /export/realm',
  'POST /users/me/alert_words',
  'POST /navigation_views',
  'POST /register',
  'GET /users/{user_id_or_email}/presence',
  'POST /scheduled_messages',
  'POST /messages/{message_id}/report',
];

/** The feature levels at which the reference says that something changed. */
const LEVELS = [
  9, 167, 179, 184, 190, 208, 211, 236, 248, 333, 334, 349, 362, 370, 406, 412, 435, 449, 468, 481, 497, 499,
];

describe('The reference', () => {
  test('Describes the changes of every feature level', () => {
    const said = reference
      .flatMap(({ statements }) => statements)
      .filter(({ kind }) => kind === 'change')
      .flatMap(({ says }) => says.match(/\d+/g) ?? [])
      .map(Number);
    expect(LEVELS.filter((level) => !said.includes(level))).toEqual([]);
  });

  test('Has a chapter for every operation, and no others', () => {
    const routes = reference.flatMap(({ route }) => route ?? []);
    expect(routes.sort()).toEqual([...OPERATIONS].sort());
    const known = Object.values(endpoints).map(({ route }) => route as string);
    expect(OPERATIONS.filter((route) => !known.includes(route))).toEqual([]);
  });

  test('Consists of all files in its folder', async () => {
    const files = globSync('*.ts', { cwd: join(import.meta.dirname, 'reference') });
    const modules = await Promise.all(
      files
        .filter((file) => file !== 'statement.ts')
        .map((file) => import(join(import.meta.dirname, 'reference', file))),
    );
    const chapters = modules.flatMap((module) => Object.values(module));
    expect(new Set(chapters)).toEqual(new Set(reference));
  });

  test('Repeats nothing in a chapter, and gives each statement an id of its own', () => {
    for (const { statements } of reference) {
      const said = statements.map(({ says }) => says);
      expect(said).toEqual([...new Set(said)]);
    }
    const ids = reference.flatMap(({ statements }) => statements.map(({ id }) => id));
    expect(ids).toEqual([...new Set(ids)]);
  });
});

const chapter: Chapter = { route: 'GET /x', statements: [{ id: 'x.1', kind: 'rule', says: 'It holds' }] };
const reportOf = (...runs: [id: string, status: string][]): TestReport => ({
  testResults: [
    {
      name: 'x.test.ts',
      assertionResults: runs.map(([id, status]) => ({
        ancestorTitles: [],
        title: 'x',
        status,
        meta: { proves: [id] },
      })),
    },
  ],
});

describe('A statement of the reference', () => {
  test('Counts as proven if all tests that name it passed', () => {
    expect(listUnproven([chapter], reportOf(['x.1', 'passed'], ['x.1', 'passed']))).toEqual([]);
  });

  test.each(['failed', 'skipped', 'pending', 'todo'])(
    'Counts as unproven if a test that names it is %s',
    (status) => {
      const report = reportOf(['x.1', 'passed'], ['x.1', status]);
      expect(listUnproven([chapter], report)).toMatchObject([
        { because: 'a test that proves it did not pass', route: 'GET /x' },
      ]);
    },
  );

  test('Counts as unproven if no test names it', () => {
    expect(listUnproven([chapter], reportOf(['x.2', 'passed']))).toMatchObject([
      { because: 'no test that proves it ran' },
    ]);
  });

  test('Must exist if a test names it', () => {
    expect(listUnknownIds([chapter], reportOf(['x.1', 'passed'], ['x.2', 'passed']))).toEqual(['x.2']);
  });
});

test('An event type counts as replayed if a passed test replayed it', () => {
  const run = (status: string, ...replayed: string[]) => ({
    ancestorTitles: [],
    title: 'x',
    status,
    meta: { replayed },
  });
  const report = {
    testResults: [{ name: 'x', assertionResults: [run('passed', 'message'), run('failed', 'drafts/add')] }],
  };
  expect(listNeverReplayed(['message', 'drafts/add'], report)).toEqual(['drafts/add']);
});
