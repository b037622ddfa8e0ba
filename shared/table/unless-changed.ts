import { ConditionFailed } from './table.ts';

/** Does a conditional write that is not needed any more where its condition does not hold. */
export async function unlessChanged(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (failure) {
    if (!(failure instanceof ConditionFailed)) throw failure;
  }
}
