import { slowTexts as texts } from '#tests/domain/markdown/slowest.ts';
import { type Attack, countStatuses, describeCost, failuresIn, harmOf } from './attack.ts';
import type { Reply } from './target.ts';

const MAX_CPU_SECONDS_EACH = 0.5;

export const slowTexts: Attack = {
  name: 'slow-texts',
  attempt: `one account has ${texts.length} texts rendered that are made to be slow`,
  async run(target) {
    const attacker = await target.createMember();
    const replies: Reply[] = [];
    const cost = await target.watch(async () => {
      for (const { source } of texts)
        replies.push(await attacker.call('POST', '/messages/render', { content: source }));
    });
    const each = cost.cpuSeconds / texts.length;
    return {
      seen: `${countStatuses(replies)}; ${describeCost(cost)}`,
      achieved: [
        ...(each > MAX_CPU_SECONDS_EACH ? [`${each.toFixed(2)} s of CPU for each`] : []),
        ...failuresIn(replies),
        ...harmOf(cost),
      ],
    };
  },
};
