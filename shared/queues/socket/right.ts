import { BadEventQueueId, InvalidApiKey, Unauthorized, UserDeactivated } from '#shared/domain/errors.ts';
import { OrganizationDeactivated } from '#shared/domain/organization/errors.ts';
import { digestOfToken, hasSession } from '#shared/domain/users/sessions/session.ts';
import { type Account, asOf } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { isClosed } from '#shared/store/organization/organization.ts';
import { getAccount } from '#shared/store/users/users.ts';
import { getQueueOfAnyone, type Queue, type SocketRight } from '../queue.ts';

const TOKEN = /^([0-9a-f-]{36})\.([0-9a-f-]{36})$/;

/** A queue whose client may open a socket. */
export type SocketQueue = Queue & { socket: SocketRight };

/** @throws BadEventQueueId for a token that is invalid, or of a queue that has ended */
export async function getQueueByToken(services: Services, token: string): Promise<SocketQueue> {
  const [, queueId = '', key = ''] = TOKEN.exec(token) ?? [];
  const queue = await getQueueOfAnyone(services, queueId);
  if (queue.socket?.digest !== digestOfToken(key)) throw new BadEventQueueId(queueId);
  return { ...queue, socket: queue.socket };
}

/**
 * The account of a queue's owner, whose credentials are the ones of the registration.
 * @throws UserDeactivated, OrganizationDeactivated, InvalidApiKey, Unauthorized
 */
export async function getOwner(
  services: Services,
  { userId, keyVersion, sessionDigest }: Omit<SocketRight, 'digest'> & { userId: number },
): Promise<Account> {
  const nowSeconds = toSeconds(services.clock.nowMs());
  const account = await getAccount(services.table, userId);
  if (!account.isActive) throw new UserDeactivated();
  if (await isClosed(services)) throw new OrganizationDeactivated();
  const isOpen = sessionDigest === undefined || hasSession(account, sessionDigest, nowSeconds);
  if (account.keyVersion !== keyVersion || !isOpen)
    throw sessionDigest === undefined ? new InvalidApiKey() : new Unauthorized();
  return { ...asOf(account, nowSeconds), ...(sessionDigest !== undefined && { sessionDigest }) };
}
