/** Sends a request for a file of the bucket and fails unless it succeeds. */
export type SendToBucket = (
  method: string,
  name: string,
  body?: Uint8Array,
  query?: Record<string, string>,
) => Promise<Response>;

/** S3 requires parts of at least 5 MB except the last, and at most 10 000. */
const PART_BYTES = 8 * 1024 * 1024;

/**
 * Uploads a file that is too large for memory in parts. It appears completely at the end or not at all; the
 * bucket deletes incomplete uploads after a day.
 */
export async function putInParts(
  send: SendToBucket,
  name: string,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  let uploadId: string | undefined;
  const tags: string[] = [];
  for await (const { bytes, isLast } of inParts(pieces)) {
    if (isLast && uploadId === undefined) {
      await send('PUT', name, bytes);
      return;
    }
    uploadId ??= textIn('UploadId', await (await send('POST', name, undefined, { uploads: '' })).text());
    const partNumber = String(tags.length + 1);
    const reply = await send('PUT', name, bytes, { partNumber, uploadId });
    tags.push(reply.headers.get('etag') ?? '');
    await reply.body?.cancel();
  }
  const list = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
  );
  const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`);
  // S3 may send the status of success first and report a failure in the body.
  const answer = await (await send('POST', name, body, { uploadId: uploadId ?? '' })).text();
  textIn('ETag', answer);
}

async function* inParts(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ bytes: Uint8Array; isLast: boolean }> {
  let gathered: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    if (size >= PART_BYTES) {
      yield { bytes: Buffer.concat(gathered), isLast: false };
      gathered = [];
      size = 0;
    }
    gathered.push(piece);
    size += piece.length;
  }
  yield { bytes: Buffer.concat(gathered), isLast: true };
}

function textIn(tag: string, xml: string): string {
  const [, text] = new RegExp(`<${tag}>([^<]+)</${tag}>`).exec(xml) ?? [];
  if (text === undefined) throw new Error(`S3 did not say the ${tag} of a file in parts`);
  return text;
}
