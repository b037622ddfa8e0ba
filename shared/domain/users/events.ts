import type { EventPayload, LogEvent, PayloadOf } from '#shared/events/catalogue.ts';
import type { PersonChange } from '#shared/events/event-fields.ts';
import type { AddressChange, RoleChange } from '#shared/events/stored-fields.ts';
import type { AddressOwner, Role, User } from './user.ts';

/** Notifies all users of a change of a user. */
export const userUpdateEvent = (person: PersonChange): LogEvent => ({
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

type UserUpdate = PayloadOf<'realm_user/update'>;

/** Whether the event changes an address, its visibility or the picture. */
export const isAddressUpdate = (payload: EventPayload): payload is UserUpdate & AddressChange =>
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
  const payload: UserUpdate = {
    type: 'realm_user',
    op: 'update',
    person: { user_id: before.userId },
    before: addressStateOf(before),
    after: addressStateOf(after),
  };
  return { audience: { kind: 'everyone' }, payload };
}

export const isRoleUpdate = (payload: EventPayload): payload is UserUpdate & RoleChange =>
  payload.type === 'realm_user' && payload.op === 'update' && 'previousRole' in payload;

export function roleUpdateEvent({ userId, role: previousRole }: User, role: Role): LogEvent {
  const person = { user_id: userId, role };
  const payload: UserUpdate = { type: 'realm_user', op: 'update', person, previousRole };
  return { audience: { kind: 'everyone' }, payload };
}
