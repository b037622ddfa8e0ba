import { expect, test } from 'vitest';
import { readServeOptions } from '#infra/local/serve-options.ts';

const NEEDED = { PUBLIC_URL: 'https://chat.example.org' };

test('The command npm run serve has the limits of production, and sends no mails without a configured way', () => {
  expect(readServeOptions(NEEDED)).toMatchObject({
    port: 9991,
    host: '127.0.0.1',
    dataDir: '.data',
    publicUrl: 'https://chat.example.org',
    trustedProxies: 0,
    smtpUrl: undefined,
    ownerEmail: undefined,
    config: {
      mailSender: undefined,
      mailLimits: { confirmationsFrom: { limit: 20 } },
      requestLimits: { user: { requests: 200 }, address: { requests: 100 } },
    },
  });
});

test('The command npm run serve reads its settings', () => {
  const options = readServeOptions({
    ...NEEDED,
    PUBLIC_URL: ' https://Chat.example.org:8443/ ',
    TRUSTED_PROXY: '2',
    SMTP_URL: 'smtps://user:password@mail.example.org',
    CONFIRMATIONS_PER_DAY: '70',
    REQUESTS_PER_MINUTE: '500',
    OWNER_EMAIL: 'ada@example.org',
  });
  expect(options).toMatchObject({
    publicUrl: 'https://chat.example.org:8443',
    trustedProxies: 2,
    smtpUrl: 'smtps://user:password@mail.example.org',
    ownerEmail: 'ada@example.org',
    config: {
      mailSender: 'Team Chat <noreply@chat.example.org>',
      mailLimits: { confirmationsFrom: { limit: 70 } },
      requestLimits: { user: { requests: 500 } },
    },
  });
});

test.each([
  [{ PUBLIC_URL: '' }, /^PUBLIC_URL must be the address/],
  [{ PUBLIC_URL: 'chat.example.org' }, /^PUBLIC_URL must be/],
  [{ PUBLIC_URL: 'ftp://chat.example.org' }, /^PUBLIC_URL must be/],
  [{ PUBLIC_URL: 'https://chat.example.org/chat' }, /^PUBLIC_URL must be/],
  [{ PUBLIC_URL: 'https://user@chat.example.org' }, /^PUBLIC_URL must be/],
  [{ TRUSTED_PROXY: 'yes' }, /^TRUSTED_PROXY must be a number/],
  [{ TRUSTED_PROXY: '10' }, /^TRUSTED_PROXY must be a number/],
  [{ SMTP_URL: 'mail.example.org' }, /^SMTP_URL must be/],
  [{ SMTP_URL: 'https://mail.example.org' }, /^SMTP_URL must be/],
  [{ DATA_DIR: ':memory:' }, /^DATA_DIR must be a folder/],
  [{ DEV_KEYS: 'true' }, /^DEV_KEYS is for npm start alone/],
  [{ CONSUMED_UNITS: 'true' }, /^CONSUMED_UNITS is for npm start alone/],
  [{ DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000' }, /^DYNAMODB_ENDPOINT is for npm start alone/],
  [{ CONFIRMATIONS_PER_DAY: 'many' }, /^CONFIRMATIONS_PER_DAY must be a number/],
  [{ PORT: 'x' }, /^PORT must be/],
])('npm run serve refuses %o', (changed, message) => {
  expect(() => readServeOptions({ ...NEEDED, ...changed })).toThrow(message);
});

test('An error about SMTP_URL does not repeat its password', () => {
  const read = () => readServeOptions({ ...NEEDED, SMTP_URL: 'http://user:hidden@mail.example.org' });
  expect(read).toThrow(/^(?!.*hidden)/);
});
