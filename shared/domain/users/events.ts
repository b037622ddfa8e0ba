import type { EventPayload, LogEvent } from '#shared/events/catalogue.ts';
import type { AddressOwner } from './address.ts';
import type { Role, User } from './user.ts';

/** Notifies all users of a change of a user. */
export const userUpdateEvent = (person: { user_id: number } & Record<string, unknown>): LogEvent => ({
  audience: { kind: 'everyone' },
  payload: { type: 'realm_user', op: 'update', person },
});

/** The stored event of a bot's change of owner. */
export const ownerUpdateEvent = ({ userId, botOwnerId }: User, ownerId: number): LogEvent => ({
  audience: { kind: 'everyone' },
  payload: {
    type: 'realm_user',
    op: 'update',
    person: { user_id: userId, bot_owner_id: ownerId },
    previousOwnerId: botOwnerId,
  },
});

/** What decides how a change of address or picture looks to a viewer. */
export type AddressState = AddressOwner & Pick<User, 'avatarVersion' | 'avatarPicture'>;

/**
 * The stored event of a change of address, its visibility or the picture; each client gets the part that it may see.
 */
export interface AddressUpdate extends EventPayload {
  type: 'realm_user';
  op: 'update';
  person: { user_id: number };
  before: AddressState;
  after: AddressState;
}

export const isAddressUpdate = (payload: EventPayload): payload is AddressUpdate =>
  payload.type === 'realm_user' && payload.op === 'update' && 'after' in payload;

const addressStateOf = (user: User): AddressState => ({
  userId: user.userId,
  email: user.email,
  avatarVersion: user.avatarVersion,
  ...(user.avatarPicture !== undefined && { avatarPicture: user.avatarPicture }),
  ...(user.emailVisibility !== undefined && { emailVisibility: user.emailVisibility }),
  ...(user.dummyEmail !== undefined && { dummyEmail: user.dummyEmail }),
});

export function addressUpdateEvent(before: User, after: User): LogEvent {
  const payload: AddressUpdate = {
    type: 'realm_user',
    op: 'update',
    person: { user_id: before.userId },
    before: addressStateOf(before),
    after: addressStateOf(after),
  };
  return { audience: { kind: 'everyone' }, payload };
}

/** The stored event of a change of role; the user also gets what becomes visible or hidden. */
export interface RoleUpdate extends EventPayload {
  type: 'realm_user';
  op: 'update';
  person: { user_id: number; role: Role };
  previousRole: Role;
}

export const isRoleUpdate = (payload: EventPayload): payload is RoleUpdate =>
  payload.type === 'realm_user' && payload.op === 'update' && 'previousRole' in payload;

export function roleUpdateEvent({ userId, role: previousRole }: User, role: Role): LogEvent {
  const person = { user_id: userId, role };
  const payload: RoleUpdate = { type: 'realm_user', op: 'update', person, previousRole };
  return { audience: { kind: 'everyone' }, payload };
}
