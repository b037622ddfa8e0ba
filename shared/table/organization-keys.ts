import type { Key } from './keys.ts';

/** Items beside that of the organization. */
export const organizationKeys = {
  /** That the organization is deactivated. */
  closure: (): Key => ({ pk: 'ORGANIZATION', sk: 'DEACTIVATED' }),
  defaultGroups: (): Key => ({ pk: 'ORGANIZATION', sk: 'DEFAULT_CHANNEL_GROUPS' }),
};
