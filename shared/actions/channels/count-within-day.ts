import { BadRequest, RateLimitHit } from '#shared/domain/errors.ts';
import { isAdministrator, type User } from '#shared/domain/users/user.ts';
import type { CountLimit } from '#shared/runtime/config.ts';
import type { Services } from '#shared/runtime/services.ts';
import { countWithin } from '#shared/store/limits/window-counts.ts';
import type { Key } from '#shared/table/keys.ts';
import { type CountedKind, limitKeys } from '#shared/table/limit-keys.ts';

/** Smaller requests cost less than a thousand units and are not counted. */
const UNCOUNTED_PAIRS = 100;

/** @throws BadRequest when the account has created too many channels; administrators are not limited */
export const countNewChannels = (services: Services, caller: User, count: number): Promise<void> =>
  countFor(caller, {
    services,
    key: limitKeys.channelCreations(caller.userId),
    limit: services.config.channelLimits.account,
    count,
    refusal: (limit, hours) => `Too many new channels: an account may create ${limit} within ${hours} hours.`,
  });

const NAMES: Record<CountedKind, string> = {
  USER_GROUPS: 'user groups',
  CUSTOM_EMOJI: 'custom emoji',
  BOTS: 'bots',
  INVITATION_LINKS: 'invitation links',
};

/** @throws BadRequest when the account has created too many of a kind; administrators are not limited */
export const countCreation = (services: Services, caller: User, kind: CountedKind): Promise<void> =>
  countFor(caller, {
    services,
    key: limitKeys.creations(caller.userId, kind),
    limit: services.config.recordLimits.createdByAccount,
    count: 1,
    refusal: (limit, hours) =>
      `Too many new ${NAMES[kind]}: an account may create ${limit} within ${hours} hours.`,
  });

/**
 * Counts subscriptions and unsubscriptions of large requests.
 * @throws BadRequest when the account has made too many; administrators are not limited
 */
export async function countPairs(
  services: Services,
  caller: User,
  channelCount: number,
  principals: (number | string)[] = [],
): Promise<void> {
  const count = channelCount * new Set(principals).size;
  if (count <= UNCOUNTED_PAIRS) return;
  await countFor(caller, {
    services,
    key: limitKeys.subscriptionChanges(caller.userId),
    limit: services.config.pairLimit,
    count,
    refusal: (limit, hours) =>
      `Too many subscriptions: an account may change ${limit} within ${hours} hours.`,
  });
}

interface Counting {
  services: Services;
  key: Key;
  limit: CountLimit;
  count: number;
  refusal: (limit: number, hours: number) => string;
}

async function countFor(caller: User, { services, key, limit, count, refusal }: Counting): Promise<void> {
  if (isAdministrator(caller)) return;
  try {
    await countWithin(services, key, limit, count);
  } catch (failure) {
    if (!(failure instanceof RateLimitHit)) throw failure;
    throw new BadRequest(refusal(limit.limit, Math.ceil(limit.windowSeconds / 3600)));
  }
}
