import { PDF, UNKNOWN_TYPE } from '#shared/domain/uploads/media-type.ts';
import { type Upload, uploadFile } from '#shared/domain/uploads/upload.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getStoredFile } from '#shared/store/stored-file.ts';
import { FileReply, Redirect } from './replies.ts';

/** Neither text nor script of a file can load or run anything, whatever a browser takes it for. */
const POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; object-src 'self'; style-src 'unsafe-inline'";

/** What is larger does not fit into a function's reply. */
const MAX_REPLY_BYTES = 4 * 1024 * 1024;
/** A player goes on asking for parts of a film while it plays. */
const REDIRECTED_SECONDS = 3_600;

type Shown = Pick<Upload, 'name' | 'mediaType'>;

/** An uploaded file as a reply: its bytes, or where it is too large for one the address of the stored file. @throws NotFound */
export async function sendUpload(services: Services, upload: Upload): Promise<FileReply | Redirect> {
  const name = uploadFile(upload);
  if (upload.size <= MAX_REPLY_BYTES) return uploadReply(upload, await getStoredFile(services, name));
  const shownAs = {
    contentType: contentTypeOf(upload),
    contentDisposition: dispositionOf(upload),
  };
  return new Redirect(await services.files.downloadUrl(name, REDIRECTED_SECONDS, shownAs));
}

/** What browsers show without running it is shown, everything else is downloaded. */
export const uploadReply = (shown: Shown, bytes: Uint8Array) =>
  new FileReply(bytes, contentTypeOf(shown), {
    'Content-Disposition': dispositionOf(shown),
    // Browsers show PDF by a program of theirs, which a sandbox keeps from starting.
    'Content-Security-Policy': shown.mediaType === PDF ? POLICY : `${POLICY}; sandbox`,
    // Whoever may have it today need not tomorrow, and a browser may have several users.
    'Cache-Control': 'private, max-age=3600',
    Vary: 'Authorization',
  });

const contentTypeOf = ({ mediaType }: Shown): string =>
  mediaType === 'text/plain' ? 'text/plain; charset=utf-8' : mediaType;

/** The name in two forms: without what not every program reads, and as it is. */
function dispositionOf({ name, mediaType }: Shown): string {
  const kind = mediaType === UNKNOWN_TYPE ? 'attachment' : 'inline';
  const plain = name.normalize('NFKD').replace(/[^ -~]|["\\%]/g, '_');
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`;
}
