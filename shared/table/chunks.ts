const MEMBERS_PER_CHUNK = 256;
const USERS_PER_IDENTITY_CHUNK = 256;
/** With so many an item of presences is below 1 KB, the unit that writes are counted in. */
const USERS_PER_PRESENCE_CHUNK = 32;

/** The chunk of a channel's subscribers, or of a group's members, that holds a user. */
export const memberChunkOf = (userId: number): number => Math.floor(userId / MEMBERS_PER_CHUNK);

/** The part of the list of changed identities that holds a user. */
export const identityChunkOf = (userId: number): number => Math.floor(userId / USERS_PER_IDENTITY_CHUNK);

/** The part of the presences that holds a user. */
export const presenceChunkOf = (userId: number): number => Math.floor(userId / USERS_PER_PRESENCE_CHUNK);
