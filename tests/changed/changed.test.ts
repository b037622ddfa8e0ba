import { existsSync, globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Covering } from '../mutation/covering.ts';
import { NOTHING_LEARNT } from '../mutation/learnt.ts';
import { PROJECT } from '../mutation/points.ts';
import { readDiff } from './changes.ts';
import { operationsOf, select } from './selection.ts';
import { unimported } from './unimported.ts';

const DIFF = `diff --git a/shared/log/read.ts b/shared/log/read.ts
index 1..2 100644
--- a/shared/log/read.ts
+++ b/shared/log/read.ts
@@ -1 +1 @@
-const old = 1;
+const fresh = 2;
diff --git a/docs/glossary.md b/docs/glossary.md
deleted file mode 100644
--- a/docs/glossary.md
+++ /dev/null
@@ -1 +0,0 @@
-A word
`;

const changeOf = (file: string) => ({ file, text: '' });
const covering = new Covering(PROJECT, { seconds: new Map(), learnt: NOTHING_LEARNT });
const choose = (files: string[], seconds: number) =>
  select(files.map(changeOf), seconds, covering, existsSync);

describe('of the changes', () => {
  test('each file is known with its new and its old lines', () => {
    expect(readDiff(DIFF)).toEqual([
      { file: 'shared/log/read.ts', text: 'const old = 1;\nconst fresh = 2;' },
      { file: 'docs/glossary.md', text: 'A word' },
    ]);
  });

  test('an operation has the name of its file; the registry, workers and what they share are none', () => {
    const files = ['drafts/edit-draft', 'routes/drafts', 'workers/sweep', 'routes'].map((name) =>
      changeOf(`functions/${name}.ts`),
    );
    expect(operationsOf(files)).toEqual(['editDraft']);
  });
});

describe('of the tests that changes touch', () => {
  const known = {
    testsOf: ({ file }: { file: string }) => [1, 2, 3].map((n) => `tests/${file.slice(0, 1)}${n}.test.ts`),
    secondsOf: () => 10,
  };

  test('those run that there is time for, of each changed file the best first, and the others are named', () => {
    const { run, left } = select([changeOf('a.css'), changeOf('b.css')], 40, known, () => true);
    expect(run).toEqual(['tests/a1.test.ts', 'tests/b1.test.ts', 'tests/a2.test.ts', 'tests/b2.test.ts']);
    expect(left).toEqual(['tests/a3.test.ts', 'tests/b3.test.ts']);
  });

  test('a changed test runs however long it takes; one that is gone does not', () => {
    const changes = ['tests/long.test.ts', 'tests/gone.test.ts'].map(changeOf);
    const long = { testsOf: () => [], secondsOf: (file: string) => (file.includes('long') ? 1_000 : 0) };
    const { run } = select(changes, 1, long, (file) => !file.includes('gone'));
    expect(run).toEqual(['tests/long.test.ts']);
  });

  test.each([
    ['functions/drafts/edit-draft.ts', 'tests/api/drafts/edit-draft.test.ts'],
    ['shared/log/read.ts', 'tests/log/reading.test.ts'],
    ['web/state/feed/drafts.ts', 'tests/web/drafts.test.ts'],
    ['docs/glossary.md', 'tests/conformance/pages.test.ts'],
    ['biome.json', 'tests/conformance/layers.test.ts'],
  ])('in a minute, %s brings %s', (file, test) => {
    expect(choose([file], 60).run).toContain(test);
  });
});

test('what nothing imports has tests that exist, and is itself in the repository', () => {
  const files = globSync(['*', '{docs,functions,infra,tests,web}/**/*']);
  for (const { changed, tests } of unimported) {
    expect(
      files.filter((file) => changed.test(file)),
      String(changed),
    ).not.toEqual([]);
    expect(tests.filter((file) => !existsSync(file))).toEqual([]);
  }
});
