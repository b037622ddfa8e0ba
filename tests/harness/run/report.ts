import type { TestReport } from '#tests/conformance/proofs.ts';

/** The runner's report of a whole run. */
export interface RunReport extends TestReport {
  /** `message` says why the file itself failed. */
  testResults: (TestReport['testResults'][number] & { status: string; message: string })[];
}

/** The number of tests of a report with a status. */
export const countTests = ({ testResults }: RunReport, status: string): number =>
  testResults.reduce(
    (count, file) => count + file.assertionResults.filter((test) => test.status === status).length,
    0,
  );

/** The paths of the files that failed, or in which a test failed. */
export const listFailedFiles = ({ testResults }: RunReport): string[] =>
  testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);

/** The first report, with the files of a second run in the place of their first results. */
export function withSecondRun(first: RunReport, second: RunReport): RunReport {
  const repeated = new Map(second.testResults.map((file) => [file.name, file]));
  return { testResults: first.testResults.map((file) => repeated.get(file.name) ?? file) };
}

/** The failed tests of a report, each with its file; a file that failed as a whole has no title. */
export function listFailures({
  testResults,
}: RunReport): { file: string; title?: string; message: string }[] {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name: file, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      if (failed.length === 0) return [{ file, message }];
      return failed.map(({ ancestorTitles, title }) => ({
        file,
        title: [...ancestorTitles, title].join(' '),
        message,
      }));
    });
}
