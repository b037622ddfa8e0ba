import { PASSWORDS_PREFIX } from './keys/sign-in.ts';

/**
 * Parts of the table that a function reaches only if its `uses` declare them; all others are open to every function
 * that reads or writes the table at all. Patterns of partition keys, as IAM knows them. A function that may not reach
 * the messages may add entries to the log, as every change does, but reads none.
 */
export const areas = {
  /** What people wrote, and what others left beside it. */
  messages: [
    'LOG#*',
    'TEXTS#*',
    'REACTIONS#*',
    'SUBMESSAGES#*',
    'ARRIVALS#*',
    'DIGEST',
    'ROSTER#*',
    'SEARCH_INDEX',
    'SEARCH_RUN#*',
  ],
  /** What pages say that messages link to. */
  previews: ['PREVIEW#*'],
  /** Feeds of channels; their addresses may contain keys. */
  feeds: ['FEEDS'],
  drafts: ['DRAFTS#*'],
  scheduled: ['SCHEDULED#*'],
  queues: ['QUEUE#*', 'POLLS#*'],
  sockets: ['SOCKETS*', 'PUSHER*'],
  uploads: ['UPLOADS', 'UPLOADS#*', 'UPLOAD_SPACE#*', 'UNFINISHED_UPLOADS#*'],
  invitations: ['INVITATIONS', 'INVITED#*', 'MAILS#*'],
  exports: ['EXPORTS', 'EXPORT#*'],
  /** Attempts to sign in. */
  signIns: ['SIGN_IN#*'],
  /** Links that sign in once, or give an account another password. */
  signInLinks: ['SIGN_IN_LINK#*', 'PASSWORD_RESET#*'],
  /** New addresses that are not confirmed. */
  addressChanges: ['ADDRESS_CHANGE#*'],
  passwords: [`${PASSWORDS_PREFIX}*`],
  /** Answers that are kept for retries. */
  answers: ['KEYED_REQUESTS#*'],
} as const;

/**
 * Parts that every function may read, because it authenticates its caller, and that only functions may write which declare
 * the area: accounts with their addresses, roles, key digests and sessions.
 */
export const writeAreas = { accounts: ['ACCOUNT#*', 'USERS'] } as const;

/** The area of passwords can be limited to new ones, which are stored and never read. Due items are in an index alone. */
export type Area = keyof typeof areas | keyof typeof writeAreas | 'newPasswords' | 'due';

/** To these partitions every function that writes adds items, and reads them only with their area. */
export const addedByAll: readonly string[] = ['LOG#*'];

/** The index by time belongs to due items, the others belong to the messages that they order. */
export const areaOfIndex = { byConversation: 'messages', byChannel: 'messages', byDueTime: 'due' } as const;

export const folders = ['exports', 'pictures', 'uploads'] as const;

/** Kinds of stored files, by the folder that they lie in. */
export type Folder = (typeof folders)[number];
