import { expect, test } from 'vitest';
import { localConfig, MAIL_SENDER } from '#infra/local/local-config.ts';
import { defaultConfig } from '#shared/runtime/config.ts';

const DAY_SECONDS = 24 * 3600;

test('A local account has the configured limit, an address without one half of it, and light calls count a sixth', () => {
  const plenty = { limit: 100_000, windowSeconds: DAY_SECONDS };
  expect(localConfig({ requestsPerMinute: 5 })).toEqual({
    requestLimits: {
      user: { requests: 5, windowSeconds: 60 },
      address: { requests: 3, windowSeconds: 60 },
      light: { requests: 30, windowSeconds: 60 },
      agent: { requests: 2, windowSeconds: 60 },
    },
    mailLimits: { ...defaultConfig.mailLimits, invitations: plenty, confirmationsFrom: plenty },
    mailSender: MAIL_SENDER,
    lookSchedule: [{ fromAgeMs: 0, everyMs: 1_000 }],
  });
  expect(localConfig({}).requestLimits?.user.requests).toBe(10_000);
});

test('A local service on another DynamoDB polls for entries of others as often as on AWS', () => {
  expect(localConfig({ dynamodbEndpoint: 'http://127.0.0.1:8000' })).not.toHaveProperty('lookSchedule');
});
