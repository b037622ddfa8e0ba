import { relative } from 'node:path';
import type { Chapter, Proof, Statement } from './reference/statement.ts';

/** What the runner reports of a run, as far as proofs need it. */
export interface TestReport {
  testResults: {
    name: string;
    assertionResults: {
      ancestorTitles: string[];
      title: string;
      status: string;
      meta?: { replayed?: string[]; shown?: Record<string, string[]> };
    }[];
  }[];
}

/** A statement for which a test is missing, was not run, or failed. */
export interface Unproven {
  statement: Statement;
  route: string | undefined;
  proof: Proof;
  because: 'no such test ran' | 'a run of it did not pass';
}

/** Of these event types, those that no test which passed has replayed onto a snapshot. */
export function listNeverReplayed(eventTypes: readonly string[], report: TestReport): string[] {
  const passed = report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'passed'),
  );
  const replayed = new Set(passed.flatMap(({ meta }) => meta?.replayed ?? []));
  return eventTypes.filter((type) => !replayed.has(type));
}

/** What the runner puts in place of these in the titles of tests with many values. */
const PLACEHOLDER = /%[sdifjocOp#$]|\$[a-zA-Z][\w.]*/g;

/** The statements that the tests of a run did not prove, each with the proof that failed; `testsFolder` is absolute. */
export function listUnproven(
  chapters: readonly Chapter[],
  report: TestReport,
  testsFolder: string,
): Unproven[] {
  const runs = new Map(
    report.testResults.map(({ name, assertionResults }) => [
      relative(testsFolder, name).replaceAll('\\', '/'),
      assertionResults.map(({ ancestorTitles, title, status }) => ({
        title: [...ancestorTitles, title].join(' > '),
        isPassed: status === 'passed',
      })),
    ]),
  );
  const failureOf = ([file, title]: Proof): Unproven['because'] | undefined => {
    const matching = (runs.get(file) ?? []).filter((run) => patternOf(title).test(run.title));
    if (matching.length === 0) return 'no such test ran';
    return matching.every(({ isPassed }) => isPassed) ? undefined : 'a run of it did not pass';
  };
  return chapters.flatMap(({ route, statements }) =>
    statements.flatMap((statement) =>
      statement.provenBy.flatMap((proof) => {
        const because = failureOf(proof);
        return because ? [{ statement, route, proof, because }] : [];
      }),
    ),
  );
}

function patternOf(title: string): RegExp {
  const literals = title.split(PLACEHOLDER).map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${literals.join('[^]*')}$`);
}
