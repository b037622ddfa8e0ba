import { execFileSync } from 'node:child_process';

/** A file that has changed, and the lines that are new or gone. */
export interface Change {
  file: string;
  text: string;
}

const MAX_BYTES = 2 ** 28;

/** All that differs from where this work left a branch, or from a commit; files that git does not know yet included. */
export function listChanges(since: string): Change[] {
  const start = git('merge-base', since, 'HEAD').trim();
  const unknown = git('ls-files', '--others', '--exclude-standard').split('\n').filter(Boolean);
  return [
    ...readDiff(git('diff', '--unified=0', '--no-renames', '--no-color', '--no-ext-diff', start)),
    ...unknown.map((file) => ({ file, text: '' })),
  ];
}

/** The changes in a diff that has no context. */
export function readDiff(diff: string): Change[] {
  return diff
    .split(/^diff --git /m)
    .slice(1)
    .map((part) => {
      const [head = '', ...lines] = part.split('\n');
      const changed = lines.filter((line) => /^[+-]/.test(line) && !/^(---|\+\+\+) /.test(line));
      return { file: head.replace(/^.* b\//, ''), text: changed.map((line) => line.slice(1)).join('\n') };
    });
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: MAX_BYTES });
