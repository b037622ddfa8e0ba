/** The key of a direct-message conversation: its participants, the sender included, in ascending order. */
export const conversationKey = (userIds: number[]): string =>
  [...new Set(userIds)].sort((a, b) => a - b).join(',');
