import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '#tests/harness/file-end.ts';

interface Example {
  file: string;
  source: string;
  /** The rule that must object; none for code that is as it should be. */
  rule?: string;
}

const RESTRICTED = 'lint/style/noRestrictedImports';
const imports = (what: string): string => `import { used } from '${what}';\n\nused();\n`;
const restricted = (file: string, what: string): Example => ({
  file,
  source: imports(what),
  rule: RESTRICTED,
});
const allowed = (file: string, what: string): Example => ({ file, source: imports(what) });

const PURE = ['shared/domain/drafts/edit.ts', 'shared/events/shape.ts', 'shared/markdown/render.ts'];
const IMPURE = [
  'node:fs',
  'node:fs/promises',
  '@aws-sdk/client-dynamodb',
  '@aws-sdk/lib-dynamodb',
  '@middy/core',
  '#shared/api/endpoint.ts',
  '#shared/store/users/users.ts',
  '#shared/log/commit.ts',
  '#shared/runtime/clock.ts',
  '#shared/adapters/http-relay.ts',
  '#shared/table/dynamo-table.ts',
  '#functions/routes.ts',
  '#functions/users/get-user.ts',
  '#infra/local/start.ts',
  '#tests/harness/client.ts',
];
const LOW = [
  'shared/store/users/users.ts',
  'shared/log/commit.ts',
  'shared/table/keys/users.ts',
  'shared/runtime/ids.ts',
  'shared/adapters/http-relay.ts',
];
const ABOVE_LOW = ['#shared/api/endpoint.ts', '#functions/routes.ts', '#infra/app.ts', '#tests/run.ts'];
const BELOW_LOG = LOW.filter((file) => !file.startsWith('shared/log/'));
const SUBSYSTEMS = ['shared/queues/poll.ts', 'shared/search/narrow.ts', 'shared/push/notify.ts'];
const ACTION = 'shared/actions/messages/send-message.ts';
const HIGH = ['shared/api/endpoint.ts', 'functions/users/get-user.ts', 'functions/workers/sweep.ts'];
const ABOVE_HIGH = ['#infra/local/start.ts', '#tests/harness/client.ts'];

const pair = (files: string[], targets: string[], make: typeof restricted): Example[] =>
  files.flatMap((file) => targets.map((what) => make(file, what)));

const examples: Example[] = [
  ...pair(PURE, IMPURE, restricted),
  ...pair(LOW, ABOVE_LOW, restricted),
  ...pair(BELOW_LOG, ['#shared/log/commit.ts'], restricted),
  ...pair(HIGH, ABOVE_HIGH, restricted),
  ...pair([...LOW, ...SUBSYSTEMS], [`#${ACTION}`], restricted),
  ...pair(
    LOW,
    SUBSYSTEMS.map((file) => `#${file}`),
    restricted,
  ),
  ...pair(['shared/snapshot/snapshot.ts', ...SUBSYSTEMS.slice(1)], [`#${SUBSYSTEMS[0]}`], restricted),
  ...pair([...SUBSYSTEMS, ACTION], ABOVE_LOW, restricted),
  ...pair([ACTION], ['#shared/exports/run.ts'], restricted),
  ...pair(
    [ACTION],
    ['#shared/queues/poll.ts', '#shared/log/commit.ts', '#shared/store/users/users.ts'],
    allowed,
  ),
  ...pair([...SUBSYSTEMS], ['#shared/log/read.ts', '#shared/store/users/users.ts'], allowed),
  ...pair(PURE, ['node:crypto', '#shared/domain/errors.ts', '#shared/table/keys/users.ts'], allowed),
  ...pair(LOW, ['#shared/domain/errors.ts', '#shared/table/table.ts'], allowed),
  ...pair(HIGH, ['#shared/store/users/users.ts', '#shared/log/commit.ts', 'zod/mini'], allowed),
  ...pair(['infra/app.ts', 'tests/run.ts'], ['#functions/routes.ts', '#shared/api/endpoint.ts'], allowed),
  ...['infra/app.ts', 'tests/run.ts', ...HIGH, ...LOW, ...PURE].map((file) => ({
    file,
    source: "import { z } from 'zod';\n\nz.string();\n",
    rule: RESTRICTED,
  })),
  {
    file: 'functions/users/get-user.ts',
    source: 'const work = async (): Promise<void> => {};\n\nwork();\n',
    rule: 'lint/nursery/noFloatingPromises',
  },
  {
    file: 'functions/users/get-user.ts',
    source: 'const work = async (): Promise<void> => {};\n\nawait work();\n',
  },
  {
    file: 'shared/api/endpoint.ts',
    source: 'export const take = (given: any): unknown => given;\n',
    rule: 'lint/suspicious/noExplicitAny',
  },
  {
    file: 'shared/api/endpoint.ts',
    source: "import { Unused } from './other.ts';\n",
    rule: 'lint/correctness/noUnusedImports',
  },
  {
    file: 'shared/api/endpoint.ts',
    source: "import { used } from 'fs';\n\nused();\n",
    rule: 'lint/style/useNodejsImportProtocol',
  },
  {
    file: 'shared/api/endpoint.ts',
    source: `export function long(): void {\n${'  console.log();\n'.repeat(71)}}\n`,
    rule: 'lint/complexity/noExcessiveLinesPerFunction',
  },
  {
    file: 'tests/api/some.test.ts',
    source: "import { test } from 'vitest';\n\ntest.only('x', () => {});\n",
    rule: 'lint/suspicious/noFocusedTests',
  },
  {
    file: 'tests/api/some.test.ts',
    source: "import { test } from 'vitest';\n\ntest.skip('x', () => {});\n",
    rule: 'lint/suspicious/noSkippedTests',
  },
];

let folder: string;
beforeAll(() => {
  folder = temporaryFolder('layers');
});

/** The objections of the project's own linter to files of a temporary project: rules by file. */
async function lint(files: Map<string, string>): Promise<Map<string, string[]>> {
  const root = mkdtempSync(join(folder, 'project-'));
  for (const name of ['biome.json', 'package.json', '.gitignore']) copyFileSync(name, join(root, name));
  for (const [file, source] of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), source);
  }
  const biome = resolve('node_modules/.bin/biome');
  const options = ['lint', '--reporter=json', '--max-diagnostics=none', '.'];
  const output = await new Promise<string>((done) => {
    execFile(biome, options, { cwd: root, maxBuffer: 1e8 }, (_failure, stdout) => done(stdout));
  });
  const { diagnostics } = JSON.parse(output) as {
    diagnostics: { category: string; location: { path: string } }[];
  };
  const found = Map.groupBy(diagnostics, ({ location }) => location.path);
  return new Map([...found].map(([file, ones]) => [file, ones.map(({ category }) => category)]));
}

/** Each example has its own name in its folder, so that one run sees them all. */
const unique = ({ file }: Example, index: number): string => join(dirname(file), `example-${index}.ts`);

describe('The linter', () => {
  let found: Map<string, string[]>;
  beforeAll(async () => {
    found = await lint(new Map(examples.map((one, index) => [unique(one, index), one.source])));
  });

  test.each(
    examples.map((one, index) => ({
      ...one,
      index,
      objection: one.rule ?? 'nothing',
      line: one.source.split('\n')[0],
    })),
  )('In $file reports $objection for: $line', ({ file, index, rule }) => {
    const rules = found.get(unique({ file, source: '' }, index)) ?? [];
    if (rule) expect(rules).toContain(rule);
    else expect(rules.filter((one) => one === RESTRICTED || one.endsWith('noFloatingPromises'))).toEqual([]);
  });

  test('Reports files that import each other', async () => {
    const cycle = await lint(
      new Map([
        ['shared/api/a.ts', "import { b } from './b.ts';\n\nexport const a = (): unknown => b;\n"],
        ['shared/api/b.ts', "import { a } from './a.ts';\n\nexport const b = (): unknown => a;\n"],
      ]),
    );
    expect(cycle.get('shared/api/a.ts')).toContain('lint/suspicious/noImportCycles');
  });
});
