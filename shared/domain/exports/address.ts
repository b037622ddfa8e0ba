import { createHmac } from 'node:crypto';
import type { DataExport } from './export.ts';

/** How long an address of an archive is valid. */
export const ADDRESS_LIFE_SECONDS = 7 * 24 * 3600;

/** The path of an archive until it expires; it needs no other credentials. */
export const exportPath = (dataExport: DataExport, untilSeconds: number): string =>
  `/exports/${dataExport.exportId}/${exportKey(dataExport, untilSeconds)}`;

/** The last segment of such a path. */
export const exportKey = ({ exportId, addressKey }: DataExport, untilSeconds: number): string => {
  const signature = createHmac('sha256', addressKey)
    .update(`${exportId}:${untilSeconds}`)
    .digest('base64url');
  return `${untilSeconds}-${signature}`;
};

/** The expiry encoded in a path; 0 when there is none. */
export const readUntilSeconds = (key: string): number => Number(/^(\d{1,12})-/.exec(key)?.[1] ?? 0);

/** Whether an address with such an expiry has expired. */
export const isOver = (untilSeconds: number, nowSeconds: number): boolean => untilSeconds < nowSeconds;
