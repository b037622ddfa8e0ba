import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * A long file at the end would keep one worker busy while the others have nothing left to do. Large files begin, which
 * is vitest's own order where it knows no times; before them those of the infrastructure, long however small they are.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { true: first = [], false: others = [] } = Object.groupBy(
      await super.sort(files),
      ({ moduleId }) => (moduleId.includes('/tests/infra/') ? 'true' : 'false'),
    );
    return [...first, ...others];
  }
}
