/** So much may one account of the attacked service upload within a day: less than by default, so that attacks are short. */
export const QUOTA_MEBIBYTES = 16;
