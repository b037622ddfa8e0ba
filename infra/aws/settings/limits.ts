import { number, onOrOff, type Setting } from './kinds.ts';

const mebibytes = number(1, 999_999_999);
const count = number(1, 999_999);

/** What people and accounts may have. */
export const limits = {
  pollsPerPerson: {
    kind: number(1, 100),
    meaning:
      'polls of one person that may wait at once; bots of one owner may have three times as many ([0003](../decisions/0003-polls.md))',
    otherwise: '20',
    variable: 'POLLS_PER_PERSON',
  },
  maxFileMebibytes: {
    kind: number(1, 100),
    meaning:
      'what one file may have; what is larger than 4 MiB comes in pieces ([0012](../decisions/0012-files.md))',
    otherwise: '25',
    variable: 'MAX_FILE_MIB',
  },
  uploadQuotaMebibytes: {
    kind: mebibytes,
    meaning: 'what all uploaded files may come to ([0012](../decisions/0012-files.md))',
    otherwise: '51200',
    variable: 'UPLOAD_QUOTA_MIB',
  },
  accountUploadQuotaMebibytes: {
    kind: mebibytes,
    meaning: 'what the files of one account may come to',
    otherwise: '5120',
    variable: 'ACCOUNT_UPLOAD_QUOTA_MIB',
  },
  dailyUploadQuotaMebibytes: {
    kind: mebibytes,
    meaning: 'what one account may upload within 24 hours, deleted files included',
    otherwise: '2048',
    variable: 'DAILY_UPLOAD_QUOTA_MIB',
  },
  maxChannels: {
    kind: count,
    meaning:
      'channels of the organization, archived ones included ([0002](../decisions/0002-the-snapshot.md))',
    otherwise: '2000',
    variable: 'MAX_CHANNELS',
  },
  channelsPerDay: {
    kind: count,
    meaning: "channels that one account may create within 24 hours, unless it is an administrator's",
    otherwise: '200',
    variable: 'CHANNELS_PER_DAY',
  },
  maxUserGroups: {
    kind: count,
    meaning: 'active user groups ([0019](../decisions/0019-limits.md))',
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
    meaning: 'messages and reminders that one account may have scheduled, failed ones included',
    otherwise: '1000',
    variable: 'MAX_SCHEDULED',
  },
  confirmationsPerDay: {
    kind: count,
    meaning:
      'mails by which strangers of one network may ask to join, or for another password, within 24 hours; those who have an invitation link count for the link',
    otherwise: '20',
    variable: 'CONFIRMATIONS_PER_DAY',
  },
  creationsPerDay: {
    kind: count,
    meaning:
      "user groups, custom emoji, bots and invitation links, each by itself, that one account may create within 24 hours, unless it is an administrator's",
    otherwise: '100',
    variable: 'CREATIONS_PER_DAY',
  },
  inviterMinAgeDays: {
    kind: number(0, 3650),
    meaning: "how old an account must be to invite people, unless it is an administrator's",
    otherwise: '0',
    variable: 'INVITER_MIN_AGE_DAYS',
  },
  webPublicChannels: {
    kind: onOrOff,
    meaning:
      'whether the organization may have channels that anyone on the Internet can read, if it also switches on `enable_spectator_access`',
    otherwise: 'false',
    variable: 'WEB_PUBLIC_CHANNELS',
  },
} satisfies Record<string, Setting>;
