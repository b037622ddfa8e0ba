import { PDF, UNKNOWN_TYPE } from '#shared/domain/uploads/media-type.ts';
import type { Upload } from '#shared/domain/uploads/upload.ts';
import { FileReply } from './replies.ts';

/** Neither text nor script of a file can load or run anything, whatever a browser takes it for. */
const POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; object-src 'self'; style-src 'unsafe-inline'";

/** An uploaded file as a reply: what browsers show without running it is shown, everything else is downloaded. */
export const uploadReply = ({ name, mediaType }: Pick<Upload, 'name' | 'mediaType'>, bytes: Uint8Array) =>
  new FileReply(bytes, mediaType === 'text/plain' ? 'text/plain; charset=utf-8' : mediaType, {
    'Content-Disposition': dispositionOf(mediaType === UNKNOWN_TYPE ? 'attachment' : 'inline', name),
    // Browsers show PDF by a program of theirs, which a sandbox keeps from starting.
    'Content-Security-Policy': mediaType === PDF ? POLICY : `${POLICY}; sandbox`,
    // Whoever may have it today need not tomorrow, and a browser may have several users.
    'Cache-Control': 'private, max-age=3600',
    Vary: 'Authorization',
  });

/** The name in two forms: without what not every program reads, and as it is. */
function dispositionOf(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.normalize('NFKD').replace(/[^ -~]|["\\%]/g, '_');
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`;
}
