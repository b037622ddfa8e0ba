import type { EventPayload, LogEvent } from '#shared/events/catalogue.ts';
import type { AddressOwner } from './address.ts';
import type { Role, User } from './user.ts';

/** Everybody hears of a change of a user. */
export const userUpdateEvent = (person: { user_id: number } & Record<string, unknown>): LogEvent => ({
  audience: { kind: 'everyone' },
  payload: { type: 'realm_user', op: 'update', person },
});

/** The stored form of a bot's coming to another owner. */
export const ownerUpdateEvent = ({ userId, botOwnerId }: User, ownerId: number): LogEvent => ({
  audience: { kind: 'everyone' },
  payload: {
    type: 'realm_user',
    op: 'update',
    person: { user_id: userId, bot_owner_id: ownerId },
    previousOwnerId: botOwnerId,
  },
});

/** What decides what a change of address or picture means for somebody who sees it. */
export type AddressState = AddressOwner & Pick<User, 'avatarVersion' | 'avatarPicture'>;

/** The stored form of a change of address or picture, or of who may see the address: each client is told what it means for them. */
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

/** The stored form of a change of role; the one whom it concerns also learns what they may see now. */
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
