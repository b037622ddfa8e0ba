import { randomBytes } from 'node:crypto';
import { type Attack, countStatuses, describeCost, failuresIn, harmOf } from './attack.ts';
import { QUOTA_MEBIBYTES } from './quota.ts';
import type { Reply } from './target.ts';

const MEBIBYTE = 2 ** 20;
const FILE_MEBIBYTES = 4;
const FILES = 20;

export const endlessUploads: Attack = {
  name: 'endless-uploads',
  attempt: `one account uploads ${FILES} files of ${FILE_MEBIBYTES} MiB, deleting each, where ${QUOTA_MEBIBYTES} MiB a day are allowed`,
  async run(target) {
    const attacker = await target.createMember();
    const bytes = randomBytes(FILE_MEBIBYTES * MEBIBYTE - MEBIBYTE / 2);
    const replies: Reply[] = [];
    const cost = await target.watch(async () => {
      for (let count = 0; count < FILES; count++) {
        replies.push(await attacker.upload('/user_uploads', `file ${count}.bin`, bytes));
        const { body } = await attacker.call('GET', '/attachments');
        for (const { id } of body.attachments) await attacker.call('DELETE', `/attachments/${id}`);
      }
    });
    const kept = replies.filter(({ status }) => status === 200).length;
    const mebibytes = (kept * bytes.length) / MEBIBYTE;
    return {
      seen: `${countStatuses(replies)}, ${mebibytes} MiB kept; ${describeCost(cost)}`,
      achieved: [
        ...(mebibytes > QUOTA_MEBIBYTES ? [`${mebibytes} MiB are kept`] : []),
        ...failuresIn(replies),
        ...harmOf(cost),
      ],
    };
  },
};
