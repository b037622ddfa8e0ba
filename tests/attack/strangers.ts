import { defaultConfig } from '#shared/runtime/config.ts';
import { type Attack, countStatuses, describeCost, failuresIn, harmOf } from './attack.ts';
import type { Reply } from './target.ts';

const REQUESTS = 3_000;
const AT_ONCE = 30;
const PATHS = [
  '/api/v1/avatar/1',
  '/user_uploads/2/ab/guess.png',
  '/user_uploads/thumbnail/2/ab/guess.png/840x560.webp',
  '/user_uploads/temporary/guess/guess.png',
  '/api/v1/realm/icon',
  '/no/such/page',
];

export const strangers: Attack = {
  name: 'strangers',
  attempt: `a stranger requests missing files, pictures and paths ${REQUESTS} times`,
  async run(target) {
    const replies: Reply[] = [];
    let begun = 0;
    const startMs = performance.now();
    const cost = await target.watch(async () => {
      const askOn = async (): Promise<void> => {
        while (begun < REQUESTS) {
          const path = PATHS[begun++ % PATHS.length] ?? '/';
          replies.push(await target.stranger.visit(path));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, askOn));
    });
    const heard = replies.filter(({ status }) => status !== 429).length;
    const { requests, windowSeconds } = defaultConfig.requestLimits.light;
    // The attack begins within a window.
    const windows = 1 + Math.ceil((performance.now() - startMs) / 1000 / windowSeconds);
    const most = windows * requests;
    return {
      seen: `${countStatuses(replies)}; ${describeCost(cost)}`,
      achieved: [
        ...(heard > most ? [`${heard} requests were answered, more than ${most} in ${windows} windows`] : []),
        ...failuresIn(replies),
        ...harmOf(cost),
      ],
    };
  },
};
