/** A request about a file of the bucket that has succeeded. */
export type SendToBucket = (
  method: string,
  name: string,
  body?: Uint8Array,
  query?: Record<string, string>,
) => Promise<Response>;

/** S3 takes no smaller parts than 5 MB but the last, and at most 10 000. */
const PART_BYTES = 8 * 1024 * 1024;

/**
 * Puts a file that is too large for memory, part by part. It appears as a whole at the end or not at all; what was sent
 * of one that does not is dropped by the bucket after a day.
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
  // S3 may answer with success before it knows, and tell of a failure in the body.
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
