import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import { load, useStillPage } from './still-page.ts';

const [uploads, api] = await load('#web/net/uploads.ts', '#web/net/api.ts');

/** A request of the browser that reports its progress; the test holds its other end. */
class Request {
  static newest: Request;
  readonly upload: { onprogress?: (at: { loaded: number; total: number }) => void } = {};
  opened: string[] = [];
  sent: FormData | Blob | undefined;
  responseType = '';
  status = 0;
  headers: Record<string, string> = {};
  answered: Record<string, string> = {};
  response: unknown = null;
  onabort?: () => void;
  onerror?: () => void;
  onload?: () => void;

  constructor() {
    Request.newest = this;
  }
  open(...how: string[]): void {
    this.opened = how;
  }
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  getResponseHeader(name: string): string | null {
    return this.answered[name] ?? null;
  }
  send(body?: FormData | Blob): void {
    this.sent = body;
  }
  abort(): void {
    this.onabort?.();
  }
  answer(status: number, response: unknown): void {
    Object.assign(this, { status, response });
    this.onload?.();
  }
}

const page = useStillPage();
const parts: number[] = [];
const pauses: boolean[] = [];
const watch = {
  onProgress: (part: number) => void parts.push(part),
  onPause: (isPaused: boolean) => void pauses.push(isPaused),
};
let abort: AbortController;
let done: Promise<unknown>;
/** Uploads a file, which the page reads before its first request. */
async function start(sent: File): Promise<void> {
  const last = Request.newest;
  done = uploads.upload(sent, watch, abort.signal);
  while (Request.newest === last) await setImmediate();
}
const file = new File(['crumbs'], 'bread.txt');
beforeEach(async () => {
  vi.stubGlobal('XMLHttpRequest', Request);
  api.session.value = 'in';
  parts.length = 0;
  abort = new AbortController();
  await start(file);
});

const request = () => Request.newest;

test('A file is sent under its name, and has the address of the service', async () => {
  expect(request().opened).toEqual(['POST', '/api/v1/user_uploads']);
  expect(request().responseType).toBe('json');
  const sent = (request().sent as FormData).get('filename') as File;
  expect(sent.name).toBe('bread.txt');
  expect(await sent.text()).toBe('crumbs');
  request().answer(200, { url: '/user_uploads/1/bread.txt', filename: 'bread (1).txt' });
  expect(await done).toEqual({ name: 'bread (1).txt', url: '/user_uploads/1/bread.txt' });
});

test('A file without a name in the reply keeps its own', async () => {
  request().answer(200, { url: '/user_uploads/1/x' });
  expect(await done).toEqual({ name: 'bread.txt', url: '/user_uploads/1/x' });
});

test('The progress grows, and never exceeds the whole', async () => {
  for (const loaded of [3, 6, 200]) request().upload.onprogress?.({ loaded, total: 200 });
  expect(parts).toEqual([3 / file.size, 6 / file.size, 1]);
  request().answer(200, { url: '/x' });
  await done;
});

test('A cancelled file is not sent any further', async () => {
  abort.abort();
  await expect(done).rejects.toThrow(uploads.Cancelled);
  await expect(done).rejects.toThrow('Upload canceled');
});

test('A file whose connection is lost waits, and is sent again', async () => {
  pauses.length = 0;
  const first = request();
  first.onerror?.();
  await page.pass(1_000);
  expect(pauses).toEqual([true]);
  expect(request()).not.toBe(first);
  request().answer(200, { url: '/x' });
  expect(await done).toMatchObject({ url: '/x' });
  expect(pauses).toEqual([true, false]);
});

test('A large file is sent in pieces, and continues after a lost answer from the service’s offset', async () => {
  request().answer(200, { url: '/x' });
  const large = new File([new Uint8Array(3 * 1024 * 1024)], 'film ü.mp4', { type: 'video/mp4' });
  await start(large);
  expect(request().opened).toEqual(['POST', '/api/v1/tus/']);
  const name = Buffer.from('film ü.mp4').toString('base64');
  expect(request().headers['Upload-Metadata']).toContain(`filename ${name},`);
  const answer = async (status: number, headers: Record<string, string>, body: unknown = null) => {
    request().answered = headers;
    request().answer(status, body);
    await page.pass(0);
  };
  await answer(201, { location: '/api/v1/tus/1', 'upload-offset': '0' });
  expect(request().opened).toEqual(['PATCH', '/api/v1/tus/1']);
  const piece = (request().sent as Blob).size;
  request().onerror?.();
  await page.pass(1_000);
  expect(request().opened).toEqual(['HEAD', '/api/v1/tus/1']);
  await answer(204, { 'upload-offset': `${piece}` });
  expect(request().headers['Upload-Offset']).toBe(`${piece}`);
  await answer(200, { 'upload-offset': `${large.size}` }, { url: '/film', filename: 'film.mp4' });
  expect(await done).toEqual({ name: 'film.mp4', url: '/film' });
});

test('A refused file does not exist, with the words of the service', async () => {
  request().answer(400, { msg: 'Too large', code: 'BAD_REQUEST' });
  await expect(done).rejects.toMatchObject({
    name: 'Refused',
    message: 'Couldn’t upload bread.txt: Too large',
  });
  expect(api.session.value).toBe('in');
});

test('A viewer who is signed out gets an error', async () => {
  request().answer(401, null);
  await expect(done).rejects.toThrow('Couldn’t upload bread.txt: Something went wrong (error 401).');
  expect(api.session.value).toBe('out');
});
