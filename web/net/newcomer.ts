import { forgetKept, keep, readKept } from './device.ts';

const NEWCOMER = 'newcomer';

/** Notes that the account which signs in on this device is new. */
export const noteNewcomer = (): void => void keep(NEWCOMER, 'yes');

/** Whether the account is new; true once. */
export function takeNewcomer(): boolean {
  const isNew = readKept(NEWCOMER) !== null;
  if (isNew) forgetKept(NEWCOMER);
  return isNew;
}
