import { avatarFields } from '#shared/domain/users/avatar.ts';
import { botRecordsFor } from '#shared/domain/users/bot-record.ts';
import { type AddressState, isAddressUpdate, isRoleUpdate } from '#shared/domain/users/events.ts';
import { deliveryEmailFor, displayEmailOf, type Role, type User } from '#shared/domain/users/user.ts';
import { asSeen, isSeen, maySee } from '#shared/domain/users/visible-users.ts';
import type { ShapedPayload, WireEvent } from '../catalogue.ts';
import type { PersonChange } from '../event-fields.ts';
import { hasCapability } from '../queue-filter.ts';
import type { Shaper, Shaping } from '../shaping.ts';
import { type AddressChange, INTERNAL_QUEUE_REMOVED } from '../stored-fields.ts';
import { userAddition } from './visibility.ts';

/** Stored once, described to each client by what its owner may know. */
export const shapeUser: Shaper<'realm_user'> = (payload, shaping) => {
  if (payload.op === 'add') return shapeNewUser(payload.user, shaping);
  if (!isSeen(shaping.visibleUsers, payload.person.user_id)) return [];
  if (isAddressUpdate(payload)) return shapeAddress(payload, shaping);
  if (isRoleUpdate(payload)) {
    const { person, previousRole } = payload;
    const concernsViewer = person.user_id === shaping.viewer.user.userId;
    return [updateOf(person), ...(concernsViewer ? roleEffects(person.role, previousRole, shaping) : [])];
  }
  const person: PersonChange = payload.person;
  const update = updateOf(person);
  return endsQueuesOf(person, shaping.viewer.user) ? [update, INTERNAL_END] : [update];
};

/** Ends a deactivated user's queues permanently; after reactivation the clients register again. */
const INTERNAL_END: ShapedPayload = { type: INTERNAL_QUEUE_REMOVED };

const endsQueuesOf = (person: PersonChange, { userId }: User): boolean =>
  person.user_id === userId && person.is_active === false;

const updateOf = (person: PersonChange): WireEvent => ({ type: 'realm_user', op: 'update', person });

/** A user who becomes visible through the entry that creates them is announced as such. */
function shapeNewUser(user: User, shaping: Shaping): WireEvent[] {
  const { visibleUsers, gained = [], filter } = shaping;
  if (gained.some((newcomer) => newcomer.user.userId === user.userId)) return [];
  const isTold = maySee(visibleUsers, user) || !hasCapability(filter, 'user_list_incomplete');
  return isTold ? [userAddition(asSeen(user, visibleUsers), shaping)] : [];
}

/**
 * The changed parts: the real address for users who may or could see it, the visible one and the picture for
 * all.
 */
function shapeAddress(
  { before, after, person: { user_id } }: AddressChange,
  { filter, viewer: { user } }: Shaping,
): WireEvent[] {
  // Users get their own addresses as in register.
  const clientGravatar = filter.clientGravatar && user.userId !== user_id;
  const delivered = deliveryEmailFor(user, after);
  const shown = displayEmailOf(after);
  const pictureOf = (state: AddressState) => ({
    ...avatarFields(state, false),
    avatar_version: state.avatarVersion,
  });
  const isPictureSame = JSON.stringify(pictureOf(before)) === JSON.stringify(pictureOf(after));
  const avatar = { ...pictureOf(after), ...avatarFields(after, clientGravatar) };
  return [
    ...(delivered === deliveryEmailFor(user, before)
      ? []
      : [updateOf({ user_id, delivery_email: delivered })]),
    ...(shown === displayEmailOf(before) ? [] : [updateOf({ user_id, new_email: shown })]),
    ...(isPictureSame ? [] : [updateOf({ user_id, ...avatar })]),
  ];
}

/**
 * The data that a change of role shows or hides among the users of that time: addresses of people, and bots
 * of others.
 */
function roleEffects(role: Role, previousRole: Role, { viewer, people = [] }: Shaping): WireEvent[] {
  const [before, after] = [
    { ...viewer.user, role: previousRole },
    { ...viewer.user, role },
  ];
  const addresses = people
    .filter((person) => deliveryEmailFor(before, person) !== deliveryEmailFor(after, person))
    .map((person) => updateOf({ user_id: person.userId, delivery_email: deliveryEmailFor(after, person) }));
  const had = new Set(botRecordsFor(before, people).map(({ user_id }) => user_id));
  const has = botRecordsFor(after, people);
  const keeps = new Set(has.map(({ user_id }) => user_id));
  return [
    ...addresses,
    ...has
      .filter(({ user_id }) => !had.has(user_id))
      .map((bot): WireEvent => ({ type: 'realm_bot', op: 'add', bot })),
    ...[...had]
      .filter((user_id) => !keeps.has(user_id))
      .map((user_id): WireEvent => ({ type: 'realm_bot', op: 'delete', bot: { user_id } })),
  ];
}
