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
    const ids: number[] = [];
    for (let count = 0; count < PEOPLE; count++) ids.push((await createMember()).userId);
    const subscriptions = Array.from({ length: CHANNELS }, (_, n) => ({ name: `channel ${n}` }));
    await owner.call('POST', '/users/me/subscriptions', { subscriptions, principals: ids });
    const all = await countSubscriptions(owner, ids);
    for (let round = 0; round < ROUNDS; round++)
      for (const id of ids) {
        await owner.call('DELETE', `/users/${id}`);
        await owner.call('POST', `/users/${id}/reactivate`);
      }
    await setTimeout(LATER_MS);
    const left = await countSubscriptions(owner, ids);
    return {
      seen: `${left} of ${all} subscriptions are there ${LATER_MS / 1000} s later`,
      achieved: left < all ? [`${all - left} subscriptions are lost`] : [],
    };
  },
};

/** How many subscriptions people have. The owner requests it, because a deactivation ends the keys of an account. */
async function countSubscriptions(owner: Caller, userIds: number[]): Promise<number> {
  const replies = await Promise.all(userIds.map((id) => owner.call('GET', `/users/${id}/channels`)));
  return replies.flatMap(({ body }) => body.subscribed_channel_ids).length;
}
