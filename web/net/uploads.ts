import { t } from '#web/texts/texts.ts';
import { ApiError, explain, type Params, session, sleep } from './api.ts';
import { connection, server } from './store.ts';

export interface Upload {
  name: string;
  url: string;
}

/** The viewer no longer wants the file. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** A file that is not uploaded; the message is its reason, in words. */
export class Refused extends Error {
  override readonly name = 'Refused';
  /** Whether another try may succeed. */
  readonly mayRetry: boolean;

  constructor(reason: string, mayRetry: boolean) {
    super(reason);
    this.mayRetry = mayRetry;
  }
}

/** No answer came to a request. */
class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** The progress of an upload. */
export interface UploadWatch {
  /** The part that is done, from 0 to 1. */
  onProgress: (part: number) => void;
  /** Whether it waits for the network. */
  onPause: (isPaused: boolean) => void;
}

interface Answer {
  status: number;
  body: Params & { url?: string; filename?: string };
  offset: number;
  location: string | null;
}

interface Request {
  method: 'POST' | 'PATCH' | 'HEAD';
  path: string;
  headers?: Record<string, string>;
  body?: FormData | Blob;
  /** Receives the number of bytes sent. */
  onSent?: (bytes: number) => void;
}

/** Only XMLHttpRequest reports progress. @throws Cancelled, ConnectionLost */
function send({ method, path, headers = {}, body, onSent }: Request, abort: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const cancel = (): void => request.abort();
    request.open(method, path);
    request.responseType = 'json';
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onSent?.(loaded);
    abort.addEventListener('abort', cancel, { once: true });
    const settle = (end: () => void) => () => {
      abort.removeEventListener('abort', cancel);
      end();
    };
    request.onabort = settle(() => reject(new Cancelled(t('actions.uploadCanceled'))));
    request.onerror = settle(() => reject(new ConnectionLost(t('actions.connectionLost'))));
    request.onload = settle(() =>
      resolve({
        status: request.status,
        body: request.response ?? {},
        offset: Number(request.getResponseHeader('upload-offset')),
        location: request.getResponseHeader('location'),
      }),
    );
    if (abort.aborted) cancel();
    else request.send(body);
  });
}

/** @throws ApiError for an answer that is none of success */
function requireSuccess({ status, body }: Answer): void {
  if (status >= 200 && status < 300) return;
  if (status === 401) session.value = 'out';
  throw new ApiError(status, body);
}

/** Files up to this size go in one request. */
const WHOLE_BYTES = 1024 * 1024;
/** The size of a part: a slow telephone sends it in some seconds, and a lost connection repeats at most this. */
const PIECE_BYTES = 2 * 1024 * 1024;

/** Uploads a file that can be read and is not too large. @throws Refused, Cancelled if `abort` fires */
export async function upload(file: File, watch: UploadWatch, abort: AbortSignal): Promise<Upload> {
  const most = server.value.max_file_upload_size_mib;
  if (file.size > most * 1024 * 1024)
    throw new Refused(t('compose.fileIsTooLargeFiles', { file: file.name, most }), false);
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    throw new Refused(t('compose.couldntReadFile', { file: file.name }), false);
  }
  try {
    return await sendFile(file, watch, abort);
  } catch (failure) {
    if (failure instanceof Cancelled) throw failure;
    const isTooLarge = failure instanceof ApiError && failure.status === 413;
    const reason = t('compose.couldntUploadFileReason', { file: file.name, reason: explain(failure) });
    throw new Refused(reason, !isTooLarge);
  }
}

/**
 * A larger file is sent in parts and resumes when the network comes back.
 * @throws ApiError in the words of the service, Cancelled
 */
async function sendFile(file: File, watch: UploadWatch, abort: AbortSignal): Promise<Upload> {
  const outOfReach = new Outage(watch, abort);
  const body = file.size <= WHOLE_BYTES ? await sendWhole(file, watch, outOfReach, abort) : undefined;
  const done = body ?? (await sendPieces(file, watch, outOfReach, abort));
  return { name: done.filename ?? file.name, url: done.url ?? '' };
}

async function sendWhole(
  file: File,
  { onProgress }: UploadWatch,
  outage: Outage,
  abort: AbortSignal,
): Promise<Answer['body']> {
  const form = new FormData();
  form.append('filename', file, file.name);
  const onSent = (bytes: number): void => onProgress(Math.min(1, bytes / Math.max(1, file.size)));
  const answer = await outage.outlast(() =>
    send({ method: 'POST', path: '/api/v1/user_uploads', body: form, onSent }, abort),
  );
  requireSuccess(answer);
  return answer.body;
}

const TUS = { 'Tus-Resumable': '1.0.0' };

async function sendPieces(
  file: File,
  watch: UploadWatch,
  outage: Outage,
  abort: AbortSignal,
): Promise<Answer['body']> {
  const begun = await outage.outlast(() =>
    send(
      {
        method: 'POST',
        path: '/api/v1/tus/',
        headers: {
          ...TUS,
          'Upload-Length': String(file.size),
          'Upload-Metadata': `filename ${encoded(file.name)},filetype ${encoded(file.type || 'application/octet-stream')}`,
        },
      },
      abort,
    ),
  );
  requireSuccess(begun);
  const path = begun.location ?? '';
  for (let offset = 0; ; ) {
    const from = offset;
    const answer = await outage.outlast(
      () =>
        send(
          {
            method: 'PATCH',
            path,
            headers: {
              ...TUS,
              'Upload-Offset': String(from),
              'Content-Type': 'application/offset+octet-stream',
            },
            body: file.slice(from, from + PIECE_BYTES),
            onSent: (bytes) => watch.onProgress((from + bytes) / file.size),
          },
          abort,
        ),
      // The piece may have arrived although its answer was lost.
      () => send({ method: 'HEAD', path, headers: TUS }, abort),
    );
    requireSuccess(answer);
    if (answer.body.url !== undefined) return answer.body;
    offset = answer.offset;
    // The file is complete, but the answer with its address was lost. No later answer has it.
    if (offset >= file.size) return sendPieces(file, watch, outage, abort);
    watch.onProgress(offset / file.size);
  }
}

/** Base64 of the UTF-8 of a text. */
const encoded = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));

const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

/** Waits while the network is gone, and says so. */
class Outage {
  readonly #watch: UploadWatch;
  readonly #abort: AbortSignal;

  constructor(watch: UploadWatch, abort: AbortSignal) {
    this.#watch = watch;
    this.#abort = abort;
  }

  /** Sends until an answer comes; after a lost connection, or a failure of the service, something else may be sent first. */
  async outlast(first: () => Promise<Answer>, again = first): Promise<Answer> {
    for (let failures = 0; ; failures += 1) {
      const answer = await (failures === 0 ? first : again)().catch((failure) => {
        if (!(failure instanceof ConnectionLost)) throw failure;
        return undefined;
      });
      const isPassing = answer === undefined || answer.status === 429 || answer.status >= 500;
      if (!isPassing) {
        this.#watch.onPause(false);
        return answer;
      }
      this.#watch.onPause(true);
      const pauseMs = Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** failures);
      await Promise.race([sleep(pauseMs, this.#abort), untilConnected(this.#abort)]);
      if (this.#abort.aborted) throw new Cancelled(t('actions.uploadCanceled'));
    }
  }
}

/** Until the connection, which is lost now, is back; never if it is there. */
function untilConnected(abort: AbortSignal): Promise<void> {
  if (connection.value.status === 'connected') return new Promise(() => undefined);
  return new Promise((resolve) => {
    const stop = connection.subscribe(({ status }) => {
      if (status !== 'connected') return;
      queueMicrotask(() => stop());
      resolve();
    });
    abort.addEventListener('abort', () => stop());
  });
}
