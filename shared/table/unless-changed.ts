import { ConditionFailed } from './table.ts';

/** Ignores the failure of a conditional write that is then no longer needed. */
export async function unlessChanged(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (failure) {
    if (!(failure instanceof ConditionFailed)) throw failure;
  }
}
