import type { FunctionUses } from './functions.ts';
import { OUTSIDE_FUNCTION } from './names.ts';

export const EXPORT_WORKER = 'export-data';
/** A full processor, and memory for the private data of all users at once. */
export const EXPORT_MEMORY_MEGABYTES = 2048;

export const ERASING_WORKER = 'erase-organization';

export const PREVIEW_WORKER = 'preview-links';
/** A full processor, as for uploaded pictures. */
export const PREVIEW_MEMORY_MEGABYTES = 1769;

/** Workers process what requests leave behind; clients cannot call them. */
const EVERY_WORKER = { table: 'write', bus: true } as const;

const EVERY_SOCKET = { table: 'write', socketAddress: true, connections: true } as const;

/** The uses of each worker; device keys are encrypted with the secret. */
export const workerUses = (hasRelay: boolean): Record<string, FunctionUses> => ({
  'deliver-scheduled-message': {
    ...EVERY_WORKER,
    areas: ['accounts', 'messages', 'scheduled', 'uploads', 'drafts'],
  },
  /** Jobs also send mails, which contain keys derived from the secret, and delete files. */
  'run-job': {
    ...EVERY_WORKER,
    areas: [
      'accounts',
      'messages',
      'drafts',
      'scheduled',
      'uploads',
      'invitations',
      'exports',
      'signInLinks',
      'addressChanges',
    ],
    mail: true,
    secret: true,
    relay: true,
    outside: true,
    files: 'write',
    folders: ['uploads', 'pictures'],
  },
  [PREVIEW_WORKER]: {
    ...EVERY_WORKER,
    areas: ['messages', 'previews'],
    outside: true,
    images: true,
    files: 'write',
    folders: ['pictures'],
  },
  /** Reaches no resource of the deployment: requests of strangers may be misdirected. */
  [OUTSIDE_FUNCTION]: { table: 'none' },
  'notify-devices': {
    ...EVERY_WORKER,
    areas: ['messages'],
    relay: true,
    ...(hasRelay && { secret: true }),
  },
  'answer-socket': { ...EVERY_SOCKET, areas: ['messages', 'queues', 'sockets'] },
  'push-events': { ...EVERY_SOCKET, areas: ['messages', 'sockets'], stream: true, pusher: true },
  /** Moves passwords out of accounts of earlier versions, and reads feeds. */
  sweep: {
    ...EVERY_WORKER,
    areas: [
      'messages',
      'drafts',
      'scheduled',
      'uploads',
      'invitations',
      'exports',
      'newPasswords',
      'due',
      'accounts',
      'feeds',
    ],
    relay: true,
    secret: true,
    outside: true,
  },
  [EXPORT_WORKER]: {
    ...EVERY_WORKER,
    areas: ['messages', 'drafts', 'scheduled', 'uploads', 'exports'],
    files: 'readAndWrite',
    folders: ['exports', 'pictures'],
  },
  [ERASING_WORKER]: { table: 'none', erases: true, bus: true },
});

/** @throws for an unknown worker */
export function getWorkerUses(all: Record<string, FunctionUses>, name: string): FunctionUses {
  const uses = all[name];
  if (!uses) throw new Error(`The uses of the worker ${name} are unknown`);
  return uses;
}
