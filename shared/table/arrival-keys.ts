import { type Key, positionSortKey } from './keys.ts';

/** The keys of recent arrivals of moved messages in a channel. */
export const arrivalPartition = (channelId: number): string => `ARRIVALS#${channelId}`;

export const arrivalKey = (channelId: number, position: number): Key => ({
  pk: arrivalPartition(channelId),
  sk: positionSortKey(position),
});
