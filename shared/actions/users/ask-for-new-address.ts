import { BadRequest } from '#shared/domain/errors.ts';
import { type Job, ONE_STEP } from '#shared/domain/jobs.ts';
import type { Services } from '#shared/runtime/services.ts';
import { countWithin } from '#shared/store/limits/window-counts.ts';
import { signInKeys } from '#shared/table/keys/sign-in.ts';

/** @throws BadRequest when the operator has set no sender address */
export function requireMailForAddress({ config }: Services): void {
  if (config.mailSender === undefined)
    throw new BadRequest(
      'This server sends no mail to confirm a new address. An organization owner can change it for you.',
    );
}

/**
 * The job that mails a link to a new address, which changes nothing until its person confirms it. The job looks whether another
 * account has the address, so the answer does not reveal it.
 * @throws RateLimitHit after too many mails for the user, or to the address
 */
export async function askForNewAddress(services: Services, userId: number, email: string): Promise<Job> {
  const { confirmationsFrom, confirmationsTo } = services.config.mailLimits;
  await countWithin(services, signInKeys.addressChangeCount(`from ${userId}`), confirmationsFrom);
  await countWithin(services, signInKeys.addressChangeCount(`to ${email}`), confirmationsTo);
  return { type: 'mail-address-change', payload: { userId, email }, steps: ONE_STEP };
}
