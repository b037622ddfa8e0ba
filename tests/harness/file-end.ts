import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Run after the tests of the current file, the last one first. */
const ends: (() => unknown)[] = [];

/** Runs after all tests of the file; the last one that was added runs first. */
export function atFileEnd(end: () => unknown): void {
  ends.push(end);
}

/** Runs all ends, also if some fail. @throws the first failure */
export async function endFile(): Promise<void> {
  const failures: unknown[] = [];
  for (let end = ends.pop(); end; end = ends.pop())
    try {
      await end();
    } catch (failure) {
      failures.push(failure);
    }
  if (failures.length > 0) throw failures[0];
}

/** A new folder that is removed after the tests of the file. */
export function temporaryFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `team-chat-${name}-`)));
  atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
