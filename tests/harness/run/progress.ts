import { writeFileSync } from 'node:fs';
import type { Reporter } from 'vitest/node';

const FILES_PER_LINE = 50;
/** The file with the number of errors outside of tests. */
export const UNHANDLED = 'dist/unhandled-errors';

/** One line after each so many files, so that a long run is seen to go on. */
export default class Progress implements Reporter {
  #ended = 0;
  #all = 0;
  readonly #startedAt = Date.now();

  onTestRunStart(files: readonly unknown[]): void {
    this.#all = files.length;
  }

  /** Errors outside of tests fail the run, also if its failed files pass a second time. */
  onTestRunEnd(_: readonly unknown[], errors: readonly unknown[]): void {
    if (errors.length > 0) writeFileSync(UNHANDLED, String(errors.length));
  }

  onTestModuleEnd(): void {
    this.#ended += 1;
    if (this.#ended % FILES_PER_LINE !== 0) return;
    const seconds = Math.round((Date.now() - this.#startedAt) / 1_000);
    console.log(`${this.#ended} of ${this.#all} files of tests after ${seconds} s`);
  }
}
