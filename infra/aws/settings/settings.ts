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
    meaning: 'more tags of every resource, besides `service` and `stage`',
    example: 'team=chat,costCenter=42',
  },
  alarmEmail: {
    kind: email,
    meaning:
      'who is told by mail when an alarm or the budget fires; SNS first sends this address a link to confirm',
    otherwise: 'alarms only show in the console, unless `alarmTopicArn` is given',
    example: 'ops@example.org',
  },
  alarmTopicArn: {
    kind: arn('sns:[a-z0-9-]+:\\d{12}:[\\w-]+(\\.fifo)?', 'the ARN of an SNS topic'),
    meaning: 'a topic that alarms and the budget notify, for other ways than mail',
    example: 'arn:aws:sns:eu-west-1:123456789012:on-call',
  },
  monthlyBudgetDollars: {
    kind: number(1, 9_999_999),
    meaning:
      'warns at 80 % of this cost a month, and when the forecast exceeds it; the cost is that of the whole account',
    otherwise: 'no budget',
    example: '50',
  },
  budgetEmail: {
    kind: email,
    meaning: 'who is told about the budget, besides `alarmEmail` and the topic of alarms',
    example: 'ops@example.org',
  },
  tableKey: {
    kind: choice('aws-owned', 'aws-managed'),
    meaning:
      'the key that encrypts the table: one of AWS, which costs nothing, or the key `aws/dynamodb` of the account, whose uses CloudTrail records and KMS bills',
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
    meaning: 'its certificate: in the region of the deployment, or in us-east-1 with a firewall',
    example: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d',
  },
  firewall: {
    kind: onOrOff,
    meaning: 'adds the stack of the firewall',
    default: 'false',
  },
  requestsPerAddress: {
    kind: number(10, 999_999_999),
    meaning: 'requests of one address within a minute that the firewall lets through',
    default: '3000',
  },
  webAclArn: {
    kind: text(
      /^arn:aws:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]+\/[\w-]+$/,
      'the ARN of a global web ACL in us-east-1',
    ),
    meaning: 'the firewall, which adds the stack of the distribution in front of the API',
  },
} satisfies Record<string, Setting>;

const capacity = {
  accountConcurrency: {
    kind: number(10, 10_000_000),
    meaning:
      "the account's Lambda quota of concurrent executions, against which `pollerConcurrency` is checked",
    default: '1000',
  },
  poller: {
    kind: choice('function', 'web-function'),
    meaning:
      'what holds the polls of `GET /events`: one execution for each, or a web function for up to 128 at once, which adds two stacks ([many clients that wait](waiting.md))',
    default: 'function',
  },
  pollerConcurrency: {
    kind: number(1, 10_000_000),
    meaning:
      'reserves this many executions for `GET /events`: as many clients may wait at once, and they leave the others to the rest of the service',
    otherwise: "none reserved: waiting clients share the account's executions with everything else",
    example: '500',
  },
  provisionedConcurrency: {
    kind: number(1, 1_000),
    meaning:
      'keeps this many executions ready of each of the ten operations that a sign-in needs, so that the first people of a day do not wait for cold starts; $4.38 a month for each, so $44 for 1',
    otherwise: 'none: functions start when they are called',
    example: '1',
  },
  eventSocket: {
    kind: onOrOff,
    meaning:
      'the stack of the [event socket](waiting.md#sockets), whose clients have their events pushed instead of polling; `false` leaves it out',
    default: 'true',
  },
  gatherSeconds: {
    kind: number(0, 60),
    meaning:
      'how long what happens is gathered before it is pushed to sockets: fewer texts, which come later ([0004](../decisions/0004-event-socket.md))',
    default: '0',
  },
  requestsPerSecond: {
    kind: number(1, 10_000),
    meaning:
      'the rate beyond which the API answers 429, for each route that clients call often: events, messages, presence, typing, files',
    default: '1000',
  },
  requestBurst: {
    kind: number(1, 5_000),
    meaning: 'how many requests of such a route may come at once beyond that rate',
    default: '2000',
  },
  otherRequestsPerSecond: {
    kind: number(1, 10_000),
    meaning:
      'the rate of each other route; twice as many may come at once. AWS knows no rate for an API as a whole but that of the account',
    default: '50',
  },
  logDays: {
    kind: oneOf(...DAYS_IN_LOGS),
    meaning: 'how many days function logs and access logs are kept',
    default: '30',
  },
  tracing: {
    kind: onOrOff,
    meaning:
      'traces functions with X-Ray, at $5 for a million traces ([watching](watching.md#traces-and-lines-of-lambda))',
    default: 'false',
  },
  platformLogs: {
    kind: onOrOff,
    meaning:
      'keeps the lines that Lambda writes about each invocation, with the memory it took and the time of a cold start',
    default: 'false',
  },
} satisfies Record<string, Setting>;

const neighbours = {
  mailSender: {
    kind: text(/^[^@]*[^\s@]+@[^\s<>@]+\.[^\s<>@]+>?$/, 'a sender like Kiln <chat@example.org>'),
    meaning: 'the sender of mails ([mail](../operations.md#mail))',
    otherwise: 'no mail is sent, and people cannot be invited by mail',
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
      'private hosts, addresses and networks that outgoing webhooks and previews may reach besides the public Internet, each with an optional port ([requests to the outside](../operations.md#requests-to-the-outside))',
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
} satisfies Record<string, Setting>;

/** All settings by subject, as the page of settings shows them. */
export const settingsBySubject = {
  'The deployment': deployment,
  'Address and firewall': address,
  Capacity: capacity,
  Limits: limits,
  'Mail, notifications and calls': neighbours,
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
