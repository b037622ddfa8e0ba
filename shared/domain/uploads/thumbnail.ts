/** The smaller version of a picture, which messages show. */
export const THUMBNAIL = { name: '840x560.webp', width: 840, height: 560 } as const;
