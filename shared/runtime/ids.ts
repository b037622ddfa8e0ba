import { randomBytes, randomUUID } from 'node:crypto';

/** The only source of randomness outside cryptography. */
export interface Ids {
  /** An unguessable identifier, for instance of an event queue. */
  uuid(): string;
  /** Identifies one write attempt, so that a retried request recognizes its own write. */
  writeId(): string;
  /** A number in [0, 1), for jitter. */
  fraction(): number;
}

export const randomIds: Ids = {
  uuid: () => randomUUID(),
  writeId: () => randomBytes(6).toString('base64url'),
  fraction: () => Math.random(),
};
