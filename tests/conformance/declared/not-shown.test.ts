import { expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { exempt, listNotShown, type Shown } from './not-shown.ts';

/** The report of a run with one test. */
const reportOf = (shown: Shown, status = 'passed') => ({
  testResults: [
    { name: 'a.test.ts', assertionResults: [{ ancestorTitles: [], title: 'a', status, meta: { shown } }] },
  ],
});

test('Lists a declared event that no test has received', () => {
  expect(listNotShown(reportOf({}))).toContain('addAlertWords: alert_words');
  expect(listNotShown(reportOf({ addAlertWords: ['alert_words'] }))).not.toContain(
    'addAlertWords: alert_words',
  );
});

test('Lists an event that only a failed test has received', () => {
  const report = reportOf({ addAlertWords: ['alert_words'] }, 'failed');
  expect(listNotShown(report)).toContain('addAlertWords: alert_words');
});

test('Does not list exempt events', () => {
  expect(listNotShown(reportOf({}))).not.toContain('reportMessage: stream/update');
  expect(Object.keys(exempt).filter((name) => !(name in endpoints))).toEqual([]);
});
