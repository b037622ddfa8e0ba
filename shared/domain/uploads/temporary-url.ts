import { createHmac } from 'node:crypto';
import { pathIdOf, type Upload } from './upload.ts';

/** Enough to open it. */
const LIFE_SECONDS = 60;

/** The address of a file for one minute; it needs no credentials. */
export function temporaryUrl(secret: string, upload: Upload, nowSeconds: number): string {
  const pathId = pathIdOf(upload);
  return `/user_uploads/temporary/${temporaryKey(secret, pathId, nowSeconds + LIFE_SECONDS)}/${pathId}`;
}

/** The key before the path in such an address: expiry and signature. */
export const temporaryKey = (secret: string, pathId: string, untilSeconds: number): string => {
  const signature = createHmac('sha256', secret)
    .update(`temporary file:${untilSeconds}:${pathId}`)
    .digest('base64url');
  return `${untilSeconds}-${signature}`;
};
