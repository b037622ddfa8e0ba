import { setTimeout } from 'node:timers/promises';
import { defaultConfig } from '#shared/runtime/config.ts';
import { type Attack, countStatuses, describeCost, failuresIn, harmOf } from './attack.ts';
import type { Caller, Reply } from './target.ts';

const QUEUES = 10;
const POLLS_PER_QUEUE = 18;
/** Polls that may not wait are answered within this time of each other, so after it the unanswered ones wait. */
const QUIET_MS = 3_000;
/** Below the time for which a poll is held. */
const MAX_BEGINNING_MS = 20_000;

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
      await untilQuiet(replies);
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

/** Waits until no further replies arrive. */
async function untilQuiet(replies: Reply[]): Promise<void> {
  const startMs = performance.now();
  let count: number;
  do {
    count = replies.length;
    await setTimeout(QUIET_MS);
  } while (replies.length > count && performance.now() - startMs < MAX_BEGINNING_MS);
}

async function register(caller: Caller): Promise<{ queue_id: string; last_event_id: number }> {
  const { body } = await caller.call('POST', '/register', {
    event_types: ['message'],
    fetch_event_types: ['realm'],
  });
  return { queue_id: body.queue_id, last_event_id: body.last_event_id };
}
