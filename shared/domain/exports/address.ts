import { createHmac } from 'node:crypto';
import type { DataExport } from './export.ts';

/** So long an address of an archive leads there. */
export const ADDRESS_LIFE_SECONDS = 7 * 24 * 3600;

/** The path at which an archive is had until then; whoever has it needs nothing else. */
export const exportPath = (one: DataExport, untilSeconds: number): string =>
  `/exports/${one.exportId}/${exportKey(one, untilSeconds)}`;

/** The last part of such a path. */
export const exportKey = ({ exportId, addressKey }: DataExport, untilSeconds: number): string => {
  const signature = createHmac('sha256', addressKey)
    .update(`${exportId}:${untilSeconds}`)
    .digest('base64url');
  return `${untilSeconds}-${signature}`;
};

/** Until when an address is good that ends so; 0 for what is the end of none. */
export const readUntilSeconds = (key: string): number => Number(/^(\d{1,12})-/.exec(key)?.[1] ?? 0);
