/** One sender must not fill a channel. Messages of a bot for one integration, in a window of this length. */
export const webhookLimit = { messages: 60, windowSeconds: 60 } as const;

/** The end of the window of a moment. */
export const windowEndSeconds = (nowSeconds: number): number =>
  (Math.floor(nowSeconds / webhookLimit.windowSeconds) + 1) * webhookLimit.windowSeconds;
