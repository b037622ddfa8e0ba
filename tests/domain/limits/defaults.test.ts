import { expect, test } from 'vitest';
import { defaultConfig, readConfig, readMaxFile } from '#shared/runtime/config.ts';

const DAY_SECONDS = 86_400;

test('A service without configuration has these limits and times', () => {
  const { startedAtSeconds: _start, passwordCost: _cost, ...config } = readConfig({});
  expect(config).toEqual({
    pollHoldMs: 25_000,
    pollLimits: { person: 20, botsOfOwner: 60 },
    pollLeaseCheckMs: 10_000,
    socketSeconds: 7_200,
    socketsOfPusher: 500,
    heartbeatIntervalMs: 60_000,
    lookSchedule: [
      { fromAgeMs: 0, everyMs: 50 },
      { fromAgeMs: 3_000, everyMs: 100 },
      { fromAgeMs: 10_000, everyMs: 250 },
      { fromAgeMs: 30_000, everyMs: 500 },
      { fromAgeMs: 60_000, everyMs: 1_000 },
      { fromAgeMs: 300_000, everyMs: 2_000 },
    ],
    sealGraceMs: 1_000,
    queueTouchIntervalMs: 60_000,
    signInFailures: { limit: 5, windowSeconds: 1_800 },
    signInFailuresOfAccount: { limit: 100, windowSeconds: 1_800 },
    accessLog: false,
    requestLimits: {
      user: { requests: 200, windowSeconds: 60 },
      address: { requests: 100, windowSeconds: 60 },
      light: { requests: 1_200, windowSeconds: 60 },
      agent: { requests: 60, windowSeconds: 60 },
    },
    jobRetryMs: 120_000,
    exportPart: { positions: 20_000, bytes: 16_777_216 },
    searchSegment: { positions: 1_000, fanout: 16 },
    originSecret: undefined,
    bigBlueButton: { url: undefined, secret: undefined },
    gifs: {},
    gifLimit: { limit: 120, windowSeconds: 600 },
    zoom: undefined,
    jwtKey: undefined,
    mailSender: undefined,
    openings: [],
    webhookPauseMs: 1_000,
    mailLimits: {
      invitations: { limit: 2_000, windowSeconds: DAY_SECONDS },
      confirmationsFrom: { limit: 20, windowSeconds: DAY_SECONDS },
      confirmationsBy: { limit: 500, windowSeconds: DAY_SECONDS },
      confirmationsTo: { limit: 5, windowSeconds: DAY_SECONDS },
      confirmationsToAll: { limit: 20, windowSeconds: DAY_SECONDS },
    },
    inviterMinAgeSeconds: 0,
    snapshotBytes: { plain: 5_700_000, compressed: 16_000_000 },
    pairLimit: { limit: 20_000, windowSeconds: DAY_SECONDS },
    channelLimits: { organization: 2_000, account: { limit: 200, windowSeconds: DAY_SECONDS } },
    recordLimits: {
      userGroups: 2_000,
      customEmoji: 2_000,
      botsOfOwner: 100,
      scheduledOfAccount: 1_000,
      createdByAccount: { limit: 100, windowSeconds: DAY_SECONDS },
    },
    webPublicChannels: false,
    maxFileMebibytes: 25,
    uploadQuotas: { organization: 51_200, account: 5_120, accountPerDay: 2_048 },
    retentionPauseSeconds: 3_600,
    pushMemoryMs: 60_000,
    closureMemoryMs: 10_000,
    relayTimeoutMs: 8_000,
  });
  expect(readConfig({})).toEqual(defaultConfig);
});

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
