import { makePicture } from '#tests/harness/pictures.ts';
import { type Attack, countStatuses, describeCost, failuresIn, harmOf } from './attack.ts';
import type { Reply } from './target.ts';

/** Heights of pictures one pixel wide, and widths of those one pixel high: cut to a square, they would be enlarged as much. */
const LENGTHS = [500, 2_000, 5_000];
const FRAMES = 200;
const MAX_CPU_SECONDS_EACH = 2;

export const tinyPictures: Attack = {
  name: 'tiny-pictures',
  attempt: 'one account posts tiny files that are long, thin or moving pictures',
  async run(target) {
    const attacker = await target.createMember();
    const pictures: Uint8Array[] = [];
    for (const length of LENGTHS) {
      pictures.push(await makePicture({ width: 1, height: length }));
      pictures.push(await makePicture({ width: length, height: 1 }));
    }
    const colours = Array.from({ length: FRAMES }, (_, n): [number, number, number] => [n, 0, 255 - n]);
    pictures.push(await makePicture({ width: 1, height: 300, kind: 'gif', colours }));
    const replies: Reply[] = [];
    const cost = await target.watch(async () => {
      for (const [index, bytes] of pictures.entries()) {
        const name = index === pictures.length - 1 ? 'moving.gif' : 'picture.png';
        replies.push(await attacker.upload('/users/me/avatar', name, bytes));
        replies.push(await attacker.upload('/user_uploads', name, bytes));
      }
    });
    const each = cost.cpuSeconds / replies.length;
    return {
      seen: `${countStatuses(replies)}; ${describeCost(cost)}`,
      achieved: [
        ...(each > MAX_CPU_SECONDS_EACH ? [`${each.toFixed(1)} s of CPU for each`] : []),
        ...failuresIn(replies),
        ...harmOf(cost),
      ],
    };
  },
};
