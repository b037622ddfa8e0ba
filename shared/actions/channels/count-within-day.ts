import { BadRequest, DeclaredError, RateLimitHit } from '#shared/domain/errors.ts';
import { isAdministrator, type User } from '#shared/domain/users/user.ts';
import { Conflict } from '#shared/log/commit.ts';
import type { CountLimit } from '#shared/runtime/config.ts';
import type { Services } from '#shared/runtime/services.ts';
import { countWithin, uncount } from '#shared/store/limits/window-counts.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { type CountedKind, limitKeys } from '#shared/table/keys/limits.ts';

/** Smaller requests cost less than a thousand units and are not counted. */
const UNCOUNTED_PAIRS = 100;

/**
 * Counts new channels, and returns how to take that back if none of them is created.
 * @throws BadRequest when the account has created too many channels; administrators are not limited
 */
export const countNewChannels = (
  services: Services,
  caller: User,
  count: number,
): Promise<() => Promise<void>> =>
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

/**
 * Counts what `create` makes. If that is refused, nothing has been created and nothing is counted.
 * @throws BadRequest when the account has created too many of a kind; administrators are not limited
 */
export const countCreation = <Made>(
  services: Services,
  caller: User,
  kind: CountedKind,
  create: () => Promise<Made>,
): Promise<Made> =>
  takenBackIfRefused(
    countFor(caller, {
      services,
      key: limitKeys.creations(caller.userId, kind),
      limit: services.config.recordLimits.createdByAccount,
      count: 1,
      refusal: (limit, hours) =>
        `Too many new ${NAMES[kind]}: an account may create ${limit} within ${hours} hours.`,
    }),
    create,
  );

/**
 * Counts the subscriptions and unsubscriptions of a large request, unless it is refused.
 * @throws BadRequest when the account has made too many; administrators are not limited
 */
export function countPairs<Done>(
  services: Services,
  caller: User,
  { channels, principals = [] }: { channels: number; principals?: (number | string)[] | undefined },
  change: () => Promise<Done>,
): Promise<Done> {
  const count = channels * new Set(principals).size;
  if (count <= UNCOUNTED_PAIRS) return change();
  return takenBackIfRefused(
    countFor(caller, {
      services,
      key: limitKeys.subscriptionChanges(caller.userId),
      limit: services.config.pairLimit,
      count,
      refusal: (limit, hours) =>
        `Too many subscriptions: an account may change ${limit} within ${hours} hours.`,
    }),
    change,
  );
}

/** Runs the counted work. After a refusal or a conflict nothing has changed, so the count is reverted. */
async function takenBackIfRefused<Done>(
  counting: Promise<() => Promise<void>>,
  work: () => Promise<Done>,
): Promise<Done> {
  const takeBack = await counting;
  try {
    return await work();
  } catch (failure) {
    if (isRefusal(failure)) await takeBack();
    throw failure;
  }
}

/** Whether a failure is certain to have changed nothing. */
export const isRefusal = (failure: unknown): boolean =>
  failure instanceof DeclaredError || failure instanceof Conflict;

interface Counting {
  services: Services;
  key: Key;
  limit: CountLimit;
  count: number;
  refusal: (limit: number, hours: number) => string;
}

const NOTHING_TO_TAKE_BACK = async (): Promise<void> => undefined;

/** Counts, and returns how to take that back. */
async function countFor(
  caller: User,
  { services, key, limit, count, refusal }: Counting,
): Promise<() => Promise<void>> {
  if (isAdministrator(caller)) return NOTHING_TO_TAKE_BACK;
  try {
    await countWithin(services, key, limit, count);
  } catch (failure) {
    if (!(failure instanceof RateLimitHit)) throw failure;
    throw new BadRequest(refusal(limit.limit, Math.ceil(limit.windowSeconds / 3600)));
  }
  return () => uncount(services, key, count);
}
