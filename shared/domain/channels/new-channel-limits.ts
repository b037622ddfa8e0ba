import { BadRequest } from '#shared/domain/errors.ts';
import { type Channel, toChannelRecord } from './channel.ts';

/** One request creates so many channels at most. */
const MAX_NEW_CHANNELS = 50;
/** Each channel is written once, and stands in two events of an entry; all of that is written twice by a transaction. */
const MAX_NEW_BYTES = 100_000;

/** How many channels there are, and may be. */
export interface ChannelRoom {
  /** Channels that were ever created; none is ever removed. */
  existing: number;
  limit: number;
}

/** @throws BadRequest for more new channels than one request may create, or than the organization has room for */
export function requireRoomFor(count: number, { existing, limit }: ChannelRoom): void {
  if (count > MAX_NEW_CHANNELS)
    throw new BadRequest(`Too many new channels in one request (maximum ${MAX_NEW_CHANNELS}).`);
  if (existing + count > limit)
    throw new BadRequest(`Too many channels: the organization may have ${limit}.`);
}

/** @throws BadRequest where the records of new channels together are more than one request may write */
export function requireSmallRecords(channels: Channel[]): void {
  const bytes = channels.reduce((sum, channel) => sum + recordBytes(channel), 0);
  if (bytes > MAX_NEW_BYTES)
    throw new BadRequest('The new channels say too much for one request: create fewer at once.');
}

/** The bytes of a channel's record. */
export const recordBytes = (channel: Channel): number =>
  Buffer.byteLength(JSON.stringify(toChannelRecord(channel)));
