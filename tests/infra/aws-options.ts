import { App, Stack } from 'aws-cdk-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { listFunctions } from '#infra/aws/functions.ts';
import { readPushRelay, statementsFor } from '#infra/aws/permissions.ts';
import {
  DEPLOY_TIMEOUT_MS,
  type Deployment,
  deploy,
  functionNamed,
  permissionsOf,
  resourcesOf,
} from './aws-fixture.ts';

/** Everything that an operator may say, at once. */
const SENDER = 'Chat <chat@example.org>';
const RELAY = { pushRelayUrl: 'https://relay.example.com', pushRelayUser: 'our-organization' };
const ALARM_TOPIC = 'arn:aws:sns:eu-west-1:123456789012:on-call';
const OPTIONS = {
  env: { account: '123456789012', region: 'eu-west-1' },
  alarmTopicArn: ALARM_TOPIC,
  context: {
    ...RELAY,
    mailSender: SENDER,
    maxFileMebibytes: '50',
    uploadQuotaMebibytes: '500',
    accountUploadQuotaMebibytes: '50',
    dailyUploadQuotaMebibytes: '5',
    maxChannels: '70',
    channelsPerDay: '3',
  },
};

const SPEAKING = [
  'notify-devices',
  'run-job',
  'send-older-test-notification',
  'send-test-notification',
  'sweep',
];
const { endpoints, workers } = listFunctions();
const names = [...endpoints, ...workers].map(({ name }) => name);
let deployment: Deployment;

beforeAll(() => {
  deployment = deploy(OPTIONS);
}, DEPLOY_TIMEOUT_MS);

const variablesOf = (name: string): Record<string, string> =>
  functionNamed(deployment.stateless, name).Properties.Environment.Variables;

const resourcesFor = (name: string, action: string): string[] =>
  permissionsOf(deployment.stateless, name)
    .filter(({ actions }) => actions.includes(action))
    .flatMap(({ resources }) => resources);

it('a deployment with every option, for a known account and region, passes every rule of cdk-nag', () => {
  expect(deployment.violations).toEqual([]);
});

it('what all files may come to is said to what keeps them, and is a number', () => {
  expect(variablesOf('upload-file')).toMatchObject({
    MAX_FILE_MIB: '50',
    UPLOAD_QUOTA_MIB: '500',
    ACCOUNT_UPLOAD_QUOTA_MIB: '50',
    DAILY_UPLOAD_QUOTA_MIB: '5',
  });
  expect(variablesOf('register-queue').UPLOAD_QUOTA_MIB).toBe('500');
  expect(() => deploy({ ...OPTIONS, context: { uploadQuotaMebibytes: '1 GB' } })).toThrow(
    'uploadQuotaMebibytes must be a number of mebibytes, not "1 GB"',
  );
  expect(() => deploy({ ...OPTIONS, context: { maxFileMebibytes: '101' } })).toThrow(
    'from 1 to 100 mebibytes',
  );
});

it('how many channels there may be is said to what creates them, and is a number', () => {
  expect(variablesOf('subscribe')).toMatchObject({ MAX_CHANNELS: '70', CHANNELS_PER_DAY: '3' });
  for (const option of ['maxChannels', 'channelsPerDay'])
    expect(() => deploy({ ...OPTIONS, context: { [option]: 'many' } })).toThrow(
      `${option} must be a number from 1 to 999999, not "many"`,
    );
});

it('alarms go to the topic that is named', () => {
  const alarms = resourcesOf(deployment.wiring, 'AWS::CloudWatch::Alarm');
  expect(alarms.length).toBeGreaterThan(5);
  for (const [, { Properties }] of alarms) expect(Properties.AlarmActions).toEqual([ALARM_TOPIC]);
});

describe('mail', () => {
  const identitiesOf = (context: Record<string, string>): string => {
    const stack = new Stack(new App({ context }));
    const around = {
      stage: 'prod',
      deployedAtSeconds: 1,
      busArn: 'b',
      schedulerRoleArn: 'r',
      scheduleDeadLetterArn: 'd',
      logGroupArn: 'l',
    };
    const sending = statementsFor(stack, { table: 'none', mail: true }, around).filter(({ actions }) =>
      actions.includes('ses:SendEmail'),
    );
    return sending.map(({ resources }) => resources.join()).join();
  };

  it('can be sent by jobs alone, and only from the identity of the sender', () => {
    for (const name of names) {
      expect(variablesOf(name).MAIL_SENDER).toBe(SENDER);
      const identities = resourcesFor(name, 'ses:SendEmail');
      expect(identities, name).toEqual(
        name === 'run-job' ? [expect.stringMatching(/:identity\/example\.org/)] : [],
      );
    }
  });

  it('can be sent by nothing where no sender is set', () => {
    expect(identitiesOf({})).toBe('');
  });

  it('may have another identity than the domain of the sender', () => {
    expect(identitiesOf({ mailSender: SENDER })).toMatch(/:identity\/example\.org$/);
    expect(identitiesOf({ mailSender: SENDER, mailIdentity: 'chat@example.org' })).toMatch(
      /:identity\/chat@example\.org$/,
    );
  });
});

describe('a push relay', () => {
  it('is known to every function, and by our account to those that speak to it', () => {
    for (const name of names) {
      const { PUSH_RELAY_URL, PUSH_RELAY_USER, PUSH_RELAY_KEY_PARAMETER } = variablesOf(name);
      expect(PUSH_RELAY_URL).toBe(RELAY.pushRelayUrl);
      const speaks = SPEAKING.includes(name);
      expect(PUSH_RELAY_USER, name).toBe(speaks ? RELAY.pushRelayUser : undefined);
      expect(PUSH_RELAY_KEY_PARAMETER).toBe(speaks ? '/team-chat/prod/push-relay-key' : undefined);
    }
  });

  it('is spoken to with a key that only those can read who do', () => {
    for (const name of names) {
      const readable = resourcesFor(name, 'ssm:GetParameter').join();
      expect(readable.includes('/push-relay-key'), name).toBe(SPEAKING.includes(name));
    }
  });

  it.each([
    [{ pushRelayUser: 'us' }, 'not the https address'],
    [{ pushRelayUrl: 'http://relay.example.com', pushRelayUser: 'us' }, 'not the https address'],
    [{ pushRelayUrl: 'relay', pushRelayUser: 'us' }, 'not the https address'],
    [{ pushRelayUrl: RELAY.pushRelayUrl }, 'pushRelayUser is missing'],
  ])('as %j is refused', (context, message) => {
    expect(() => readPushRelay(new App({ context }))).toThrow(message);
  });
});
