import {
  arn,
  choice,
  email,
  httpsAddress,
  type Kind,
  namesWithValues,
  number,
  oneOf,
  onOrOff,
  openings,
  type Setting,
  text,
} from './kinds.ts';
import { limits } from './limits.ts';

const DAYS_IN_LOGS = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653];

const zoomId = text(/^[\w-]{1,100}$/, 'an id that Zoom has assigned');

const deployment = {
  stage: {
    kind: text(/^[a-z][a-z0-9]{0,15}$/, 'a name of up to 16 small letters and digits'),
    meaning: 'keeps deployments in one account apart; every name contains it',
    default: 'prod',
    example: 'test',
  },
  region: {
    kind: text(/^[a-z]{2,4}(-[a-z]+)+-\d$/, 'a region like eu-west-1'),
    meaning: 'the region of the deployment',
    otherwise: 'the region of the AWS profile',
    example: 'eu-west-1',
  },
  tags: {
    kind: namesWithValues,
    meaning: 'tags of every resource, besides `service` and `stage`',
    example: 'team=chat,costCenter=42',
  },
  alarmEmail: {
    kind: email,
    meaning: 'receives alarms and budget warnings by mail, after confirming a link of SNS',
    otherwise: 'alarms show in the console, or go to `alarmTopicArn`',
    example: 'ops@example.org',
  },
  alarmTopicArn: {
    kind: arn('sns:[a-z0-9-]+:\\d{12}:[\\w-]+(\\.fifo)?', 'the ARN of an SNS topic'),
    meaning: 'the topic for alarms and budget warnings',
    example: 'arn:aws:sns:eu-west-1:123456789012:on-call',
  },
  monthlyBudgetDollars: {
    kind: number(1, 9_999_999),
    meaning: 'warns at 80 % of this monthly cost of the account, and when the forecast exceeds it',
    otherwise: 'no budget',
    example: '50',
  },
  budgetEmail: {
    kind: email,
    meaning: 'receives budget warnings too',
    example: 'ops@example.org',
  },
  tableKey: {
    kind: choice('aws-owned', 'aws-managed'),
    meaning:
      'the key of the table: free and owned by AWS, or `aws/dynamodb` of the account, recorded by CloudTrail and billed by KMS',
    default: 'aws-owned',
  },
} satisfies Record<string, Setting>;

const address = {
  domainName: {
    kind: text(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'a domain name like chat.example.org'),
    meaning: 'the domain of the service; needs `certificateArn`',
    otherwise: 'the address that AWS assigns',
    example: 'chat.example.org',
  },
  certificateArn: {
    kind: arn('acm:[a-z0-9-]+:\\d{12}:certificate/[\\w-]+', 'the ARN of a certificate in ACM'),
    meaning: 'its certificate, with a firewall in us-east-1',
    example: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d',
  },
  firewall: {
    kind: onOrOff,
    meaning: 'adds the stack of the firewall',
    default: 'false',
  },
  requestsPerAddress: {
    kind: number(10, 999_999_999),
    meaning: 'requests a minute that the firewall allows an address',
    default: '3000',
  },
  webAclArn: {
    kind: text(
      /^arn:aws:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]+\/[\w-]+$/,
      'the ARN of a global web ACL in us-east-1',
    ),
    meaning: 'the firewall; adds the stack of the distribution',
  },
} satisfies Record<string, Setting>;

const capacity = {
  accountConcurrency: {
    kind: number(10, 10_000_000),
    meaning: "the account's quota of concurrent executions",
    default: '1000',
  },
  poller: {
    kind: choice('function', 'web-function'),
    meaning:
      'holds polls: one execution for each, or a web function for up to 128 ([many clients that wait](waiting.md))',
    default: 'function',
  },
  pollerConcurrency: {
    kind: number(1, 10_000_000),
    meaning: 'reserves executions for `GET /events`, which is also the number of clients that may wait',
    otherwise: 'none reserved',
    example: '500',
  },
  provisionedConcurrency: {
    kind: number(1, 1_000),
    meaning:
      'executions kept ready of each of the ten operations of a sign-in, to avoid cold starts; $44 a month for 1',
    otherwise: 'none',
    example: '1',
  },
  eventSocket: {
    kind: onOrOff,
    meaning: 'deploys the [event socket](waiting.md#sockets)',
    default: 'true',
  },
  gatherSeconds: {
    kind: number(0, 60),
    meaning: 'how long events are gathered before they are pushed to sockets',
    default: '0',
  },
  requestsPerSecond: {
    kind: number(1, 10_000),
    meaning: 'requests of a frequent route (events, messages, presence, typing, files) before 429',
    default: '1000',
  },
  requestBurst: {
    kind: number(1, 5_000),
    meaning: 'burst of such a route',
    default: '2000',
  },
  otherRequestsPerSecond: {
    kind: number(1, 10_000),
    meaning: 'rate of each other route, with twice as many as a burst',
    default: '50',
  },
  logDays: {
    kind: oneOf(...DAYS_IN_LOGS),
    meaning: 'days that logs are kept',
    default: '30',
  },
  tracing: {
    kind: onOrOff,
    meaning: 'traces functions with X-Ray ([watching](watching.md#traces-and-lines-of-lambda))',
    default: 'false',
  },
  platformLogs: {
    kind: onOrOff,
    meaning: 'keeps Lambda’s own log lines, with memory and cold starts',
    default: 'false',
  },
} satisfies Record<string, Setting>;

const neighbours = {
  mailSender: {
    kind: text(/^[^@]*[^\s@]+@[^\s<>@]+\.[^\s<>@]+>?$/, 'a sender like Kiln <chat@example.org>'),
    meaning: 'the sender of mails ([mail](../operations.md#mail))',
    otherwise: 'no mail',
    example: 'Kiln <chat@example.org>',
    variable: 'MAIL_SENDER',
  },
  mailIdentity: {
    kind: text(/^([^\s@<>]+@)?[^\s@<>]+\.[^\s@<>]+$/, 'a domain or an e-mail address'),
    meaning: 'the identity that SES has verified',
    otherwise: 'the domain of the sender',
    example: 'chat@example.org',
  },
  pushRelayUrl: {
    kind: httpsAddress,
    meaning:
      'the push relay ([push notifications](../operations.md#push-notifications)); needs `pushRelayUser`',
    otherwise: 'no push notifications',
    variable: 'PUSH_RELAY_URL',
  },
  pushRelayUser: {
    kind: text(/\S/, 'the name of an account'),
    meaning: 'the account of this deployment at the push relay',
  },
  outgoingAllow: {
    kind: openings,
    meaning:
      'private hosts and networks that outgoing webhooks and previews may reach ([requests to the outside](../operations.md#requests-to-the-outside))',
    otherwise: 'none',
    example: 'bots.example.org:5002,10.1.0.0/16',
    variable: 'OUTGOING_ALLOW',
  },
  bigBlueButtonUrl: {
    kind: httpsAddress,
    meaning: 'the server of video calls ([calls](../operations.md#calls))',
    otherwise: 'calls by Jitsi only',
    variable: 'BIG_BLUE_BUTTON_URL',
  },
  gifProvider: {
    kind: choice('giphy', 'klipy'),
    meaning: 'the provider of GIFs ([GIFs](../operations.md#gifs))',
    otherwise: 'no GIFs',
    example: 'klipy',
    variable: 'GIF_PROVIDER',
  },
  zoomAccountId: {
    kind: zoomId,
    meaning:
      'the account at Zoom in which calls are created ([calls](../operations.md#calls)); needs `zoomClientId`',
    otherwise: 'no Zoom calls',
    variable: 'ZOOM_ACCOUNT_ID',
  },
  zoomClientId: {
    kind: zoomId,
    meaning: 'the app of that account',
    otherwise: 'no Zoom calls',
    variable: 'ZOOM_CLIENT_ID',
  },
  jsonWebTokens: {
    kind: onOrOff,
    meaning:
      'returns API keys for JSON web tokens ([signing in by a JSON web token](../operations.md#signing-in-by-a-json-web-token))',
    default: 'false',
  },
} satisfies Record<string, Setting>;

/** All settings by subject, as the page of settings shows them. */
export const settingsBySubject = {
  'The deployment': deployment,
  'Address and firewall': address,
  Capacity: capacity,
  Limits: limits,
  'Mail, notifications, calls and tokens': neighbours,
};

/** All settings by name. */
export const settings = { ...deployment, ...address, ...capacity, ...limits, ...neighbours };

type Defaulted = { default: string };

/** The values of a deployment; absent are those without a default. */
export type Settings = {
  [Name in keyof typeof settings as (typeof settings)[Name] extends Defaulted ? Name : never]: ValueOf<Name>;
} & {
  [Name in keyof typeof settings as (typeof settings)[Name] extends Defaulted ? never : Name]?:
    | ValueOf<Name>
    | undefined;
};

type ValueOf<Name extends keyof typeof settings> =
  (typeof settings)[Name]['kind'] extends Kind<infer Value> ? Value : never;
