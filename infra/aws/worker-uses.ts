import type { FunctionUses } from './functions.ts';

/** Workers act on what requests have left behind; no client calls them. */
const EVERY_WORKER = { table: 'write', bus: true } as const;

/** What each worker uses; the keys of devices are encrypted under the secret. */
export const workerUses = (hasRelay: boolean): Record<string, FunctionUses> => ({
  'deliver-scheduled-message': {
    ...EVERY_WORKER,
    areas: ['messages', 'scheduled', 'uploads', 'drafts'],
  },
  /** Jobs also send mail, with keys in it that are derived from the secret, and remove files. */
  'run-job': {
    ...EVERY_WORKER,
    areas: ['messages', 'drafts', 'scheduled', 'uploads', 'invitations'],
    mail: true,
    secret: true,
    relay: true,
    files: 'write',
    folders: ['uploads', 'pictures'],
  },
  'notify-devices': {
    ...EVERY_WORKER,
    areas: ['messages'],
    relay: true,
    ...(hasRelay && { secret: true }),
  },
  /** Passwords are moved out of accounts of earlier versions. */
  sweep: {
    ...EVERY_WORKER,
    areas: ['messages', 'drafts', 'scheduled', 'uploads', 'invitations', 'exports', 'newPasswords', 'due'],
    relay: true,
    secret: true,
  },
  'export-data': {
    ...EVERY_WORKER,
    areas: ['messages', 'drafts', 'scheduled', 'uploads', 'exports'],
    files: 'readAndWrite',
    folders: ['exports', 'pictures'],
  },
});

/** @throws for a worker of which nothing is said */
export function getWorkerUses(all: Record<string, FunctionUses>, name: string): FunctionUses {
  const uses = all[name];
  if (!uses) throw new Error(`What the worker ${name} uses is not known`);
  return uses;
}
