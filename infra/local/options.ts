import { checkEmail } from '#shared/domain/users/create.ts';
import { readMaxFile, readPollLimits } from '#shared/runtime/config.ts';
import type { NamedRelay } from './start.ts';
import { StartFailure } from './start-failure.ts';

/** What `npm start` may be told. */
export interface Options {
  port: number;
  host: string;
  /** Absent where nothing is kept. */
  dataDir: string | undefined;
  /** Absent where the embedded DynamoDB is used. */
  dynamodbEndpoint: string | undefined;
  organizationName: string;
  ownerEmail: string;
  ownerPassword: string | undefined;
  ownerMayChangeEmails: boolean;
  /** Lets an organization go on that an owner deactivated. */
  reactivates: boolean;
  /** Absent for the default of a local service. */
  requestsPerMinute: number | undefined;
  /** Absent where devices are not notified. */
  relay: NamedRelay | undefined;
}

export const help = `Usage: npm start

Runs the team chat service on this computer: the HTTP API, an embedded DynamoDB, the scheduler and the bus.
The first start creates the organization and its owner; later starts find them again. Ctrl-C ends it.

Environment variables:
  PORT               port of the HTTP API, 0 for any free one (9991)
  HOST               address to listen on (127.0.0.1)
  DATA_DIR           folder that keeps the data; :memory: keeps nothing (.data)
  DYNAMODB_ENDPOINT  address of another DynamoDB to use instead of the embedded one
  ORGANIZATION_NAME  name of the organization, read at the first start (Team Chat)
  OWNER_EMAIL        e-mail address of its owner, read at the first start (owner@example.com)
  WEB_PUBLIC_CHANNELS  true lets organizations have channels that everybody may read (false)
  MAX_FILE_MIB       how many mebibytes a file may have, from 1 to 100 (25)
  UPLOAD_QUOTA_MIB   how many mebibytes all uploaded files together may come to (51200)
  ACCOUNT_UPLOAD_QUOTA_MIB, DAILY_UPLOAD_QUOTA_MIB
                     the same for those of one account (5120), and what one account may upload in a day (2048)
  MAX_CHANNELS       how many channels the organization may have (2000)
  CHANNELS_PER_DAY   how many channels one account may create within 24 hours (200)
  OWNER_PASSWORD     password of its owner, read at the first start (none: sign in by API key)
  OWNER_MAY_CHANGE_EMAILS
                     true gives the owner the permission to change e-mail addresses of others (false)
  REACTIVATE         true lets an organization go on that an owner deactivated (false)
  REQUESTS_PER_MINUTE
                     how often one account may call (10000; on AWS 200), without credentials half as often
  POLLS_PER_PERSON   how many polls of one person may wait at once, from 1 to 100 (20); bots of one owner three times as many
  ACCESS_LOG         true prints a line about each request (false)
  PUSH_RELAY_URL     address of a push relay, through which devices are notified (none)
  PUSH_RELAY_USER, PUSH_RELAY_KEY
                     by what the relay knows this service

Options:
  --help             print this text

The owner's e-mail address and API key are printed, and written to DATA_DIR/owner.zuliprc for clients to read.
Mails are not sent: each becomes a file in DATA_DIR/outbox, or where the start says.`;

const NUMBERS = [
  'UPLOAD_QUOTA_MIB',
  'ACCOUNT_UPLOAD_QUOTA_MIB',
  'DAILY_UPLOAD_QUOTA_MIB',
  'MAX_CHANNELS',
  'CHANNELS_PER_DAY',
];

/** @throws StartFailure naming the variable that cannot be used */
export function readOptions(environment: NodeJS.ProcessEnv): Options {
  const setting = (name: string): string | undefined => environment[name]?.trim() || undefined;
  for (const name of NUMBERS) requireNumber(name, setting(name));
  requirePolls(setting('POLLS_PER_PERSON'));
  // What the configuration reads as well.
  readSwitch('ACCESS_LOG', setting('ACCESS_LOG'));
  requireFileSize(setting('MAX_FILE_MIB'));
  const dataDir = setting('DATA_DIR') ?? '.data';
  return {
    port: readPort(setting('PORT') ?? '9991'),
    host: setting('HOST') ?? '127.0.0.1',
    dataDir: dataDir === ':memory:' ? undefined : dataDir,
    dynamodbEndpoint: readAddress('DYNAMODB_ENDPOINT', setting('DYNAMODB_ENDPOINT')),
    organizationName: setting('ORGANIZATION_NAME') ?? 'Team Chat',
    ownerEmail: readEmail(setting('OWNER_EMAIL') ?? 'owner@example.com'),
    ownerPassword: environment.OWNER_PASSWORD || undefined,
    ownerMayChangeEmails: readSwitch('OWNER_MAY_CHANGE_EMAILS', setting('OWNER_MAY_CHANGE_EMAILS')),
    reactivates: readSwitch('REACTIVATE', setting('REACTIVATE')),
    requestsPerMinute: readRequests(setting('REQUESTS_PER_MINUTE')),
    relay: readRelay(setting),
  };
}

function readPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new StartFailure(`PORT must be a number from 0 to 65535, not ${JSON.stringify(text)}.`);
  return Number(text);
}

/** What the configuration reads as well. */
function requireNumber(name: string, text = '0'): void {
  if (!/^\d{1,9}$/.test(text))
    throw new StartFailure(`${name} must be a number, not ${JSON.stringify(text)}.`);
}

/** What the configuration reads as well. */
function requirePolls(text: string | undefined): void {
  try {
    readPollLimits(text);
  } catch {
    throw new StartFailure(`POLLS_PER_PERSON must be a number from 1 to 100, not ${JSON.stringify(text)}.`);
  }
}

/** What the configuration reads as well. */
function requireFileSize(text: string | undefined): void {
  try {
    readMaxFile(text);
  } catch {
    throw new StartFailure(`MAX_FILE_MIB must be a number from 1 to 100, not ${JSON.stringify(text)}.`);
  }
}

function readRequests(text: string | undefined): number | undefined {
  if (text !== undefined && !/^[1-9]\d{0,8}$/.test(text))
    throw new StartFailure(`REQUESTS_PER_MINUTE must be a number from 1 on, not ${JSON.stringify(text)}.`);
  return text === undefined ? undefined : Number(text);
}

function readAddress(name: string, text: string | undefined): string | undefined {
  if (text !== undefined && !/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new StartFailure(`${name} must be an http address, not ${JSON.stringify(text)}.`);
  return text;
}

function readRelay(setting: (name: string) => string | undefined): NamedRelay | undefined {
  const url = readAddress('PUSH_RELAY_URL', setting('PUSH_RELAY_URL'));
  if (url === undefined) return undefined;
  const [user, key] = [setting('PUSH_RELAY_USER'), setting('PUSH_RELAY_KEY')];
  if (!user || !key)
    throw new StartFailure('PUSH_RELAY_URL takes PUSH_RELAY_USER and PUSH_RELAY_KEY as well.');
  return { url, user, key };
}

function readSwitch(name: string, text = 'false'): boolean {
  if (text !== 'true' && text !== 'false')
    throw new StartFailure(`${name} must be true or false, not ${JSON.stringify(text)}.`);
  return text === 'true';
}

function readEmail(text: string): string {
  try {
    return checkEmail(text);
  } catch {
    throw new StartFailure(`OWNER_EMAIL must be an e-mail address, not ${JSON.stringify(text)}.`);
  }
}
