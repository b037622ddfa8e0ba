import { type Config, defaultConfig } from '#shared/runtime/config.ts';

/** The default of `REQUESTS_PER_MINUTE` of `npm start`. */
const LOCAL_REQUESTS_PER_MINUTE = 10_000;
const LOCAL_LOOK_MS = 1_000;
/** These mails are not delivered: they stay in the outbox. */
export const MAIL_SENDER = 'Team Chat <noreply@localhost>';

/** A local user shares the service with few others, so limits are much higher than on AWS. */
export function localConfig({
  requestsPerMinute = LOCAL_REQUESTS_PER_MINUTE,
  dynamodbEndpoint,
}: {
  requestsPerMinute?: number | undefined;
  dynamodbEndpoint?: string | undefined;
}): Partial<Config> {
  const perMinute = (requests: number) => ({ requests, windowSeconds: 60 });
  const { mailLimits } = defaultConfig;
  const plenty = { limit: 100_000, windowSeconds: 24 * 3600 };
  return {
    requestLimits: {
      user: perMinute(requestsPerMinute),
      address: perMinute(Math.ceil(requestsPerMinute / 2)),
      light: perMinute(requestsPerMinute * 6),
      agent: perMinute(Math.ceil(requestsPerMinute * 0.3)),
    },
    mailLimits: { ...mailLimits, invitations: plenty, confirmationsFrom: plenty },
    mailSender: MAIL_SENDER,
    // Of its own entries the process knows at once; only a hole must be found by looking.
    ...(!dynamodbEndpoint && { lookSchedule: [{ fromAgeMs: 0, everyMs: LOCAL_LOOK_MS }] }),
  };
}
