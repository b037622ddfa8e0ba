import type { MessageFacts } from '#shared/domain/messages/message.ts';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';

/** Whether a message is where its reader does not want to be told of it, by what they have with its channel. */
export const isMuted = (message: MessageFacts, subscription: Subscription | undefined): boolean =>
  message.kind === 'channel' && (subscription?.isMuted ?? false);
