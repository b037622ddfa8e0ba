/**
 * A key of the table. Only the files of this folder create keys; `docs/data-model.md` describes the
 * items.
 */
export interface Key {
  pk: string;
  sk: string;
}

/** Ids and positions are padded so that they sort as text; protocol ids end at 2 147 483 647. */
export const ID_DIGITS = 10;
const CHUNK_DIGITS = 6;

/** The sort key of an id or a position. */
export const idSortKey = (id: number): string => String(id).padStart(ID_DIGITS, '0');

/** The sort key of one chunk of a list that is stored in several items. */
export const chunkSortKey = (chunk: number): string => String(chunk).padStart(CHUNK_DIGITS, '0');

/** The id of the user or channel that owns the partition. */
export const idOfPartition = (partition: string): number =>
  Number(partition.slice(partition.indexOf('#') + 1));

/** The id at the beginning of a sort key. */
export const leadingId = (sortKey: string): number => Number(sortKey.slice(0, ID_DIGITS));

const MEMBERS_PER_CHUNK = 256;
const USERS_PER_IDENTITY_CHUNK = 256;
/** With this number an item of presences stays below 1 KB, the write unit. */
const USERS_PER_PRESENCE_CHUNK = 32;

/** The chunk with a user in a channel's subscribers or a group's members. */
export const memberChunkOf = (userId: number): number => Math.floor(userId / MEMBERS_PER_CHUNK);

/** The chunk with a user in the list of changed identities. */
export const identityChunkOf = (userId: number): number => Math.floor(userId / USERS_PER_IDENTITY_CHUNK);

/** The chunk with a user's presence. */
export const presenceChunkOf = (userId: number): number => Math.floor(userId / USERS_PER_PRESENCE_CHUNK);
