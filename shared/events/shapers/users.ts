import { toUserRecord } from '#shared/domain/users/record.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Shaper } from '../shaping.ts';

/** A new user is stored once and described to each client. */
export const shapeUser: Shaper = (payload, { filter: { clientGravatar } }) => {
  if (payload.op !== 'add') return [payload];
  const person = toUserRecord(payload.user as User, { clientGravatar, withProfileData: true });
  return [{ type: 'realm_user', op: 'add', person }];
};
