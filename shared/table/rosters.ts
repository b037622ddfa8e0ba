import type { Key } from './keys.ts';

/** A list of users under the name that follows from who they are. */
export const rosterKey = (name: string): Key => ({ pk: `ROSTER#${name}`, sk: 'ROSTER' });
