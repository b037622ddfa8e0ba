import { BadRequest } from '#shared/domain/errors.ts';
import { type Channel, toChannelRecord } from './channel.ts';

/** The maximum number of channels that one request creates. */
const MAX_NEW_CHANNELS = 50;
/**
 * Each channel is written once and appears in two events of an entry, and a transaction writes everything
 * twice.
 */
const MAX_NEW_BYTES = 100_000;

/** The number of channels and its limit. */
export interface ChannelRoom {
  /** Channels ever created; channels are never deleted. */
  existing: number;
  limit: number;
}

/** @throws BadRequest for more new channels than one request or the organization allows */
export function requireRoomFor(count: number, { existing, limit }: ChannelRoom): void {
  if (count > MAX_NEW_CHANNELS)
    throw new BadRequest(`Too many new channels in one request (maximum ${MAX_NEW_CHANNELS}).`);
  if (existing + count > limit)
    throw new BadRequest(`Too many channels: the organization may have ${limit}.`);
}

/** @throws BadRequest when the records of the new channels exceed what one request may write */
export function requireSmallRecords(channels: Channel[]): void {
  const bytes = channels.reduce((sum, channel) => sum + recordBytes(channel), 0);
  if (bytes > MAX_NEW_BYTES)
    throw new BadRequest('The new channels say too much for one request: create fewer at once.');
}

/** The size of a channel's record. */
export const recordBytes = (channel: Channel): number =>
  Buffer.byteLength(JSON.stringify(toChannelRecord(channel)));
