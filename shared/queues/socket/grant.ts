import { digestOfToken } from '#shared/domain/users/sessions/session.ts';
import type { Account } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { Queue, SocketRight } from '../queue.ts';

/** The address of sockets and a key for a caller's queue, with what the queue keeps of it; undefined without sockets. */
export function grantSocket(
  { ids, sockets }: Services,
  { keyVersion, sessionDigest }: Account,
): { url: string; key: string; right: SocketRight } | undefined {
  if (!sockets) return undefined;
  const key = ids.uuid();
  const right = { digest: digestOfToken(key), keyVersion, ...(sessionDigest && { sessionDigest }) };
  return { url: sockets.url, key, right };
}

/** What a client shows to open a socket. */
export const socketToken = ({ queueId }: Queue, key: string): string => `${queueId}.${key}`;
