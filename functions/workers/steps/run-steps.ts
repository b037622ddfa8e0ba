import { finishStep } from '#shared/actions/messages/finish-step.ts';
import type { Change } from '#shared/domain/change.ts';
import { withFreshState } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findJob, type StoredJob } from '#shared/store/log/jobs.ts';

/**
 * The change of one step of a job; undefined when nothing is left to do. It decides from the present state,
 * and decisions made after the job's log position take precedence.
 */
export type Step = (
  services: Services,
  /** The payload that jobs of this type have. */
  payload: never,
  step: number,
  position: number,
) => Promise<Change | undefined>;

/** The payload of a job has the type that its own step reads: both are named by its type. */
const payloadOf = ({ payload }: StoredJob): never => payload as never;

/** Does the open steps of a job. Each is done once: its effect and its completion are one transaction. */
export async function runSteps(
  services: Services,
  given: StoredJob,
  load: (job: StoredJob) => Promise<Step>,
): Promise<void> {
  let job: StoredJob | undefined = given;
  for (const step of given.steps)
    await withFreshState(services, async () => {
      const current = job ?? (await findJob(services.table, given.jobId));
      // Reload after any attempt, because the job has changed.
      job = undefined;
      if (!current?.steps.includes(step)) return;
      const act = await load(current);
      await finishStep(
        services,
        current,
        step,
        await act(services, payloadOf(current), step, current.position),
      );
    });
}
