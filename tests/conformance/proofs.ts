import type { Chapter, Statement } from './reference/statement.ts';

/** The runner's report of a run, as far as proofs need it. */
export interface TestReport {
  testResults: {
    name: string;
    assertionResults: {
      ancestorTitles: string[];
      title: string;
      status: string;
      meta?: { proves?: string[]; replayed?: string[]; shown?: Record<string, string[]> };
    }[];
  }[];
}

/** A statement for which a test is missing, was not run, or failed. */
export interface Unproven {
  statement: Statement;
  route: string | undefined;
  because: 'no test that proves it ran' | 'a test that proves it did not pass';
}

/** The event types of these that no passed test has replayed onto a snapshot. */
export function listNeverReplayed(eventTypes: readonly string[], report: TestReport): string[] {
  const passed = report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'passed'),
  );
  const replayed = new Set(passed.flatMap(({ meta }) => meta?.replayed ?? []));
  return eventTypes.filter((type) => !replayed.has(type));
}

/** The statements that the tests of a run did not prove: no test names them, or one that does failed. */
export function listUnproven(chapters: readonly Chapter[], report: TestReport): Unproven[] {
  const runs = report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.flatMap(({ meta, status }) =>
      (meta?.proves ?? []).map((id) => ({ id, isPassed: status === 'passed' })),
    ),
  );
  const runsById = Map.groupBy(runs, ({ id }) => id);
  const failureOf = ({ id }: Statement): Unproven['because'] | undefined => {
    const named = runsById.get(id);
    if (!named) return 'no test that proves it ran';
    return named.every(({ isPassed }) => isPassed) ? undefined : 'a test that proves it did not pass';
  };
  return chapters.flatMap(({ route, statements }) =>
    statements.flatMap((statement) => {
      const because = failureOf(statement);
      return because ? [{ statement, route, because }] : [];
    }),
  );
}

/** The ids that tests of a run name and no statement has. */
export function listUnknownIds(chapters: readonly Chapter[], report: TestReport): string[] {
  const known = new Set(chapters.flatMap(({ statements }) => statements.map(({ id }) => id)));
  const named = report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.flatMap(({ meta }) => meta?.proves ?? []),
  );
  return [...new Set(named)].filter((id) => !known.has(id));
}
