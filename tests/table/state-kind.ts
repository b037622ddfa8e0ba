import type { Change } from '#shared/domain/change.ts';
import { type Channel, defaultChannelGroups } from '#shared/domain/channels/channel.ts';
import type { Key } from '#shared/table/keys/key.ts';
import type { Item, Write } from '#shared/table/table.ts';

export const USER = 7;
export const OTHER_USER = 8;
export const CHANNEL = 5;

/** The writes of one change, each time with the number of items that it has seen. */
export interface Kind {
  what: string;
  /** The initial items; there are no others. */
  seeds?: (Key & Item)[];
  seen: (count: number) => Write[];
}

/** At whatever position of the log. */
export const writesOf = (change: Change | undefined): Write[] => {
  const writes = change?.writes ?? [];
  return typeof writes === 'function' ? writes(1) : writes;
};

export const channel = (counts: Partial<Channel>): Channel =>
  ({
    ...{ channelId: CHANNEL, name: 'general', description: '', isPrivate: false, isArchived: false },
    ...{ groups: defaultChannelGroups(USER), folderId: null, ...counts },
  }) as Channel;

export const allowance = (changes = 0) => ({ kilobytes: 1, generation: 0, changes });
