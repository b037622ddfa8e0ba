import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { orRefuse, readCommandLine, readNumber } from '#infra/command-line.ts';
import { Covering } from '../mutation/covering.ts';
import { listChanges } from './changes.ts';
import { operationsOf, select } from './selection.ts';

const HELP = `Usage: npm run test:changed [-- <commit>] [options]

Runs for about a minute what has most to do with a change, and says what it leaves out.

Arguments:
  <commit>       the changes since this one (main)

Options:
  --seconds <n>  for so long on each processor (30)
  --list         names the files of tests, and runs none
  --help         print this text

Example:
  npm run test:changed -- HEAD~3 --list`;

const { values, positionals } = readCommandLine(HELP, {
  mostWords: 1,
  options: {
    seconds: { type: 'string', default: '30' },
    list: { type: 'boolean', default: false },
  },
});
const asked = orRefuse(() => readNumber('--seconds', values.seconds));
/** More operations than this are for the whole run. */
const MOST_OPERATIONS = 5;
/** So many files are named. */
const NAMED = 8;

const since = positionals[0] ?? 'main';
const changes = listChanges(since);
const covering = new Covering();
const operations = operationsOf(changes);
const isFew = operations.length > 0 && operations.length <= MOST_OPERATIONS;
// What all conformance tests ask of a changed operation takes about a third of the time.
const seconds = asked * availableParallelism() * (isFew ? 2 / 3 : 1);
const { run, left } = select(changes, seconds, covering, existsSync);

console.log(`Files that differ from ${since}: ${changes.length}.`);
console.log(`Runs ${describe(run, run.length)}`);
if (isFew) console.log(`Then what the conformance tests ask of ${operations.join(', ')}`);
console.log(`Leaves out ${describe(left, values.list ? left.length : NAMED)}`);
console.log(
  'and all of tests/simulation, tests/bench and the static checks, unless they have changed: npm test\n',
);

if (!values.list) {
  const isGood = run.length === 0 || runTests(run);
  const areLawful = !isFew || runTests(['tests/conformance', '-t', `\\b(${operations.join('|')})\\b`]);
  process.exitCode = isGood && areLawful ? 0 : 1;
}

function runTests(args: string[]): boolean {
  return spawnSync('vitest', ['run', '--reporter=minimal', ...args], { stdio: 'inherit' }).status === 0;
}

function describe(tests: string[], most: number): string {
  const sum = tests.reduce((all, test) => all + covering.secondsOf(test), 0);
  const more = tests.length > most ? [`… and ${tests.length - most} more`] : [];
  const names = [...tests.slice(0, most), ...more].map((test) => `\n  ${test}`).join('');
  return `${tests.length} test files of about ${Math.round(sum)} s:${names}`;
}
