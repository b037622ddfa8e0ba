import { number, onOrOff, type Setting } from './kinds.ts';

const mebibytes = number(1, 999_999_999);
const count = number(1, 999_999);

/** What people and accounts may have. */
export const limits = {
  pollsPerPerson: {
    kind: number(1, 100),
    meaning:
      'waiting polls of a person; three times as many for the bots of an owner ([0003](../decisions/0003-polls.md))',
    otherwise: '20',
    variable: 'POLLS_PER_PERSON',
  },
  maxFileMebibytes: {
    kind: number(1, 100),
    meaning: 'size of a file ([0012](../decisions/0012-files.md))',
    otherwise: '25',
    variable: 'MAX_FILE_MIB',
  },
  uploadQuotaMebibytes: {
    kind: mebibytes,
    meaning: 'size of all files',
    otherwise: '51200',
    variable: 'UPLOAD_QUOTA_MIB',
  },
  accountUploadQuotaMebibytes: {
    kind: mebibytes,
    meaning: 'size of the files of an account',
    otherwise: '5120',
    variable: 'ACCOUNT_UPLOAD_QUOTA_MIB',
  },
  dailyUploadQuotaMebibytes: {
    kind: mebibytes,
    meaning: 'size of an account’s uploads within 24 hours, deleted files included',
    otherwise: '2048',
    variable: 'DAILY_UPLOAD_QUOTA_MIB',
  },
  maxChannels: {
    kind: count,
    meaning: 'channels, archived ones included',
    otherwise: '2000',
    variable: 'MAX_CHANNELS',
  },
  channelsPerDay: {
    kind: count,
    meaning: 'channels that an account may create within 24 hours, administrators excepted',
    otherwise: '200',
    variable: 'CHANNELS_PER_DAY',
  },
  maxUserGroups: {
    kind: count,
    meaning: 'active user groups',
    otherwise: '2000',
    variable: 'MAX_USER_GROUPS',
  },
  maxCustomEmoji: {
    kind: count,
    meaning: 'active custom emoji',
    otherwise: '2000',
    variable: 'MAX_CUSTOM_EMOJI',
  },
  maxBotsOfOwner: {
    kind: count,
    meaning: 'active bots of one owner',
    otherwise: '100',
    variable: 'MAX_BOTS_OF_OWNER',
  },
  maxScheduled: {
    kind: count,
    meaning: 'scheduled messages and reminders of an account, failed ones included',
    otherwise: '1000',
    variable: 'MAX_SCHEDULED',
  },
  confirmationsPerDay: {
    kind: count,
    meaning:
      'confirmation and password mails to strangers of a network within 24 hours; users of an invitation link are counted by the link',
    otherwise: '20',
    variable: 'CONFIRMATIONS_PER_DAY',
  },
  creationsPerDay: {
    kind: count,
    meaning:
      'user groups, emoji, bots and invitation links, each, that an account may create within 24 hours, administrators excepted',
    otherwise: '100',
    variable: 'CREATIONS_PER_DAY',
  },
  inviterMinAgeDays: {
    kind: number(0, 3650),
    meaning: 'age in days from which an account may invite people, administrators excepted',
    otherwise: '0',
    variable: 'INVITER_MIN_AGE_DAYS',
  },
  webPublicChannels: {
    kind: onOrOff,
    meaning: 'allows web-public channels, if the organization also enables `enable_spectator_access`',
    otherwise: 'false',
    variable: 'WEB_PUBLIC_CHANNELS',
  },
} satisfies Record<string, Setting>;
