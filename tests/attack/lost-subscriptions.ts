import { setTimeout } from 'node:timers/promises';
import type { Attack } from './attack.ts';
import type { Caller } from './target.ts';

const ROUNDS = 3;
const CHANNELS = 5;
const PEOPLE = 5;
/** Longer than any job takes that a deactivation leaves behind. */
const LATER_MS = 12_000;

export const lostSubscriptions: Attack = {
  name: 'lost-subscriptions',
  attempt: `${PEOPLE} accounts are deactivated and reactivated at once, ${ROUNDS} times, with jobs still pending`,
  async run({ owner, createMember }) {
    const people: Caller[] = [];
    for (let count = 0; count < PEOPLE; count++) people.push(await createMember());
    const ids = people.map(({ userId }) => userId);
    const subscriptions = Array.from({ length: CHANNELS }, (_, n) => ({ name: `channel ${n}` }));
    await owner.call('POST', '/users/me/subscriptions', { subscriptions, principals: ids });
    for (let round = 0; round < ROUNDS; round++)
      for (const id of ids) {
        await owner.call('DELETE', `/users/${id}`);
        await owner.call('POST', `/users/${id}/reactivate`);
      }
    await setTimeout(LATER_MS);
    const kept = await Promise.all(
      people.map(async (person) => (await person.call('GET', '/users/me/subscriptions')).body.subscriptions),
    );
    const left = kept.flat().filter(({ name }) => name.startsWith('channel ')).length;
    const all = CHANNELS * PEOPLE;
    return {
      seen: `${left} of ${all} subscriptions are there ${LATER_MS / 1000} s later`,
      achieved: left < all ? [`${all - left} subscriptions are lost`] : [],
    };
  },
};
