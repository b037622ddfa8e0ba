import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { orRefuse, parseCommandLine } from '#infra/command-line.ts';
import { ROOT } from './root.ts';
import { runNode } from './run-node.ts';

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);

/** The commands that are one program of this project. Commands of several programs accept no arguments. */
const commands = Object.entries(scripts).flatMap(([name, command]) => {
  const [, program] = /^node (\S+\.ts)$/.exec(command) ?? [];
  return program === undefined ? [] : [{ name, program }];
});

test('An option of a command can be negated, and a command knows the order of its options', () => {
  const { values, tokens } = parseCommandLine(['--fast', '--no-fast'], { fast: { type: 'boolean' } });
  expect(values.fast).toBe(false);
  expect(tokens.map((one) => one.kind === 'option' && one.rawName)).toEqual(['--fast', '--no-fast']);
});

test('A command accepts no words, unless it declares their number', () => {
  expect(() => parseCommandLine(['word'], {})).toThrow("Unexpected argument 'word'; see --help.");
  expect(parseCommandLine(['word'], {}, 1).positionals).toEqual(['word']);
  expect(() => parseCommandLine(['word', 'more'], {}, 1)).toThrow("Unexpected argument 'more'");
});

test('-h equals --help', async () => {
  const [short, long] = await Promise.all(
    ['-h', '--help'].map((option) => runNode('infra/build/sbom.ts', [option], {})),
  );
  expect(short).toEqual(long);
  expect(short?.stdout).toMatch(/^Usage: /);
});

test('The commands that are programs of this project are found', () => {
  expect(commands.length).toBeGreaterThan(20);
});

describe.each(commands)('npm run $name', ({ name, program }) => {
  test('--help prints its purpose and options, and an example', async () => {
    const { status, stdout, stderr } = await runNode(program, ['--help'], {});
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const call = ['start', 'test'].includes(name) ? `npm ${name}` : `npm run ${name}`;
    expect(stdout.split('\n')[0]).toMatch(new RegExp(`^Usage: ${call}( |$)`));
    expect(stdout).toMatch(/\n {2}--help +print this text\n/);
    expect(stdout).toMatch(new RegExp(`\n\nExample:\n {2}([A-Z_]+=\\S+ )*${call}`));
  });

  test('Refuses an unknown option in one line, with status 2, before it does anything', async () => {
    const { status, stdout, stderr } = await runNode(program, ['--no-such-option'], {});
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^Unknown option '--no-such-option'.*; see --help\.\n$/);
  });
});

test.each([
  ['tests/mutation/main.ts', '--random 2 --area nowhere', /^There is no area nowhere; .*shared.*\.\n$/],
  ['tests/mutation/main.ts', '--random many', /^--random is a number from 1 on\.\n$/],
  ['tests/mutation/main.ts', '--workers 0', /^--workers is a number from 1 on\.\n$/],
])('%s refuses %s in one line, with status 2', async (program, args, words) => {
  const { status, stdout, stderr } = await runNode(program, args.split(' '), {});
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(words);
});

test('A failure in the code that reads the options is not reported as a wrong call', () => {
  const broken = () => {
    throw new TypeError('Broken');
  };
  expect(() => orRefuse(broken)).toThrow(TypeError);
});

test('Coverage reports in one line that it found no vitest, and fails', async () => {
  const { status, stdout, stderr } = await runNode('tests/coverage/main.ts', [], { PATH: '/nowhere' });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^vitest cannot be run: .*\.\n$/);
});
