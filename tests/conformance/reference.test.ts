import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { listNeverReplayed, listUnproven, type TestReport } from './proofs.ts';
import type { Chapter } from './reference/statement.ts';
import { reference } from './reference.ts';

const TESTS = join(import.meta.dirname, '..');

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

describe('the reference', () => {
  test('says what changed at every feature level', () => {
    const said = reference
      .flatMap(({ statements }) => statements)
      .filter(({ kind }) => kind === 'change')
      .flatMap(({ says }) => says.match(/\d+/g) ?? [])
      .map(Number);
    expect(LEVELS.filter((level) => !said.includes(level))).toEqual([]);
  });

  test('has a chapter of every operation, each of which exists', () => {
    const routes = reference.flatMap(({ route }) => route ?? []);
    expect(routes.sort()).toEqual([...OPERATIONS].sort());
    const known = Object.values(endpoints).map(({ route }) => route as string);
    expect(OPERATIONS.filter((route) => !known.includes(route))).toEqual([]);
  });

  test('is all of what stands in its folder', async () => {
    const files = globSync('*.ts', { cwd: join(import.meta.dirname, 'reference') });
    const modules = await Promise.all(
      files
        .filter((file) => file !== 'statement.ts')
        .map((file) => import(join(import.meta.dirname, 'reference', file))),
    );
    const chapters = modules.flatMap((module) => Object.values(module));
    expect(new Set(chapters)).toEqual(new Set(reference));
  });

  test.each(reference.map((chapter) => [chapter.route ?? 'the service', chapter] as const))(
    'says of %s nothing twice',
    (_, { statements }) => {
      const said = statements.map(({ says }) => says);
      expect(said).toEqual([...new Set(said)]);
    },
  );
});

const chapterOf = (title: string): Chapter => ({
  route: 'GET /x',
  statements: [{ kind: 'rule', says: 'It holds', provenBy: [['a/x.test.ts', title]] }],
});
const reportOf = (...runs: [title: string, status: string][]): TestReport => ({
  testResults: [
    {
      name: join(TESTS, 'a/x.test.ts'),
      assertionResults: runs.map(([title, status]) => ({ ancestorTitles: ['x'], title, status })),
    },
  ],
});

describe('a statement is proven', () => {
  test('a statement is proven by a test that ran and passed', () => {
    expect(listUnproven([chapterOf('x > holds')], reportOf(['holds', 'passed']), TESTS)).toEqual([]);
  });

  test('a statement is proven by all runs of a test of many values', () => {
    const chapter = chapterOf('x > holds for %s');
    const both = reportOf(['holds for 1', 'passed'], ['holds for 2', 'passed']);
    expect(listUnproven([chapter], both, TESTS)).toEqual([]);
    const one = reportOf(['holds for 1', 'passed'], ['holds for 2', 'failed']);
    expect(listUnproven([chapter], one, TESTS)).toMatchObject([{ because: 'a run of it did not pass' }]);
  });

  test.each([
    ['has another title', reportOf(['held', 'passed'])],
    ['stands in another file', { testResults: [] }],
  ])('a statement is proven by no test that %s', (_, report) => {
    expect(listUnproven([chapterOf('x > holds')], report, TESTS)).toMatchObject([
      { because: 'no such test ran', route: 'GET /x' },
    ]);
  });

  test.each(['failed', 'skipped', 'pending', 'todo'])(
    'a statement is proven by no test that is %s',
    (status) => {
      expect(listUnproven([chapterOf('x > holds')], reportOf(['holds', status]), TESTS)).toMatchObject([
        { because: 'a run of it did not pass' },
      ]);
    },
  );
});

test('an event type counts as replayed where a test that passed did so', () => {
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
