import { App, Stack } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { listFunctions } from '#infra/aws/functions.ts';
import { statementsFor } from '#infra/aws/permissions.ts';
import { readSettings } from '#infra/aws/settings/read-settings.ts';
import { readConfig } from '#shared/runtime/config.ts';
import {
  deploy,
  firstOf,
  permissionsOf,
  rawPropertiesOf,
  resourcesOf,
  statementsOf,
  variablesIn,
} from './fixture.ts';

/** Everything that an operator may say, at once. */
const SENDER = 'Chat <chat@example.org>';
const RELAY = { pushRelayUrl: 'https://relay.example.com', pushRelayUser: 'our-organization' };
const ZOOM = { zoomAccountId: 'ourAccount', zoomClientId: 'our_app' };
const ALARM_TOPIC = 'arn:aws:sns:eu-west-1:123456789012:on-call';
const CERTIFICATE = 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d';
const OPTIONS = {
  env: { account: '123456789012', region: 'eu-west-1' },
  context: {
    alarmTopicArn: ALARM_TOPIC,
    alarmEmail: 'on-call@example.org',
    tableKey: 'aws-managed',
    otherRequestsPerSecond: '20',
    ...RELAY,
    mailSender: SENDER,
    maxFileMebibytes: '50',
    uploadQuotaMebibytes: '500',
    accountUploadQuotaMebibytes: '50',
    dailyUploadQuotaMebibytes: '5',
    maxChannels: '70',
    channelsPerDay: '3',
    maxUserGroups: '4',
    maxCustomEmoji: '5',
    maxBotsOfOwner: '6',
    maxScheduled: '7',
    confirmationsPerDay: '9',
    creationsPerDay: '8',
    pollerConcurrency: '300',
    accountConcurrency: '2000',
    requestsPerSecond: '50',
    requestBurst: '70',
    logDays: '90',
    tracing: 'true',
    platformLogs: 'true',
    tags: 'team=chat,costCenter=42',
    domainName: 'chat.example.org',
    certificateArn: CERTIFICATE,
    monthlyBudgetDollars: '50',
    budgetEmail: 'ops@example.org',
    bigBlueButtonUrl: 'https://calls.example.com/bigbluebutton/',
    outgoingAllow: 'bots.example.org:5002',
    gifProvider: 'klipy',
    ...ZOOM,
    jsonWebTokens: 'true',
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
const deployment = deploy(OPTIONS);

const variablesOf = (name: string): Record<string, string> => variablesIn(deployment.stateless, name);

const resourcesFor = (name: string, action: string): string[] =>
  permissionsOf(deployment.stateless, name)
    .filter(({ actions }) => actions.includes(action))
    .flatMap(({ resources }) => resources);

it('A deployment with every option, for a known account and region, passes every rule of cdk-nag', () => {
  expect(deployment.violations).toEqual([]);
});

it('The quota of all files goes to the functions that store files', () => {
  expect(variablesOf('upload-file')).toMatchObject({
    MAX_FILE_MIB: '50',
    UPLOAD_QUOTA_MIB: '500',
    ACCOUNT_UPLOAD_QUOTA_MIB: '50',
    DAILY_UPLOAD_QUOTA_MIB: '5',
  });
  expect(variablesOf('register-queue').UPLOAD_QUOTA_MIB).toBe('500');
});

it('The limits of counts go to the functions that create things', () => {
  expect(variablesOf('subscribe')).toMatchObject({ MAX_CHANNELS: '70', CHANNELS_PER_DAY: '3' });
  expect(readConfig(variablesOf('create-user-group')).recordLimits).toEqual({
    userGroups: 4,
    customEmoji: 5,
    botsOfOwner: 6,
    scheduledOfAccount: 7,
    createdByAccount: { limit: 8, windowSeconds: 24 * 3600 },
  });
});

it('The secret of the server of calls is read by its callers, and all functions have its address', () => {
  const speaking = ['create-big-blue-button-call', 'get-big-blue-button-call', 'join-big-blue-button-call'];
  for (const name of names) {
    const { BIG_BLUE_BUTTON_URL, CALLS_SECRET_NAME } = variablesOf(name);
    expect(BIG_BLUE_BUTTON_URL).toBe('https://calls.example.com/bigbluebutton/');
    const isSpeaking = speaking.includes(name);
    expect(CALLS_SECRET_NAME, name).toBe(isSpeaking ? 'team-chat-prod-calls' : undefined);
    expect(resourcesFor(name, 'secretsmanager:GetSecretValue').join().includes('-calls-'), name).toBe(
      isSpeaking,
    );
  }
});

const readersOf = (template: Template, parameter: string): string[] =>
  names.filter((name) =>
    permissionsOf(template, name).some(
      ({ actions, resources }) =>
        actions.includes('ssm:GetParameter') && resources.join().includes(parameter),
    ),
  );

it.each([
  ['/jwt-key', 'JWT_KEY_PARAMETER', ['fetch-api-key-by-jwt']],
  ['/zoom-secret', 'ZOOM_SECRET_PARAMETER', ['create-zoom-call']],
  ['/gif-key', 'GIF_KEY_PARAMETER', ['find-gifs', 'get-gif-preview']],
  ['/push-relay-key', 'PUSH_RELAY_KEY_PARAMETER', SPEAKING],
])(
  'The secret %s is read by its callers only, and by no function unless it is set',
  (secret, variable, callers) => {
    const plain = deploy().stateless;
    expect(readersOf(deployment.stateless, secret).sort()).toEqual(callers);
    expect(readersOf(plain, secret)).toEqual([]);
    for (const name of names) {
      const path = callers.includes(name) ? `/team-chat/prod${secret}` : undefined;
      expect(variablesOf(name)[variable], name).toBe(path);
      expect(variablesIn(plain, name)).not.toHaveProperty(variable);
    }
  },
);

it('JSON web tokens let one function read the secret of API keys', () => {
  const NAME = 'fetch-api-key-by-jwt';
  const plain = deploy().stateless;
  expect(readersOf(deployment.stateless, '/api-key-secret')).toContain(NAME);
  expect(variablesOf(NAME).SECRET_PARAMETER).toBe('/team-chat/prod/api-key-secret');
  expect(readersOf(plain, '/api-key-secret')).not.toContain(NAME);
  expect(variablesIn(plain, NAME)).not.toHaveProperty('SECRET_PARAMETER');
});

it('All functions know of the Zoom app, the relay and the provider of GIFs', () => {
  for (const name of names) {
    const { ZOOM_SECRET_PARAMETER: _, ...others } = variablesOf(name);
    expect(readConfig(others).zoom, name).toMatchObject({ accountId: 'ourAccount', clientId: 'our_app' });
    expect(others).toMatchObject({ PUSH_RELAY_URL: RELAY.pushRelayUrl, GIF_PROVIDER: 'klipy' });
    expect(others.PUSH_RELAY_USER, name).toBe(SPEAKING.includes(name) ? RELAY.pushRelayUser : undefined);
  }
  const plain = variablesIn(deploy().stateless, 'create-zoom-call');
  expect(Object.keys(plain).filter((variable) => variable.startsWith('ZOOM_'))).toEqual([]);
});

it('Outgoing requests to other hosts are made by a function without rights', () => {
  expect(variablesOf('call-outside').OUTGOING_ALLOW).toBe('bots.example.org:5002');
  const actions = permissionsOf(deployment.stateless, 'call-outside').flatMap(
    (statement) => statement.actions,
  );
  expect(actions.filter((action) => !/^(?:logs|xray):/.test(action))).toEqual([]);
  expect(variablesOf('run-job').OUTSIDE_FUNCTION).toBe('team-chat-prod-call-outside');
  expect(resourcesFor('run-job', 'lambda:InvokeFunction')).toHaveLength(1);
});

it('Waiting clients have their own executions if some are reserved, with an alarm at 80 % of them', () => {
  const reserved = resourcesOf(deployment.stateless, 'AWS::Lambda::Function').flatMap(([, { Properties }]) =>
    Properties.ReservedConcurrentExecutions === undefined
      ? []
      : [[Properties.FunctionName, Properties.ReservedConcurrentExecutions]],
  );
  expect(reserved).toEqual([['team-chat-prod-get-events', 300]]);
  expect(deployment.notes).toEqual([]);
  const alarms = rawPropertiesOf(deployment.wiring, 'AWS::CloudWatch::Alarm').filter(
    ({ MetricName }) => MetricName === 'ConcurrentExecutions',
  );
  expect(alarms.map(({ Dimensions, Threshold }) => [Dimensions?.[0].Value, Threshold])).toEqual([
    ['team-chat-prod-get-events', 240],
  ]);
});

it('The rate of requests, the age of logs and further tags follow the deployment', () => {
  const stage = firstOf(deployment.stateless, 'AWS::ApiGatewayV2::Stage');
  const { DefaultRouteSettings, RouteSettings } = stage.Properties;
  expect(DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 });
  expect(RouteSettings['GET /api/v1/events']).toEqual({ ThrottlingRateLimit: 50, ThrottlingBurstLimit: 70 });
  for (const [, { Properties }] of resourcesOf(deployment.stateless, 'AWS::Logs::LogGroup'))
    expect(Properties.RetentionInDays).toBe(90);
  const bucket = firstOf(deployment.stateful, 'AWS::S3::Bucket');
  expect(bucket.Properties.Tags).toEqual([
    { Key: 'costCenter', Value: '42' },
    { Key: 'service', Value: 'team-chat' },
    { Key: 'stage', Value: 'prod' },
    { Key: 'team', Value: 'chat' },
  ]);
});

it('Functions are traced, may write only their traces, and Lambda writes lines of its own', () => {
  for (const [, { Properties }] of resourcesOf(deployment.stateless, 'AWS::Lambda::Function')) {
    expect(Properties.TracingConfig, Properties.FunctionName).toEqual({ Mode: 'Active' });
    expect(Properties.LoggingConfig.SystemLogLevel).toBe('INFO');
  }
  for (const [, role] of resourcesOf(deployment.stateless, 'AWS::IAM::Role'))
    for (const { actions, resources } of statementsOf(role).filter(({ effect }) => effect === 'Allow'))
      expect(resources.includes('*'), actions.join()).toBe(actions[0] === 'xray:PutTelemetryRecords');
  expect(resourcesFor('send-message', 'xray:PutTraceSegments')).toEqual(['*']);
});

it('The API has the domain of the service, and outputs the target of its record', () => {
  const { stateless } = deployment;
  const { id: domainId, ...domain } = firstOf(stateless, 'AWS::ApiGatewayV2::DomainName');
  expect(domain.Properties).toMatchObject({
    DomainName: 'chat.example.org',
    DomainNameConfigurations: [
      { CertificateArn: CERTIFICATE, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
    ],
  });
  const mapping = firstOf(stateless, 'AWS::ApiGatewayV2::ApiMapping');
  expect(mapping.Properties.DomainName).toEqual({ Ref: domainId });
  expect(stateless.toJSON().Outputs).toMatchObject({
    Url: { Value: 'https://chat.example.org' },
    DomainTarget: { Value: { 'Fn::GetAtt': [domainId, 'RegionalDomainName'] } },
  });
});

it('A budget warns at 80 % of the cost and at a forecast above it', () => {
  const { Properties } = firstOf(deployment.wiring, 'AWS::Budgets::Budget');
  expect(Properties.Budget).toMatchObject({
    BudgetType: 'COST',
    TimeUnit: 'MONTHLY',
    BudgetLimit: { Amount: 50, Unit: 'USD' },
  });
  expect(
    Properties.NotificationsWithSubscribers.map(
      ({ Notification: { NotificationType, Threshold } }: { Notification: Record<string, unknown> }) => [
        NotificationType,
        Threshold,
      ],
    ),
  ).toEqual([
    ['ACTUAL', 80],
    ['FORECASTED', 100],
  ]);
  for (const { Subscribers } of Properties.NotificationsWithSubscribers)
    expect(Subscribers).toEqual([
      { SubscriptionType: 'EMAIL', Address: 'ops@example.org' },
      { SubscriptionType: 'EMAIL', Address: 'on-call@example.org' },
      { SubscriptionType: 'SNS', Address: ALARM_TOPIC },
    ]);
});

it('Alarms go to the configured topic, and by mail to the configured address', () => {
  const alarms = resourcesOf(deployment.wiring, 'AWS::CloudWatch::Alarm');
  const { id: mailing } = firstOf(deployment.wiring, 'AWS::SNS::Topic');
  expect(alarms.length).toBeGreaterThan(5);
  for (const [, { Properties }] of alarms)
    expect(Properties.AlarmActions).toEqual([ALARM_TOPIC, { Ref: mailing }]);
  const subscriptions = resourcesOf(deployment.wiring, 'AWS::SNS::Subscription');
  expect(subscriptions.map(([, { Properties }]) => Properties)).toEqual([
    { Protocol: 'email', Endpoint: 'on-call@example.org', TopicArn: { Ref: mailing } },
  ]);
});

it('The table has the key of the account if the operator wants it', () => {
  const table = firstOf(deployment.stateful, 'AWS::DynamoDB::GlobalTable');
  expect(table.Properties.SSESpecification).toEqual({ SSEEnabled: true, SSEType: 'KMS' });
});

it('Bounces and complaints raise an alarm before SES pauses the account', () => {
  const alarms = rawPropertiesOf(deployment.wiring, 'AWS::CloudWatch::Alarm');
  const ofMail = alarms.filter(({ Namespace }) => Namespace === 'AWS/SES');
  expect(ofMail.map(({ MetricName, Threshold }) => [MetricName, Threshold])).toEqual([
    ['Reputation.BounceRate', 0.05],
    ['Reputation.ComplaintRate', 0.001],
  ]);
});

describe('Outgoing mail', () => {
  const identitiesOf = (context: Record<string, string>): string => {
    const stack = new Stack(new App());
    const around = {
      settings: readSettings(context),
      deployedAtSeconds: 1,
      busArn: 'b',
      schedulerRoleArn: 'r',
      scheduleDeadLetterArn: 'd',
      logGroupArn: 'l',
    };
    const sending = statementsFor(stack, { table: 'none', mail: true }, around).filter(({ actions }) =>
      actions.includes('ses:SendEmail'),
    );
    return sending.flatMap(({ resources }) => resources.filter((arn) => arn.includes(':identity/'))).join();
  };

  it('Can be sent by jobs only, and only from the identity of the sender', () => {
    for (const name of names) {
      expect(variablesOf(name).MAIL_SENDER).toBe(SENDER);
      const identities = resourcesFor(name, 'ses:SendEmail');
      expect(identities, name).toEqual(
        name === 'run-job'
          ? [
              expect.stringMatching(/:configuration-set\/team-chat-prod/),
              expect.stringMatching(/:identity\/example\.org/),
            ]
          : [],
      );
    }
  });

  it('Skips an address that complained or does not exist', () => {
    const sets = resourcesOf(deployment.stateless, 'AWS::SES::ConfigurationSet');
    expect(sets.map(([, { Properties }]) => [Properties.Name, Properties.SuppressionOptions])).toEqual([
      ['team-chat-prod', { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] }],
    ]);
  });

  it('Cannot be sent without a configured sender', () => {
    expect(identitiesOf({})).toBe('');
  });

  it('May have another identity than the domain of the sender', () => {
    expect(identitiesOf({ mailSender: SENDER })).toMatch(/:identity\/example\.org$/);
    expect(identitiesOf({ mailSender: SENDER, mailIdentity: 'chat@example.org' })).toMatch(
      /:identity\/chat@example\.org$/,
    );
  });
});

it('A push relay lets the notifier read the secret of device keys', () => {
  expect(readersOf(deployment.stateless, '/api-key-secret')).toContain('notify-devices');
  expect(readersOf(deploy().stateless, '/api-key-secret')).not.toContain('notify-devices');
});
