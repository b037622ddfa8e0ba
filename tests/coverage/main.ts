import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readCommandLine } from '#infra/command-line.ts';
import { withoutTimes } from '#tests/harness/run/compares-times.ts';

const HELP = `Usage: npm run coverage [-- <test>…]

Runs all tests, or the given ones, and prints the covered share of lines and branches of each folder, and the least
covered files. Code in other processes and browsers does not count. The two files of tests that compare times are left
out.

Arguments:
  <test>  a file of tests, or a folder of them

Options:
  --help  print this text

Example:
  npm run coverage -- tests/api/messages`;

interface Counted {
  total: number;
  covered: number;
}
interface Covered {
  lines: Counted;
  branches: Counted;
}

const PROJECT = resolve(import.meta.dirname, '../..');
const REPORT = join(PROJECT, 'dist/coverage/coverage-summary.json');
const WEAKEST = 15;
/** In a smaller file a single line is a large part. */
const LEAST_LINES = 5;

const { positionals: tests } = readCommandLine(HELP, { mostWords: Number.POSITIVE_INFINITY });
// The output of an earlier run would pass for this one's.
rmSync(REPORT, { force: true });
const { status, error } = spawnSync('vitest', ['run', '--coverage.enabled', ...withoutTimes, ...tests], {
  cwd: PROJECT,
  stdio: 'inherit',
});
if (error) fail(`vitest cannot be run: ${error.message}. npm run coverage finds it.`);
if (!existsSync(REPORT)) fail('vitest ended before it had counted anything.');
const { total, ...files }: Record<string, Covered> = JSON.parse(readFileSync(REPORT, 'utf8'));
const rows = Object.entries(files).map(([path, covered]) => ({
  file: path.slice(PROJECT.length + 1),
  covered,
}));

console.log('\nlines\tbranches\tfolder');
for (const [folder, own] of [...Map.groupBy(rows, ({ file }) => folderOf(file))].sort(([a], [b]) =>
  a < b ? -1 : 1,
))
  print(add(own.map(({ covered }) => covered)), folder);
if (total) print(total, 'all');

console.log(`\nThe ${WEAKEST} weakest files:`);
const weakest = rows
  .filter(({ covered }) => covered.lines.total >= LEAST_LINES)
  .sort((a, b) => shareOf(a.covered) - shareOf(b.covered));
for (const { file, covered } of weakest.slice(0, WEAKEST)) print(covered, file);
process.exitCode = status ?? 1;

function fail(reason: string): never {
  console.error(reason);
  process.exit(1);
}

/** Two folders deep. */
function folderOf(file: string): string {
  return file.split('/').slice(0, -1).slice(0, 2).join('/');
}

function add(all: Covered[]): Covered {
  const sum = (kind: keyof Covered): Counted => ({
    total: all.reduce((count, one) => count + one[kind].total, 0),
    covered: all.reduce((count, one) => count + one[kind].covered, 0),
  });
  return { lines: sum('lines'), branches: sum('branches') };
}

/** The part of the lines and branches that ran. */
function shareOf({ lines, branches }: Covered): number {
  return (lines.covered + branches.covered) / (lines.total + branches.total);
}

function print({ lines, branches }: Covered, name: string): void {
  const percent = ({ total: all, covered }: Counted): string =>
    all === 0 ? '-' : `${((100 * covered) / all).toFixed(1)} %`;
  console.log(`${percent(lines)}\t${percent(branches)}\t${name}`);
}
