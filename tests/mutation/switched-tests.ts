import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What runs tests of a switched copy is asked, and what it answers. */
export interface Question {
  /** Of the change that is made. */
  number: number;
  /** The files, with the full names of those tests that are left out. */
  tests: { file: string; without: string[] }[];
  /** Whether the sources are loaded anew for it. */
  isFresh: boolean;
}

export interface Answer {
  /** The first test file that failed; undefined where all passed. */
  by: string | undefined;
}

/** In place of a test file that failed, where the tests did not end in time, or not at all. */
export const OUT_OF_TIME = 'out of time';

/** Runs test files of a switched copy, with one change at a time. */
export class SwitchedTests {
  readonly #folder: string;
  #process: ChildProcess | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The first test file that fails with a change, or `OUT_OF_TIME`; undefined when all pass. */
  async findFailure(question: Question, timeoutMs: number): Promise<string | undefined> {
    this.#process ??= fork(join(import.meta.dirname, 'switched-tests-process.ts'), [this.#folder], {
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      detached: true,
    });
    const running = this.#process;
    const ended = new AbortController();
    const timer = setTimeout(() => ended.abort(), timeoutMs);
    try {
      running.send(question);
      const answered = once(running, 'message', { signal: ended.signal }) as Promise<[Answer]>;
      const broken = once(running, 'exit', { signal: ended.signal }).then(() => {
        throw new Error('The tests ended');
      });
      const [{ by }] = await Promise.race([answered, broken]);
      return by;
    } catch {
      this.stop();
      return OUT_OF_TIME;
    } finally {
      clearTimeout(timer);
      ended.abort();
    }
  }

  /** Ends what still runs, and what that started. */
  stop(): void {
    const pid = this.#process?.pid;
    this.#process = undefined;
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}
