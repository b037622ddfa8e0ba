import { gifProviderNames } from '#shared/domain/gifs/providers.ts';
import { checkEmail } from '#shared/domain/users/create.ts';
import { MIN_JWT_KEY_LENGTH, readMaxFile, readPollLimits } from '#shared/runtime/config.ts';
import { readOpenings } from '#shared/runtime/outside/openings.ts';
import type { NamedRelay } from './start.ts';
import { SettingFailure } from './start-failure.ts';

/** The settings of `npm start`. */
export interface Options {
  port: number;
  host: string;
  /** Absent when data is kept in memory. */
  dataDir: string | undefined;
  /** Absent for the file in the data folder. */
  dynamodbEndpoint: string | undefined;
  organizationName: string;
  language: string | undefined;
  ownerEmail: string;
  ownerPassword: string | undefined;
  ownerMayChangeEmails: boolean;
  /** Reactivates an organization that an owner has deactivated. */
  reactivates: boolean;
  /** Absent for the local default. */
  requestsPerMinute: number | undefined;
  /** Each answer contains the consumption of the request. */
  showsUnits: boolean;
  /** Gives the API key of any account to programs on this machine. */
  devKeys: boolean;
  /** Absent without push notifications. */
  relay: NamedRelay | undefined;
}

export const help = `Usage: npm start

Runs the team chat service on this computer: the HTTP API, its table, the scheduler and the bus.
The first start creates the organization and its owner; later starts find them again. Ctrl-C ends it.

Environment variables:
  PORT               port of the HTTP API, 0 for any free one (9991)
  HOST               address to listen on (127.0.0.1)
  DATA_DIR           folder that keeps the data; :memory: keeps nothing (.data)
  DYNAMODB_ENDPOINT  address of a DynamoDB to use in place of the table's file
  ORGANIZATION_NAME  name of the organization, read at the first start (Team Chat)
  ORGANIZATION_LANGUAGE
                     its default language, read at the first start: en, de, ja or ar (en)
  OWNER_EMAIL        e-mail address of its owner, read at the first start (owner@example.com)
  WEB_PUBLIC_CHANNELS  true allows channels that anyone may read (false)
  MAX_FILE_MIB       size of a file in mebibytes, from 1 to 100 (25)
  UPLOAD_QUOTA_MIB   size of all uploaded files in mebibytes (51200)
  ACCOUNT_UPLOAD_QUOTA_MIB, DAILY_UPLOAD_QUOTA_MIB
                     the same for one account (5120), and for its uploads of a day (2048)
  MAX_CHANNELS       number of channels (2000)
  CHANNELS_PER_DAY   channels that one account may create within 24 hours (200)
  MAX_USER_GROUPS, MAX_CUSTOM_EMOJI
                     number of active user groups and custom emoji (2000 each)
  MAX_BOTS_OF_OWNER  active bots of one owner (100)
  MAX_SCHEDULED      scheduled messages and reminders of one account (1000)
  CREATIONS_PER_DAY  groups, emoji, bots or invitation links that one account may create within 24 hours (100 each)
  OWNER_PASSWORD     password of its owner, read at the first start (none: sign in by API key)
  OWNER_MAY_CHANGE_EMAILS
                     true lets the owner change e-mail addresses of others (false)
  REACTIVATE         true reactivates an organization that an owner deactivated (false)
  REQUESTS_PER_MINUTE
                     requests of one account in a minute (10000; on AWS 200), half without credentials
  POLLS_PER_PERSON   waiting polls of one person, from 1 to 100 (20); three times as many for the bots of one owner
  ACCESS_LOG         true prints a line about each request (false)
  DEV_KEYS           true adds POST /dev_fetch_api_key, which returns the key of any account; needs a loopback
                     HOST (false)
  CONSUMED_UNITS     true adds the consumed units to each answer (false)
  BIG_BLUE_BUTTON_URL, BIG_BLUE_BUTTON_SECRET
                     a BigBlueButton server for calls, and the secret that it shares with this service (none)
  ZOOM_ACCOUNT_ID, ZOOM_CLIENT_ID, ZOOM_CLIENT_SECRET
                     a server-to-server app at Zoom, which creates calls (none)
  ZOOM_TOKEN_URL, ZOOM_API_URL
                     where another Zoom than zoom.us issues tokens, and its API
  GIF_PROVIDER, GIF_KEY
                     giphy or klipy, whose GIFs people find in the web client, and the key of this service there (none)
  GIF_API_URL        where another service has the API of that provider
  JWT_AUTH_KEY       key of at least 32 characters; whoever has a JSON web token that is signed with it gets the API
                     key of the person whom its claim email names, by POST /jwt/fetch_api_key (none)
  OUTGOING_ALLOW     hosts, addresses and networks, each with an optional port, that outgoing webhooks and previews may
                     reach besides the public Internet, like localhost:5002,10.0.0.0/8 (none)
  PUSH_RELAY_URL     address of a push relay, through which devices are notified (none)
  PUSH_RELAY_USER, PUSH_RELAY_KEY
                     account of this service at the relay

Options:
  --help             print this text

The owner's e-mail address and API key are printed, and written to DATA_DIR/owner.zuliprc for clients to read.
Mails are not sent: each becomes a file in DATA_DIR/outbox, or in the folder that the start prints.

Example:
  PORT=8080 DATA_DIR=:memory: npm start`;

/** The languages of the texts that a new organization begins with. */
const LANGUAGES = ['en', 'de', 'ja', 'ar'];

const NUMBERS = [
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
  'CONFIRMATIONS_PER_DAY',
];

/** @throws StartFailure with the name of the invalid variable */
export function readOptions(environment: NodeJS.ProcessEnv): Options {
  const setting = (name: string): string | undefined => environment[name]?.trim() || undefined;
  for (const name of NUMBERS) requireNumber(name, setting(name));
  requirePolls(setting('POLLS_PER_PERSON'));
  // The configuration reads it too; checked here for a better error.
  readSwitch('ACCESS_LOG', setting('ACCESS_LOG'));
  requireFileSize(setting('MAX_FILE_MIB'));
  requireCallServer(setting);
  requireZoomApp(setting);
  requireGifs(setting);
  requireJwtKey(setting('JWT_AUTH_KEY'));
  requireOpenings(setting('OUTGOING_ALLOW'));
  const dataDir = setting('DATA_DIR') ?? '.data';
  return {
    port: readPort(setting('PORT') ?? '9991'),
    host: setting('HOST') ?? '127.0.0.1',
    dataDir: dataDir === ':memory:' ? undefined : dataDir,
    dynamodbEndpoint: readAddress('DYNAMODB_ENDPOINT', setting('DYNAMODB_ENDPOINT')),
    organizationName: setting('ORGANIZATION_NAME') ?? 'Team Chat',
    language: readLanguage(setting('ORGANIZATION_LANGUAGE')),
    ownerEmail: readEmail(setting('OWNER_EMAIL') ?? 'owner@example.com'),
    ownerPassword: environment.OWNER_PASSWORD || undefined,
    ownerMayChangeEmails: readSwitch('OWNER_MAY_CHANGE_EMAILS', setting('OWNER_MAY_CHANGE_EMAILS')),
    reactivates: readSwitch('REACTIVATE', setting('REACTIVATE')),
    requestsPerMinute: readRequests(setting('REQUESTS_PER_MINUTE')),
    showsUnits: readSwitch('CONSUMED_UNITS', setting('CONSUMED_UNITS')),
    devKeys: readSwitch('DEV_KEYS', setting('DEV_KEYS')),
    relay: readRelay(setting),
  };
}

function readPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new SettingFailure(`PORT must be a number from 0 to 65535, not ${JSON.stringify(text)}.`);
  return Number(text);
}

/** The configuration reads it too; checked here for a better error. */
function requireNumber(name: string, text = '0'): void {
  if (!/^\d{1,9}$/.test(text))
    throw new SettingFailure(`${name} must be a number, not ${JSON.stringify(text)}.`);
}

/** The configuration reads it too; checked here for a better error. */
function requireCallServer(setting: (name: string) => string | undefined): void {
  const url = readAddress('BIG_BLUE_BUTTON_URL', setting('BIG_BLUE_BUTTON_URL'));
  if ((url === undefined) !== (setting('BIG_BLUE_BUTTON_SECRET') === undefined))
    throw new SettingFailure('BIG_BLUE_BUTTON_URL and BIG_BLUE_BUTTON_SECRET are given together.');
}

const ZOOM_CREDENTIALS = ['ZOOM_ACCOUNT_ID', 'ZOOM_CLIENT_ID', 'ZOOM_CLIENT_SECRET'];

/** The configuration reads it too; checked here for a better error. */
function requireZoomApp(setting: (name: string) => string | undefined): void {
  for (const name of ['ZOOM_TOKEN_URL', 'ZOOM_API_URL']) readAddress(name, setting(name));
  const input = ZOOM_CREDENTIALS.filter((name) => setting(name) !== undefined);
  if (input.length > 0 && input.length < ZOOM_CREDENTIALS.length)
    throw new SettingFailure(`${ZOOM_CREDENTIALS.join(', ')} are given together.`);
}

/** The configuration reads it too; checked here for a better error. */
function requireGifs(setting: (name: string) => string | undefined): void {
  readAddress('GIF_API_URL', setting('GIF_API_URL'));
  const name = setting('GIF_PROVIDER');
  if ((name === undefined) !== (setting('GIF_KEY') === undefined))
    throw new SettingFailure('GIF_PROVIDER and GIF_KEY are given together.');
  if (name !== undefined && !gifProviderNames.some((gifProviderName) => gifProviderName === name))
    throw new SettingFailure(
      `GIF_PROVIDER must be ${gifProviderNames.join(' or ')}, not ${JSON.stringify(name)}.`,
    );
}

/** @throws StartFailure for a short key: a guess would give access to every account */
function requireJwtKey(key: string | undefined): void {
  if (key !== undefined && key.length < MIN_JWT_KEY_LENGTH)
    throw new SettingFailure(`JWT_AUTH_KEY must have at least ${MIN_JWT_KEY_LENGTH} characters.`);
}

/** The configuration reads it too; checked here for a better error. */
function requireOpenings(text: string | undefined): void {
  try {
    readOpenings(text);
  } catch (failure) {
    throw new SettingFailure(`OUTGOING_ALLOW: ${(failure as Error).message}.`);
  }
}

/** The configuration reads it too; checked here for a better error. */
function requirePolls(text: string | undefined): void {
  try {
    readPollLimits(text);
  } catch {
    throw new SettingFailure(`POLLS_PER_PERSON must be a number from 1 to 100, not ${JSON.stringify(text)}.`);
  }
}

/** The configuration reads it too; checked here for a better error. */
function requireFileSize(text: string | undefined): void {
  try {
    readMaxFile(text);
  } catch {
    throw new SettingFailure(`MAX_FILE_MIB must be a number from 1 to 100, not ${JSON.stringify(text)}.`);
  }
}

function readRequests(text: string | undefined): number | undefined {
  if (text !== undefined && !/^[1-9]\d{0,8}$/.test(text))
    throw new SettingFailure(`REQUESTS_PER_MINUTE must be a number from 1 on, not ${JSON.stringify(text)}.`);
  return text === undefined ? undefined : Number(text);
}

function readAddress(name: string, text: string | undefined): string | undefined {
  if (text !== undefined && !/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new SettingFailure(`${name} must be an http address, not ${JSON.stringify(text)}.`);
  return text;
}

function readRelay(setting: (name: string) => string | undefined): NamedRelay | undefined {
  const url = readAddress('PUSH_RELAY_URL', setting('PUSH_RELAY_URL'));
  if (url === undefined) return undefined;
  const [user, key] = [setting('PUSH_RELAY_USER'), setting('PUSH_RELAY_KEY')];
  if (!user || !key)
    throw new SettingFailure('PUSH_RELAY_URL takes PUSH_RELAY_USER and PUSH_RELAY_KEY as well.');
  return { url, user, key };
}

function readSwitch(name: string, text = 'false'): boolean {
  if (text !== 'true' && text !== 'false')
    throw new SettingFailure(`${name} must be true or false, not ${JSON.stringify(text)}.`);
  return text === 'true';
}

function readLanguage(language: string | undefined): string | undefined {
  if (language !== undefined && !LANGUAGES.includes(language))
    throw new SettingFailure(
      `ORGANIZATION_LANGUAGE must be one of ${LANGUAGES.join(', ')}, not ${JSON.stringify(language)}.`,
    );
  return language;
}

function readEmail(text: string): string {
  try {
    return checkEmail(text);
  } catch {
    throw new SettingFailure(`OWNER_EMAIL must be an e-mail address, not ${JSON.stringify(text)}.`);
  }
}
