import type { Change } from '#shared/domain/change.ts';
import { mergeChanges } from '#shared/domain/merge-changes.ts';
import type { Services } from '#shared/runtime/services.ts';
import { type StoredJob, stepDoneWrite } from '#shared/store/jobs.ts';
import { commit, commitSilently } from './commit.ts';
import { settleMessage } from './send.ts';

/** Makes the change of a job's step true and ends the step, in one transaction. @throws StaleState */
export async function finishStep(
  services: Services,
  job: StoredJob,
  step: number,
  change: Change | undefined,
): Promise<void> {
  const done = stepDoneWrite(job, step);
  if (!change) return commitSilently(services, [done]);
  const messageId = await commit(services, mergeChanges(change, { writes: [done] }));
  if (change.message) await settleMessage(services, change.message, messageId);
}
