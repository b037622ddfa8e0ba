import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#tests/harness/file-end.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = [
  '.gitignore',
  'biome.json',
  'docs',
  'functions',
  'infra',
  'package.json',
  'README.md',
  'shared',
  'tests',
  'tsconfig.json',
  'vitest.config.ts',
  'web',
];
const COMMAND_TIMEOUT_MS = 240_000;

/** The blocks of the page in one language, in order. */
const blocksOf = (page: string, language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );

/** Everything that is checked, without build output. */
function copySources(): string {
  const copy = temporaryFolder('guide');
  for (const source of SOURCES) cpSync(join(ROOT, source), join(copy, source), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** A new file, with its path in its first line. */
function createFile(copy: string, block: string): void {
  const [, path = '', content = ''] = /^\/\/ (\S+)\n([\s\S]*)$/.exec(block) ?? [];
  expect(path, block).not.toBe('');
  mkdirSync(dirname(join(copy, path)), { recursive: true });
  writeFileSync(join(copy, path), content);
}

/** A change of a file at the one place that has its unchanged lines. */
function changeFile(copy: string, block: string): void {
  const [head = '', ...lines] = block.trimEnd().split('\n');
  const path = join(copy, head.replace('--- ', ''));
  const without = (mark: string) =>
    lines.filter((line) => !line.startsWith(mark)).map((line) => line.slice(1));
  const [before, after] = [without('+').join('\n'), without('-').join('\n')];
  const [start, end, ...further] = readFileSync(path, 'utf8').split(`${before}\n`);
  expect(end, `${head} has the lines\n${before}`).toBeDefined();
  expect(further, `${head} has these lines once:\n${before}`).toEqual([]);
  writeFileSync(path, `${start}${after}\n${end}`);
}

/** Runs a command of the reader. @throws with everything that was printed */
async function runCommands(copy: string, commands: string): Promise<void> {
  const { VITEST: _vitest, VITEST_MODE: _mode, MODE: _runMode, NODE_ENV: _env, ...env } = process.env;
  await promisify(execFile)('sh', ['-e', '-c', commands], {
    cwd: copy,
    env,
    timeout: COMMAND_TIMEOUT_MS,
    maxBuffer: 2 ** 26,
  }).catch(({ stdout, stderr }) => {
    throw new Error(`${commands}\n${stdout}\n${stderr}`);
  });
}

test('The page docs/adding-an-endpoint.md adds an operation that passes types, lint, its test and the conformance tests', {
  timeout: 2 * COMMAND_TIMEOUT_MS,
}, async () => {
  const page = readFileSync(join(ROOT, 'docs/adding-an-endpoint.md'), 'utf8');
  const copy = copySources();
  for (const block of blocksOf(page, 'ts')) createFile(copy, block);
  for (const block of blocksOf(page, 'diff')) changeFile(copy, block);
  for (const block of blocksOf(page, 'sh')) await runCommands(copy, block);
});
