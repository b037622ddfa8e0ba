import { BadRequest } from '#shared/domain/errors.ts';

/** More would not finish within one request. */
const MAX_CHANNELS = 500;
const MAX_PAIRS = 10_000;

/** @throws BadRequest for more channels and users than one call can process */
export function requireFeasible(channelCount: number, named: (number | string)[] = []): void {
  if (channelCount > MAX_CHANNELS)
    throw new BadRequest(`Too many channels in one request (maximum ${MAX_CHANNELS}).`);
  if (channelCount * new Set(named).size > MAX_PAIRS)
    throw new BadRequest(`Too many subscriptions in one request (maximum ${MAX_PAIRS}).`);
}
