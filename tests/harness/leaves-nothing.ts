import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect } from 'vitest';
import { takeOutcomes, takeUndeclared } from './declared/outcomes.ts';
import { endFile } from './file-end.ts';
import { keepLoggedLines, takeLogged } from './logged-lines.ts';
import { takeLate, takeRefused } from './privilege/least-privilege.ts';

/**
 * Set up for every file: the files of one worker share its process, so a file leaves no trace, whatever their order.
 * Spies need no check, since each test starts without the spies of earlier ones.
 */
const MAX_WAITS = 100;
/** Set by the image library whenever it is loaded first. */
const SET_BY_LIBRARIES = new Set(['TMPDIR', 'VIPS_WARNING']);
const environment = { ...process.env };
// No hook runs for a file before this one whose tests were all skipped.
await endFile();
const held = listHeld();
const showLoggedLines = keepLoggedLines();

afterEach(({ task }) => {
  const shown = takeOutcomes();
  if (shown.size > 0) Object.assign(task.meta, { shown: toShown(shown) });
  expectDeclared();
  const logged = takeLogged();
  if (task.result?.state === 'fail') for (const line of logged) console.log(JSON.stringify(line));
  expect(
    logged.filter(({ level }) => level === 'error'),
    'errors that the service logged and the test did not look at',
  ).toEqual([]);
});

afterAll(async () => {
  await endFile();
  showLoggedLines();
  // Their names alone, since values may be secrets of the person who runs the tests.
  expect(listChanged(), 'variables of the environment that have changed').toEqual([]);
  // Ending takes a moment.
  for (let waits = 0; waits < MAX_WAITS && listOpened().length > 0; waits++) await sleep(20);
  expect(takeRefused(), 'what functions asked of AWS that their roles do not allow').toEqual([]);
  expectDeclared();
  expect(takeLate(), 'what operations changed after they had answered').toEqual([]);
  expect(listOpened(), 'servers and processes that are still there').toEqual([]);
});

/** For the report of the run. */
const toShown = (outcomes: ReadonlyMap<string, ReadonlySet<string>>): Record<string, string[]> =>
  Object.fromEntries([...outcomes].map(([operation, all]) => [operation, [...all]]));

/** The events since the last look. */
function expectDeclared(): void {
  expect(takeUndeclared(), 'events that operations caused and do not declare').toEqual([]);
}

function listChanged(): string[] {
  const names = new Set([...Object.keys(environment), ...Object.keys(process.env)]);
  return [...names].filter((name) => process.env[name] !== environment[name] && !SET_BY_LIBRARIES.has(name));
}

function listHeld(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((kind) => kind === 'TCPServerWrap' || kind === 'ProcessWrap');
}

/** The servers and processes that this file has opened, and not closed yet. */
function listOpened(): string[] {
  const before = [...held];
  return listHeld().filter((kind) => {
    const place = before.indexOf(kind);
    if (place >= 0) before.splice(place, 1);
    return place < 0;
  });
}
