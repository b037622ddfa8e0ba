import type { Job } from '#shared/domain/jobs.ts';
import type { User } from './user.ts';

/** What may outlive the rights of the person who made or saw it, each a step of the job that withdraws it. */
export const grantSteps = { invitations: 0, bots: 1, exports: 2 } as const;

/** The job that withdraws grants which a person may no longer give or have. */
export const withdrawalJob = (
  { userId }: User,
  steps: readonly number[] = Object.values(grantSteps),
): Job => ({ type: 'withdraw-grants', payload: { userId }, steps });

/** The bots with higher roles than their owner. */
export const listRaisedBots = (bots: User[], owner: User): User[] =>
  bots.filter(({ role }) => role < owner.role);
