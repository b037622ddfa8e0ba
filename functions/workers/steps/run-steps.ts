import { finishStep } from '#shared/actions/messages/finish-step.ts';
import type { Change } from '#shared/domain/change.ts';
import type { JobPayloads, JobType } from '#shared/domain/jobs.ts';
import { withFreshState } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findJob, type StoredJobOf } from '#shared/store/log/jobs.ts';

/**
 * The change of one step of a job; undefined when nothing is left to do. It decides from the present state,
 * and decisions made after the job's log position take precedence.
 */
export type StepOf<Type extends JobType> = (
  services: Services,
  payload: JobPayloads[Type],
  step: number,
  position: number,
) => Promise<Change | undefined>;

/** Does the open steps of a job. Each is done once: its effect and its completion are one transaction. */
export async function runSteps<Type extends JobType>(
  services: Services,
  first: StoredJobOf<Type>,
  load: () => Promise<StepOf<Type>>,
): Promise<void> {
  let job: StoredJobOf<JobType> | undefined = first;
  for (const step of first.steps)
    await withFreshState(services, async () => {
      const current = job ?? (await findJob(services.table, first.jobId));
      // Reload after any attempt, because the job has changed.
      job = undefined;
      if (!current?.steps.includes(step)) return;
      const act = await load();
      await finishStep(services, current, step, await act(services, first.payload, step, first.position));
    });
}
