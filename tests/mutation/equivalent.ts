import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RandomMutant } from './points.ts';

/** A change that no test can notice, told by its file and its text, so that edits elsewhere leave it listed. */
export interface Equivalent {
  file: string;
  was: string;
  is: string;
  reason: string;
}

export const equivalents: Equivalent[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'equivalent.json'), 'utf8'),
);

/** Why the service does the same with this change; undefined where it does not, as far as is known. */
export const reasonOf = ({ file, was, is }: RandomMutant): string | undefined =>
  equivalents.find((one) => one.file === file && one.was === was && one.is === is)?.reason;
