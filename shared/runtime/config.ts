import type { UploadQuotas } from '#shared/domain/uploads/space.ts';

/** So many requests are answered within a window; windows begin at multiples of their length. */
export interface RequestLimit {
  requests: number;
  windowSeconds: number;
}

/** So many are let through within a window, which begins with the first. */
export interface CountLimit {
  limit: number;
  windowSeconds: number;
}

/** What it takes to make a key of a password. */
export type PasswordCost = Argon2Cost | ScryptCost;

export interface Argon2Cost {
  /** Kibibytes, at least 8 for each lane. */
  memoryKib: number;
  passes: number;
  lanes: number;
}

/** Time and memory grow with `N` and `r`, time with `p`. */
export interface ScryptCost {
  N: number;
  r: number;
  p: number;
}

/** As OWASP recommends: argon2id, or scrypt of the same strength on a platform whose OpenSSL is older than 3.2. */
export function recommendedPasswordCost(openssl: string): PasswordCost {
  const [major = 0, minor = 0] = openssl.split('.').map(Number.parseFloat);
  const knowsArgon2 = major > 3 || (major === 3 && minor >= 2);
  return knowsArgon2 ? { memoryKib: 19 * 1024, passes: 2, lanes: 1 } : { N: 2 ** 15, r: 8, p: 3 };
}

const DAY_SECONDS = 24 * 3600;

/** What an operator may tune. The defaults are what the figures in `docs/decisions` were measured with. */
export interface Config {
  /** When the deployment began, or this process where it is all there is; clients take another one for a new server. */
  startedAtSeconds: number;
  /** How long a long poll waits before it answers; the gateway cuts a request near 30 s. */
  pollHoldMs: number;
  /** So many polls of a person, and of all bots of one owner, may wait at once. */
  pollLimits: { person: number; botsOfOwner: number };
  /** How often a waiting poll asks whether a newer one of its queue waits elsewhere. */
  pollLeaseCheckMs: number;
  /** A queue gets a heartbeat when the last one is this long ago. */
  heartbeatIntervalMs: number;
  /** How often a poll looks at the log, by the age of the last message for its queue: the last step that the age has reached. */
  lookSchedule: { fromAgeMs: number; everyMs: number }[];
  /** A hole in the log that is older is sealed. */
  sealGraceMs: number;
  /** In so many partitions the newest end of the log stands: the log itself, and copies that share its readers. */
  tailCopies: number;
  /** A waiting poll that reads a copy also looks into the log itself at least this often. */
  tailCheckIntervalMs: number;
  /** A queue's life is extended at most this often. */
  queueTouchIntervalMs: number;
  /** So many wrong passwords for one account are heard within the window. */
  signInFailures: CountLimit;
  /** Each request that is answered is a line of the log. */
  accessLog: boolean;
  /** What it costs to try a password. A hash keeps the cost that it was made with. */
  passwordCost: PasswordCost;
  /** Requests of one account, and of one address as far as they come without valid credentials. */
  requestLimits: {
    user: RequestLimit;
    address: RequestLimit;
    /** Of an account or an address: files, pictures, and what does not exist. */
    light: RequestLimit;
  };
  /** By this the distribution before the API proves itself; without one, requests come to the API directly. */
  originSecret: string | undefined;
  /** A published job that is still there after this time is published again. */
  jobRetryMs: number;
  /** The address that mails come from; without one the service sends none. */
  mailSender: string | undefined;
  /** So many mails may be asked for: invitations by everybody together, confirmations from and to an address. */
  mailLimits: { invitations: CountLimit; confirmationsFrom: CountLimit; confirmationsTo: CountLimit };
  /**
   * The snapshot of register may be so large, in bytes as a function writes it down: plain, and where it will be compressed. What
   * is left out is told by the first events of the queue.
   */
  snapshotBytes: { plain: number; compressed: number };
  /** Accounts that are younger may not invite people, unless they are administrators'. */
  inviterMinAgeSeconds: number;
  /** An export is written in parts: of so many positions of the log at most, and not much more than so many bytes. */
  exportPart: { positions: number; bytes: number };
  /** The search index grows by segments of so many positions of the log; so many of one size become a larger one. */
  searchSegment: { positions: number; fanout: number };
  /**
   * So many channels the organization may have, archived ones included, and so many of them one account may create within
   * the window, unless it is an administrator's.
   */
  channelLimits: { organization: number; account: CountLimit };
  /** So many people one account may bring into channels and take out within the window, by requests that name many. */
  pairLimit: CountLimit;
  /** Whether organizations may have channels that everybody on the Internet may read; each decides for itself. */
  webPublicChannels: boolean;
  /** A file may be so large; what is larger than one request comes in pieces. */
  maxFileMebibytes: number;
  /** What uploaded files may come to. */
  uploadQuotas: UploadQuotas;
  /** Once no message is too old any more, the sweep looks again after this. */
  retentionPauseSeconds: number;
  /** How long a function remembers whether anybody has a device to be notified. */
  pushMemoryMs: number;
  /** How long a function remembers whether the organization is deactivated. */
  closureMemoryMs: number;
  /** The push relay may take so long to answer. */
  relayTimeoutMs: number;
}

export const defaultConfig: Config = {
  startedAtSeconds: Math.floor(performance.timeOrigin / 1000),
  pollHoldMs: 25_000,
  pollLimits: { person: 20, botsOfOwner: 60 },
  pollLeaseCheckMs: 10_000,
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
  tailCopies: 1,
  tailCheckIntervalMs: 10_000,
  queueTouchIntervalMs: 60_000,
  signInFailures: { limit: 5, windowSeconds: 1800 },
  accessLog: false,
  passwordCost: recommendedPasswordCost(process.versions.openssl),
  requestLimits: {
    user: { requests: 200, windowSeconds: 60 },
    address: { requests: 100, windowSeconds: 60 },
    light: { requests: 1_200, windowSeconds: 60 },
  },
  jobRetryMs: 120_000,
  exportPart: { positions: 20_000, bytes: 16 * 1024 * 1024 },
  searchSegment: { positions: 1_000, fanout: 16 },
  originSecret: undefined,
  mailSender: undefined,
  mailLimits: {
    invitations: { limit: 2_000, windowSeconds: DAY_SECONDS },
    confirmationsFrom: { limit: 20, windowSeconds: DAY_SECONDS },
    confirmationsTo: { limit: 5, windowSeconds: DAY_SECONDS },
  },
  inviterMinAgeSeconds: 0,
  snapshotBytes: { plain: 5_700_000, compressed: 16_000_000 },
  pairLimit: { limit: 20_000, windowSeconds: DAY_SECONDS },
  channelLimits: { organization: 2_000, account: { limit: 200, windowSeconds: DAY_SECONDS } },
  webPublicChannels: false,
  maxFileMebibytes: 25,
  uploadQuotas: { organization: 51_200, account: 5_120, accountPerDay: 2_048 },
  retentionPauseSeconds: 3600,
  pushMemoryMs: 60_000,
  closureMemoryMs: 10_000,
  relayTimeoutMs: 8_000,
};

/** The defaults with what the environment of the process says otherwise. */
export const readConfig = (environment: Record<string, string | undefined>): Config => ({
  ...defaultConfig,
  ...(environment.DEPLOYED_AT && { startedAtSeconds: Number(environment.DEPLOYED_AT) }),
  webPublicChannels: environment.WEB_PUBLIC_CHANNELS === 'true',
  accessLog: environment.ACCESS_LOG === 'true',
  maxFileMebibytes: readMaxFile(environment.MAX_FILE_MIB),
  uploadQuotas: readUploadQuotas(environment),
  originSecret: environment.ORIGIN_SECRET || undefined,
  mailSender: environment.MAIL_SENDER || undefined,
  inviterMinAgeSeconds: Number(environment.INVITER_MIN_AGE_DAYS ?? 0) * DAY_SECONDS,
  tailCopies: readTailCopies(environment.TAIL_COPIES),
  pollLimits: readPollLimits(environment.POLLS_PER_PERSON),
  channelLimits: readChannelLimits(environment),
});

const MAX_POLLS_PER_PERSON = 100;
const BOTS_FOR_ONE_PERSON = 3;

/**
 * How many polls of a person may wait at once; the bots of one owner may have three times as many together.
 * @throws Error for what is no such number; all of them stand in one item, which each poll writes
 */
export function readPollLimits(text = '20'): Config['pollLimits'] {
  const person = Number(text);
  if (!/^\d{1,3}$/.test(text) || person < 1 || person > MAX_POLLS_PER_PERSON)
    throw new Error(
      `The polls of a person must be a number from 1 to ${MAX_POLLS_PER_PERSON}, not ${JSON.stringify(text)}`,
    );
  return { person, botsOfOwner: BOTS_FOR_ONE_PERSON * person };
}

/** @throws Error for what is no number of copies; each costs a unit for every KB that is written */
export function readTailCopies(text = '1'): number {
  if (!/^([1-9]|1\d|20)$/.test(text))
    throw new Error(`The number of tail copies must be from 1 to 20, not ${JSON.stringify(text)}`);
  return Number(text);
}

/** A file is put together within one request. */
const LARGEST_FILE_MEBIBYTES = 100;

/** @throws Error for what is no size that a file can have */
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
