import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { load, openStillPage, type StillPage } from './still-page.ts';

const [uploads, api] = await load('#web/net/uploads.ts', '#web/net/api.ts');

/** A request of the browser that tells how far it came; the test holds its other end. */
class Request {
  static newest: Request;
  readonly upload: { onprogress?: (at: { loaded: number; total: number }) => void } = {};
  opened: string[] = [];
  sent: FormData | undefined;
  responseType = '';
  status = 0;
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
  send(body: FormData): void {
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

let page: StillPage;
const parts: number[] = [];
let abort: AbortController;
let done: Promise<unknown>;
const file = new File(['crumbs'], 'bread.txt');
beforeEach(() => {
  page = openStillPage({});
  vi.stubGlobal('XMLHttpRequest', Request);
  api.session.value = 'in';
  parts.length = 0;
  abort = new AbortController();
  done = uploads.upload(file, (part: number) => parts.push(part), abort.signal);
});
afterEach(() => page.close());

const request = () => Request.newest;

test('a file is sent under its name, and is where the service put it', async () => {
  expect(request().opened).toEqual(['POST', '/api/v1/user_uploads']);
  expect(request().responseType).toBe('json');
  const sent = request().sent?.get('filename') as File;
  expect(sent.name).toBe('bread.txt');
  expect(await sent.text()).toBe('crumbs');
  request().answer(200, { url: '/user_uploads/1/bread.txt', filename: 'bread (1).txt' });
  expect(await done).toEqual({ name: 'bread (1).txt', url: '/user_uploads/1/bread.txt' });
});

test('a file of which the service tells no name keeps its own', async () => {
  request().answer(200, { url: '/user_uploads/1/x' });
  expect(await done).toEqual({ name: 'bread.txt', url: '/user_uploads/1/x' });
});

test('the part that is done is told as it grows, and is none while the whole is not known', async () => {
  for (const at of [
    { loaded: 1, total: 4 },
    { loaded: 4, total: 4 },
    { loaded: 1, total: 1 },
    { loaded: 3, total: 0 },
  ])
    request().upload.onprogress?.(at);
  expect(parts).toEqual([0.25, 1, 1, 0]);
  request().answer(200, { url: '/x' });
  await done;
});

test('a file that the viewer no longer wants is not sent any further', async () => {
  abort.abort();
  await expect(done).rejects.toThrow(uploads.Cancelled);
  await expect(done).rejects.toThrow('The upload was cancelled.');
});

test('a file whose connection is lost is not there', async () => {
  request().onerror?.();
  await expect(done).rejects.toThrow('The connection was lost.');
});

test('a file that the service refuses is not there, in the words of the service', async () => {
  request().answer(400, { msg: 'Too large', code: 'BAD_REQUEST' });
  await expect(done).rejects.toMatchObject({ name: 'ApiError', status: 400, message: 'Too large' });
  expect(api.session.value).toBe('in');
});

test('a viewer who is signed out is told so', async () => {
  request().answer(401, null);
  await expect(done).rejects.toMatchObject({ status: 401, message: 'The service answered 401.' });
  expect(api.session.value).toBe('out');
});
