import { type Attack, countStatuses, describeCost, failuresIn, harmOf } from './attack.ts';
import type { Reply } from './target.ts';

const HUGE_REQUESTS = 3;
const HUGE = 400;
const SMALL_REQUESTS = 25;
const SMALL = 30;
/** The longest that descriptions may be. */
const DESCRIPTION = 'word '.repeat(204);

export const manyChannels: Attack = {
  name: 'many-channels',
  attempt: `one member subscribes to ${HUGE_REQUESTS} × ${HUGE} and ${SMALL_REQUESTS} × ${SMALL} new channels with the longest descriptions`,
  async run(target) {
    const attacker = await target.createMember();
    const replies: Reply[] = [];
    const subscribe = async (request: number, count: number) => {
      const subscriptions = Array.from({ length: count }, (_, n) => ({
        name: `${count} ${request} ${n}`,
        description: DESCRIPTION,
      }));
      replies.push(await attacker.call('POST', '/users/me/subscriptions', { subscriptions }));
    };
    const cost = await target.watch(async () => {
      for (let request = 0; request < HUGE_REQUESTS; request++) await subscribe(request, HUGE);
      for (let request = 0; request < SMALL_REQUESTS; request++) await subscribe(request, SMALL);
    });
    const { status, body } = await target.owner.call('POST', '/register');
    const bytes = Buffer.byteLength(JSON.stringify(body));
    return {
      seen: `${countStatuses(replies)}; register answers the owner ${status} with ${Math.round(bytes / 1024)} KB; ${describeCost(cost)}`,
      achieved: [
        ...(status === 200 ? [] : [`register fails: ${body.msg}`]),
        ...failuresIn(replies),
        ...harmOf(cost),
      ],
    };
  },
};
