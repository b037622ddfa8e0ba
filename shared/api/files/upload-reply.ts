import { FileReply, Redirect } from '#shared/api/replies.ts';
import { PDF, UNKNOWN_TYPE } from '#shared/domain/uploads/media-type.ts';
import { type Upload, uploadFile } from '#shared/domain/uploads/upload.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getStoredFile } from '#shared/store/uploads/stored-file.ts';

/** Keeps text and scripts of a file from loading or running anything, whatever type the browser guesses. */
const POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; object-src 'self'; style-src 'unsafe-inline'";

/** Larger files do not fit into a function's reply. */
const MAX_REPLY_BYTES = 4 * 1024 * 1024;
/** Players keep requesting parts of a film while it plays. */
const REDIRECTED_SECONDS = 3_600;

type Shown = Pick<Upload, 'name' | 'mediaType'>;

/**
 * Answers with the bytes of an uploaded file, or redirects to the stored file when it is too large.
 * @throws NotFound
 */
export async function sendUpload(services: Services, upload: Upload): Promise<FileReply | Redirect> {
  const name = uploadFile(upload);
  if (upload.size <= MAX_REPLY_BYTES) return uploadReply(upload, await getStoredFile(services, name));
  const shownAs = {
    contentType: contentTypeOf(upload),
    contentDisposition: dispositionOf(upload),
  };
  return new Redirect(await services.files.downloadUrl(name, REDIRECTED_SECONDS, shownAs));
}

/** Types that browsers show without running them are shown inline; all others are downloaded. */
export const uploadReply = (shown: Shown, bytes: Uint8Array) =>
  new FileReply(bytes, contentTypeOf(shown), {
    'Content-Disposition': dispositionOf(shown),
    // Browsers show PDF with a viewer of their own that a sandbox would block.
    'Content-Security-Policy': shown.mediaType === PDF ? POLICY : `${POLICY}; sandbox`,
    // Private and short, because permissions change and several users may share a browser.
    'Cache-Control': 'private, max-age=3600',
    Vary: 'Authorization',
  });

const contentTypeOf = ({ mediaType }: Shown): string =>
  mediaType === 'text/plain' ? 'text/plain; charset=utf-8' : mediaType;

/** The name in two forms: an ASCII one that every program reads, and the exact one. */
function dispositionOf({ name, mediaType }: Shown): string {
  const kind = mediaType === UNKNOWN_TYPE ? 'attachment' : 'inline';
  const plain = name.normalize('NFKD').replace(/[^ -~]|["\\%]/g, '_');
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`;
}
