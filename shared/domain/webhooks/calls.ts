import { type Job, ONE_STEP } from '#shared/domain/jobs.ts';
import { botTypes } from '#shared/domain/users/user.ts';

/** Why a bot's server is called. */
export type WebhookTrigger = 'mention' | 'direct_message';

/** The payload of the job `call-webhook`; its cause is the message. */
export interface WebhookCall {
  botId: number;
  trigger: WebhookTrigger;
}

interface Participant {
  userId: number;
  isActive: boolean;
  bot?: { type: number };
}

/** A text that mentions more bots calls the first ones only. */
const MAX_CALLS = 20;

/**
 * The calls that a message causes: of the outgoing webhook bots that it mentions by name, or of the ones in its direct
 * conversation. Bots call no bots, so they cannot answer each other without end.
 */
export function webhookJobs(
  sender: { isBot: boolean },
  called: Participant[],
  trigger: WebhookTrigger,
): Job[] {
  if (sender.isBot) return [];
  const bots = called.filter(({ isActive, bot }) => isActive && bot?.type === botTypes.outgoingWebhook);
  return [...new Set(bots.map(({ userId }) => userId))].slice(0, MAX_CALLS).map((botId) => ({
    type: 'call-webhook',
    payload: { botId, trigger },
    steps: ONE_STEP,
  }));
}
