import { type Change, mergeChanges } from '#shared/domain/change.ts';
import { commit, commitSilently } from '#shared/log/commit.ts';
import { commitMessage } from '#shared/log/commit-message.ts';
import type { Services } from '#shared/runtime/services.ts';
import { type OpenSteps, stepDoneWrite } from '#shared/store/log/jobs.ts';

/** Commits the change of a job's step together with its completion. @throws Conflict */
export async function finishStep(
  services: Services,
  job: OpenSteps,
  step: number,
  change: Change | undefined,
): Promise<void> {
  const done = stepDoneWrite(job, step);
  if (!change) return commitSilently(services, [done]);
  const { message } = change;
  const ended = mergeChanges(change, { writes: [done] });
  if (message) await commitMessage(services, { ...ended, message });
  else await commit(services, ended);
}

/**
 * Commits the changes of a step that needs several transactions, and returns the last one, with which the step ends. A
 * step that is done again finds the earlier ones done. @throws Conflict
 */
export async function commitAllButLast(services: Services, changes: Change[]): Promise<Change | undefined> {
  for (const change of changes.slice(0, -1)) await commit(services, change);
  return changes.at(-1);
}
