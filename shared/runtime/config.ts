import { type GifProviderName, gifAddresses, gifProviderNames } from '#shared/domain/gifs/providers.ts';
import type { CallServers } from '#shared/domain/organization/video-calls.ts';
import type { UploadQuotas } from '#shared/domain/uploads/space.ts';
import { type Opening, readOpenings } from './outside/openings.ts';

/** A Zoom app of the kind "server to server", which acts for all accounts of an organization at Zoom. */
export interface ZoomApp {
  accountId: string;
  clientId: string;
  clientSecret: string;
  /** Where tokens are issued, and the API. */
  tokenUrl: string;
  apiUrl: string;
}

/** A video call server, and the secret that it shares with this service. */
export interface BigBlueButton {
  url: string;
  secret: string;
}

/** The maximum of requests per window; windows start at multiples of their length. */
export interface RequestLimit {
  requests: number;
  windowSeconds: number;
}

/** The maximum per window; a window starts with the first event. */
export interface CountLimit {
  limit: number;
  windowSeconds: number;
}

/** The cost of hashing a password. */
export type PasswordCost = Argon2Cost | ScryptCost;

export interface Argon2Cost {
  /** Kibibytes, at least 8 per lane. */
  memoryKib: number;
  passes: number;
  lanes: number;
}

/** `N` and `r` scale time and memory, `p` scales time. */
export interface ScryptCost {
  N: number;
  r: number;
  p: number;
}

/**
 * OWASP's recommendation: argon2id, or scrypt of the same strength on platforms with an OpenSSL before 3.2.
 */
export function recommendedPasswordCost(openssl: string): PasswordCost {
  const [major = 0, minor = 0] = openssl.split('.').map(Number.parseFloat);
  const knowsArgon2 = major > 3 || (major === 3 && minor >= 2);
  return knowsArgon2 ? { memoryKib: 19 * 1024, passes: 2, lanes: 1 } : { N: 2 ** 15, r: 8, p: 3 };
}

const DAY_SECONDS = 24 * 3600;

/** The settings of an operator. The figures in `docs/decisions` were measured with the defaults. */
export interface Config {
  /**
   * When the deployment started, or this process when there is only one; clients treat a change as a new
   * server.
   */
  startedAtSeconds: number;
  /** How long a long poll waits; the gateway ends requests near 30 s. */
  pollHoldMs: number;
  /** The maximum of waiting polls of a person, and of all bots of one owner. */
  pollLimits: { person: number; botsOfOwner: number };
  /** How often a waiting poll checks whether a newer one has superseded it. */
  pollLeaseCheckMs: number;
  /** How long a socket stays open; its client then opens another one. */
  socketSeconds: number;
  /** So many sockets have one pusher. Beyond that, new ones are dealt to further parts, each with one of its own. */
  socketsOfPusher: number;
  /** The time between heartbeats of a queue. */
  heartbeatIntervalMs: number;
  /**
   * The interval between reads of the log, by the time since the last message for the queue: the last step
   * that this age has reached.
   */
  lookSchedule: { fromAgeMs: number; everyMs: number }[];
  /** Holes in the log older than this are sealed. */
  sealGraceMs: number;
  /** The minimum time between extensions of a queue's life. */
  queueTouchIntervalMs: number;
  /** The maximum of wrong passwords per account and window. */
  signInFailures: CountLimit;
  /** For all networks together; it does not block those from which the account has signed in. */
  signInFailuresOfAccount: CountLimit;
  /** Logs one line per answered request. */
  accessLog: boolean;
  /** The cost of checking a password. A hash keeps the cost that it was made with. */
  passwordCost: PasswordCost;
  /** The limits per account, and per address for requests without valid credentials. */
  requestLimits: {
    user: RequestLimit;
    address: RequestLimit;
    /** Per account or address: files, pictures and unknown paths. */
    light: RequestLimit;
    /** Per API token or account: calls of tools by agents. */
    agent: RequestLimit;
  };
  /** The video call server, if there is one, and its secret, which only functions that call it have. */
  bigBlueButton: { url?: string | undefined; secret?: string | undefined };
  /** The provider of GIFs, if there is one, where its API is, and the key, which only functions that call it have. */
  gifs: { provider?: GifProviderName | undefined; url?: string | undefined; key?: string | undefined };
  /** The maximum of searches for GIFs of one account that reach the provider. */
  gifLimit: CountLimit;
  /** The Zoom app that creates calls; absent without one. Its secret may be stored apart. */
  zoom: (Omit<ZoomApp, 'clientSecret'> & { clientSecret?: string | undefined }) | undefined;
  /** The key of JSON web tokens that sign people in, unless it is stored apart. */
  jwtKey: string | undefined;
  /** Identifies the proxy before the service; absent when requests come directly. On AWS it is a service. */
  originSecret: string | undefined;
  /** A published job that is unfinished after this time is published again. */
  jobRetryMs: number;
  /** The sender of mails; without one the service sends none. */
  mailSender: string | undefined;
  /** The maximum of requested mails: invitations in total, confirmations from and to an address. */
  mailLimits: {
    invitations: CountLimit;
    /** From one network address. */
    confirmationsFrom: CountLimit;
    /** By one invitation link, from everywhere. */
    confirmationsBy: CountLimit;
    /** To one e-mail address: asked for from one network, and from everywhere. */
    confirmationsTo: CountLimit;
    confirmationsToAll: CountLimit;
  };
  /**
   * The maximum size of a register reply, in encoded bytes: plain, and if it will be compressed. The rest
   * follows as the first events of the queue.
   */
  snapshotBytes: { plain: number; compressed: number };
  /** Younger accounts may not invite people, except administrators. */
  inviterMinAgeSeconds: number;
  /** The size of an export's parts: at most this many log positions, and about this many bytes. */
  exportPart: { positions: number; bytes: number };
  /**
   * The search index grows by segments of this many log positions; this many of one size are merged into a
   * larger one.
   */
  searchSegment: { positions: number; fanout: number };
  /**
   * The maximum of channels in the organization, archived ones included, and of channels that a
   * non-administrator may create per window.
   */
  channelLimits: { organization: number; account: CountLimit };
  /**
   * The maximum of active things: user groups and custom emoji of the organization, bots of one owner,
   * scheduled messages and reminders of one account; and of groups, emoji, bots or invitation links that a
   * non-administrator may create per window.
   */
  recordLimits: {
    userGroups: number;
    customEmoji: number;
    botsOfOwner: number;
    scheduledOfAccount: number;
    createdByAccount: CountLimit;
  };
  /**
   * The maximum of people that one account may subscribe or unsubscribe per window, by requests that name
   * many.
   */
  pairLimit: CountLimit;
  /**
   * Whether organizations may have channels that are readable by anyone on the Internet; each organization
   * decides for itself.
   */
  webPublicChannels: boolean;
  /** The maximum size of a file; files larger than one request are uploaded in pieces. */
  maxFileMebibytes: number;
  /** The quotas of uploaded files. */
  uploadQuotas: UploadQuotas;
  /** After all expired messages are deleted, the sweep waits this long before the next check. */
  retentionPauseSeconds: number;
  /** How long a function caches whether any device exists. */
  pushMemoryMs: number;
  /** How long a function caches whether the organization is deactivated. */
  closureMemoryMs: number;
  /** The timeout of the push relay. */
  relayTimeoutMs: number;
  /** The pause before the second try of an outgoing webhook; later ones are multiples of it. */
  webhookPauseMs: number;
  /** What requests to addresses of strangers may reach besides the public Internet. */
  openings: Opening[];
}

/** The call servers that the deployment has. */
export const callServersOf = ({ bigBlueButton, zoom }: Config): CallServers => ({
  hasBigBlueButton: bigBlueButton.url !== undefined,
  hasZoom: zoom !== undefined,
});

export const defaultConfig: Config = {
  startedAtSeconds: Math.floor(performance.timeOrigin / 1000),
  pollHoldMs: 25_000,
  pollLimits: { person: 20, botsOfOwner: 60 },
  pollLeaseCheckMs: 10_000,
  socketSeconds: 2 * 3600,
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
  signInFailures: { limit: 5, windowSeconds: 1800 },
  signInFailuresOfAccount: { limit: 100, windowSeconds: 1800 },
  accessLog: false,
  passwordCost: recommendedPasswordCost(process.versions.openssl),
  requestLimits: {
    user: { requests: 200, windowSeconds: 60 },
    address: { requests: 100, windowSeconds: 60 },
    light: { requests: 1_200, windowSeconds: 60 },
    agent: { requests: 60, windowSeconds: 60 },
  },
  jobRetryMs: 120_000,
  exportPart: { positions: 20_000, bytes: 16 * 1024 * 1024 },
  searchSegment: { positions: 1_000, fanout: 16 },
  originSecret: undefined,
  bigBlueButton: {},
  gifs: {},
  gifLimit: { limit: 120, windowSeconds: 600 },
  zoom: undefined,
  jwtKey: undefined,
  mailSender: undefined,
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
  retentionPauseSeconds: 3600,
  pushMemoryMs: 60_000,
  closureMemoryMs: 10_000,
  relayTimeoutMs: 8_000,
  webhookPauseMs: 1_000,
  openings: [],
};

/** The defaults, overridden by environment variables. */
export const readConfig = (environment: Record<string, string | undefined>): Config => ({
  ...defaultConfig,
  ...(environment.DEPLOYED_AT && { startedAtSeconds: Number(environment.DEPLOYED_AT) }),
  webPublicChannels: environment.WEB_PUBLIC_CHANNELS === 'true',
  accessLog: environment.ACCESS_LOG === 'true',
  maxFileMebibytes: readMaxFile(environment.MAX_FILE_MIB),
  uploadQuotas: readUploadQuotas(environment),
  originSecret: environment.ORIGIN_SECRET || undefined,
  bigBlueButton: {
    url: environment.BIG_BLUE_BUTTON_URL || undefined,
    secret: environment.BIG_BLUE_BUTTON_SECRET || undefined,
  },
  gifs: readGifs(environment),
  zoom: readZoom(environment),
  jwtKey: environment.JWT_AUTH_KEY || undefined,
  mailSender: environment.MAIL_SENDER || undefined,
  openings: readOpenings(environment.OUTGOING_ALLOW),
  inviterMinAgeSeconds: Number(environment.INVITER_MIN_AGE_DAYS ?? 0) * DAY_SECONDS,
  pollLimits: readPollLimits(environment.POLLS_PER_PERSON),
  channelLimits: readChannelLimits(environment),
  recordLimits: readRecordLimits(environment),
  mailLimits: readMailLimits(environment),
});

/** @throws Error for an unknown provider */
export function readGifs({
  GIF_PROVIDER: name,
  GIF_API_URL: url,
  GIF_KEY: key,
}: Record<string, string | undefined>): Config['gifs'] {
  if (!name) return {};
  const provider = gifProviderNames.find((gifProviderName) => gifProviderName === name);
  if (!provider)
    throw new Error(`The GIF provider must be ${gifProviderNames.join(' or ')}, not ${JSON.stringify(name)}`);
  return { provider, url: url || gifAddresses[provider], key: key || undefined };
}

/** A shorter key of JSON web tokens can be guessed. */
export const MIN_JWT_KEY_LENGTH = 32;

function readZoom(environment: Record<string, string | undefined>): Config['zoom'] {
  const { ZOOM_ACCOUNT_ID: accountId, ZOOM_CLIENT_ID: clientId } = environment;
  if (!accountId || !clientId) return undefined;
  const clientSecret = environment.ZOOM_CLIENT_SECRET || undefined;
  const tokenUrl = environment.ZOOM_TOKEN_URL || 'https://zoom.us/oauth/token';
  const apiUrl = environment.ZOOM_API_URL || 'https://api.zoom.us/v2';
  return { accountId, clientId, clientSecret, tokenUrl, apiUrl };
}

const MAX_POLLS_PER_PERSON = 100;
const BOTS_FOR_ONE_PERSON = 3;

/**
 * The maximum of waiting polls per person; bots of one owner may have three times as many together. Limited
 * because they share one item, which each poll writes.
 * @throws Error for an invalid number
 */
export function readPollLimits(text = '20'): Config['pollLimits'] {
  const person = Number(text);
  if (!/^\d{1,3}$/.test(text) || person < 1 || person > MAX_POLLS_PER_PERSON)
    throw new Error(
      `The polls of a person must be a number from 1 to ${MAX_POLLS_PER_PERSON}, not ${JSON.stringify(text)}`,
    );
  return { person, botsOfOwner: BOTS_FOR_ONE_PERSON * person };
}

/** Files are assembled within one request. */
const LARGEST_FILE_MEBIBYTES = 100;

/** @throws Error for an invalid file size */
export function readMaxFile(text = '25'): number {
  if (!/^[1-9]\d{0,2}$/.test(text) || Number(text) > LARGEST_FILE_MEBIBYTES)
    throw new Error(
      `The largest file must be from 1 to ${LARGEST_FILE_MEBIBYTES} mebibytes, not ${JSON.stringify(text)}`,
    );
  return Number(text);
}

function readUploadQuotas({
  UPLOAD_QUOTA_MIB,
  ACCOUNT_UPLOAD_QUOTA_MIB,
  DAILY_UPLOAD_QUOTA_MIB,
}: Record<string, string | undefined>): UploadQuotas {
  const { organization, account, accountPerDay } = defaultConfig.uploadQuotas;
  return {
    organization: Number(UPLOAD_QUOTA_MIB || organization),
    account: Number(ACCOUNT_UPLOAD_QUOTA_MIB || account),
    accountPerDay: Number(DAILY_UPLOAD_QUOTA_MIB || accountPerDay),
  };
}

function readChannelLimits({
  MAX_CHANNELS,
  CHANNELS_PER_DAY,
}: Record<string, string | undefined>): Config['channelLimits'] {
  const { organization, account } = defaultConfig.channelLimits;
  return {
    organization: Number(MAX_CHANNELS || organization),
    account: { ...account, limit: Number(CHANNELS_PER_DAY || account.limit) },
  };
}

function readRecordLimits(environment: Record<string, string | undefined>): Config['recordLimits'] {
  const { userGroups, customEmoji, botsOfOwner, scheduledOfAccount, createdByAccount } =
    defaultConfig.recordLimits;
  return {
    userGroups: Number(environment.MAX_USER_GROUPS || userGroups),
    customEmoji: Number(environment.MAX_CUSTOM_EMOJI || customEmoji),
    botsOfOwner: Number(environment.MAX_BOTS_OF_OWNER || botsOfOwner),
    scheduledOfAccount: Number(environment.MAX_SCHEDULED || scheduledOfAccount),
    createdByAccount: {
      ...createdByAccount,
      limit: Number(environment.CREATIONS_PER_DAY || createdByAccount.limit),
    },
  };
}

function readMailLimits({ CONFIRMATIONS_PER_DAY }: Record<string, string | undefined>): Config['mailLimits'] {
  const { mailLimits } = defaultConfig;
  const { confirmationsFrom } = mailLimits;
  const limit = Number(CONFIRMATIONS_PER_DAY || confirmationsFrom.limit);
  return { ...mailLimits, confirmationsFrom: { ...confirmationsFrom, limit } };
}
