import type { Key } from './keys.ts';

/** Items stored beside the organization. */
export const organizationKeys = {
  /** Present while the organization is deactivated. */
  closure: (): Key => ({ pk: 'ORGANIZATION', sk: 'DEACTIVATED' }),
  defaultGroups: (): Key => ({ pk: 'ORGANIZATION', sk: 'DEFAULT_CHANNEL_GROUPS' }),
};
