import { explain } from '#web/net/api.ts';
import { showNotice } from '#web/net/store.ts';
import type { Step } from './set-up.tsx';

/** Opens the steps that make a new organization a place to talk, a chunk of their own. */
export const openSetUp = (first: Step = 'team'): void =>
  void import('./set-up.tsx').then(
    ({ showSetUp }) => showSetUp(first),
    (reason) => showNotice(explain(reason)),
  );
