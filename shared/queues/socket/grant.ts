import { digestOfToken } from '#shared/domain/users/sessions/session.ts';
import type { Account } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { Queue, SocketRight } from '../queue.ts';

/** The address of sockets and a key for a caller's queue, with the data stored in the queue; undefined without sockets. */
export function grantSocket(
  { ids, sockets }: Services,
  { keyVersion, sessionDigest }: Account,
): { url: string; key: string; right: SocketRight } | undefined {
  if (!sockets) return undefined;
  const key = ids.uuid();
  const right = { digest: digestOfToken(key), keyVersion, ...(sessionDigest && { sessionDigest }) };
  return { url: sockets.url, key, right };
}

/** The token with which a client opens a socket. */
export const socketToken = ({ queueId }: Queue, key: string): string => `${queueId}.${key}`;
