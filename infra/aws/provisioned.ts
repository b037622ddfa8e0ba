import type { endpoints } from '#functions/routes.ts';
import type { Settings } from './settings/settings.ts';

/** The operations that a client calls from its start to the first message that its user reads and sends. */
const NEEDED_BY_SIGN_IN: (keyof typeof endpoints)[] = [
  'getServerSettings',
  'signIn',
  'fetchApiKey',
  'registerQueue',
  'getOwnUser',
  'listMessages',
  'updatePresence',
  'updateMessageFlags',
  'getAvatar',
  'sendMessage',
];

/** The executions of an operation that are ready before anyone calls it, if an operator pays for them. */
export const provisionedOf = (
  { provisionedConcurrency }: Pick<Settings, 'provisionedConcurrency'>,
  operation: string,
): number | undefined =>
  NEEDED_BY_SIGN_IN.some((value) => value === operation) ? provisionedConcurrency : undefined;
