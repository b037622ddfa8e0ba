/** Replaces `bowser`, with which the SDK detects browsers. */
export const parse = () => ({});
