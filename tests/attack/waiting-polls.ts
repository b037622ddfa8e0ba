import { setTimeout } from 'node:timers/promises';
import { defaultConfig } from '#shared/runtime/config.ts';
import { type Attack, countStatuses, describeCost, failuresIn, harmOf } from './attack.ts';
import type { Caller, Reply } from './target.ts';

const QUEUES = 10;
const POLLS_PER_QUEUE = 18;
/** By then, a poll that is not answered waits. */
const BEGUN_MS = 5_000;

export const waitingPolls: Attack = {
  name: 'waiting-polls',
  attempt: `one account begins ${QUEUES * POLLS_PER_QUEUE} polls of ${QUEUES} queues at once`,
  async run(target) {
    const attacker = await target.createMember();
    const replies: Reply[] = [];
    let waiting = 0;
    const cost = await target.watch(async () => {
      const given = new AbortController();
      const polls = (await Promise.all(Array.from({ length: QUEUES }, () => register(attacker)))).flatMap(
        (queue) =>
          Array.from({ length: POLLS_PER_QUEUE }, () =>
            attacker.call('GET', '/events', queue, given.signal).then(
              (reply) => replies.push(reply),
              () => 0,
            ),
          ),
      );
      await setTimeout(BEGUN_MS);
      waiting = polls.length - replies.length;
      given.abort();
      await Promise.all(polls);
    });
    const limit = defaultConfig.pollLimits.person;
    return {
      seen: `${waiting} wait, the others: ${countStatuses(replies)}; ${describeCost(cost)}`,
      achieved: [
        ...(waiting > limit ? [`${waiting} polls wait instead of ${limit}`] : []),
        ...failuresIn(replies),
        ...harmOf(cost),
      ],
    };
  },
};

async function register(caller: Caller): Promise<{ queue_id: string; last_event_id: number }> {
  const { body } = await caller.call('POST', '/register', {
    event_types: ['message'],
    fetch_event_types: ['realm'],
  });
  return { queue_id: body.queue_id, last_event_id: body.last_event_id };
}
