/** The smaller form that is kept of pictures, for messages to show. */
export const THUMBNAIL = { name: '840x560.webp', width: 840, height: 560 } as const;
