import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Long however small their files are. */
const LONG = /\/tests\/(infra|bench|simulation|conformance|web\/browser)\//;

/**
 * A long file at the end would keep one worker busy while the others are idle. Files that are known to be long come
 * first; of the others large files, which is vitest's own order without known times.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { true: first = [], false: others = [] } = Object.groupBy(
      await super.sort(files),
      ({ moduleId }) => (LONG.test(moduleId) ? 'true' : 'false'),
    );
    return [...first, ...others];
  }
}
