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
