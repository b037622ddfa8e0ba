import { expect, test } from 'vitest';
import { defaultConfig, readConfig, readMaxFile } from '#shared/runtime/config.ts';

test('The largest file may have from one to a hundred mebibytes', () => {
  expect(['1', '100'].map(readMaxFile)).toEqual([1, 100]);
  for (const text of ['0', '101', '01', '1.5', '-1', 'many', ''])
    expect(() => readMaxFile(text), text).toThrow('must be from 1 to 100 mebibytes');
});

test('The start of a service is the start of its process, unless the deployment states one', () => {
  expect(readConfig({}).startedAtSeconds).toBe(Math.floor(performance.timeOrigin / 1_000));
  expect(readConfig({ DEPLOYED_AT: '1700000000' }).startedAtSeconds).toBe(1_700_000_000);
});

test('A setting that is empty counts as missing', () => {
  const names = [
    'DEPLOYED_AT',
    'ORIGIN_SECRET',
    'BIG_BLUE_BUTTON_URL',
    'BIG_BLUE_BUTTON_SECRET',
    'MAIL_SENDER',
    'UPLOAD_QUOTA_MIB',
    'ACCOUNT_UPLOAD_QUOTA_MIB',
    'DAILY_UPLOAD_QUOTA_MIB',
    'MAX_CHANNELS',
    'CHANNELS_PER_DAY',
    'MAX_USER_GROUPS',
    'MAX_CUSTOM_EMOJI',
    'MAX_BOTS_OF_OWNER',
    'MAX_SCHEDULED',
    'CREATIONS_PER_DAY',
  ];
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(defaultConfig);
});
