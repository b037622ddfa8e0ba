import { loadLate } from '#web/net/load-late.ts';
import type { Step } from './set-up.tsx';

/** Opens the steps that make a new organization a place to talk, a chunk of their own. */
export const openSetUp = (first: Step = 'team'): void =>
  loadLate(import('./set-up.tsx'), ({ showSetUp }) => showSetUp(first));
