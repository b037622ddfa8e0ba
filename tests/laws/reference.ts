import { resendInvitation } from './reference/resend-invitation.ts';
import { setTopicPolicy } from './reference/set-topic-policy.ts';
import type { Chapter } from './reference/statement.ts';

/** All that the reference of the service says, chapter by chapter. */
export const reference: readonly Chapter[] = [resendInvitation, setTopicPolicy];
