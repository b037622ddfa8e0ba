import { setTimeout as sleep } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import { Broken, type Caller, expectEqual, expectMatch, type Json, readSuccess } from './caller.ts';
import type { Check } from './check.ts';
import { socketCheck } from './socket.ts';

/** Every byte there is: what passes for text on the way would change some of them. */
const ALL_BYTES = new Uint8Array(Array.from({ length: 1024 }, (_, index) => index % 256));
/** More than a function answers with: such files are opened in the bucket. */
const LARGE_BYTES = 4.5 * 1024 * 1024;
/** A schedule fires at any second of its minute. */
const DELIVERY_SECONDS = 90;

/** What an account can do. It leaves nothing behind but a few messages of the account to itself. */
export const insideChecks: Check[] = [
  {
    what: 'A message reaches a poll that waits',
    proves: 'the table, the counter of the log and the gateway carry a held request',
    run: async (caller) => {
      const queue = await openQueue(caller);
      const poll = nextEvents(caller, queue);
      const id = await sendToSelf(caller, 'A message of the smoke test');
      const [event] = await poll;
      expectEqual('message', event?.message?.id, id);
      await closeQueue(caller, queue);
    },
  },
  {
    what: 'A poll without events is answered before the gateway gives up',
    proves: 'the time of the poller is below the 30 s of the gateway, and its memory suffices',
    run: async (caller) => {
      const queue = await openQueue(caller);
      expectEqual('messages', (await nextEvents(caller, queue)).length, 0);
      await closeQueue(caller, queue);
    },
  },
  socketCheck,
  {
    what: 'The state for a client arrives in one answer',
    proves: 'the largest operation has memory and time enough',
    run: async (caller) => {
      const { queue_id, realm_users } = await caller.call('POST', '/register');
      if (!Array.isArray(realm_users)) throw new Broken('The state has no users');
      await caller.call('DELETE', '/events', { queue_id });
    },
  },
  {
    what: 'A file comes back byte for byte, by a path that takes the rest of the address',
    proves: 'binary bodies pass both ways, greedy paths have their permission, functions reach the bucket',
    run: async (caller) => {
      const address = await upload(caller, 'smoke test ü.bin', ALL_BYTES, 'application/octet-stream');
      const { bytes } = await download(caller, address);
      expectEqual('bytes', [...bytes], [...ALL_BYTES]);
      await removeUpload(caller, address);
    },
  },
  {
    what: 'A file that comes in pieces is put together',
    proves: 'PATCH with a body that is no form passes the gateway',
    run: async (caller) => {
      const address = await uploadInPieces(caller, ALL_BYTES);
      const { bytes } = await download(caller, address);
      expectEqual('bytes', [...bytes], [...ALL_BYTES]);
      await removeUpload(caller, address);
    },
  },
  {
    what: 'A large file comes from the bucket itself, which loses it within a minute of its deletion',
    proves:
      'functions read the secret; the bucket honours signed addresses; the rule of the bus hands jobs to their function',
    run: async (caller, { jobSeconds }) => {
      const large = new Uint8Array(LARGE_BYTES).fill(7);
      const path = await uploadInPieces(caller, large);
      const address = await temporaryAddress(caller, path);
      const reply = await fetch(address);
      expectEqual('status', reply.status, 200);
      expectEqual('bytes', (await reply.bytes()).length, LARGE_BYTES);
      await removeUpload(caller, path);
      await expectGone(address, jobSeconds);
    },
  },
  {
    what: 'A picture has a thumbnail',
    proves: 'the layer with the image library loads, and its thread runs',
    run: async (caller) => {
      const address = await upload(caller, 'smoke.png', makePng(64, 48), 'image/png');
      const thumbnail = `${address.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`;
      const { bytes, type } = await download(caller, thumbnail);
      expectMatch('content type', type, /^image\/webp/);
      expectEqual('first bytes', Buffer.from(bytes.slice(0, 4)).toString('latin1'), 'RIFF');
      await removeUpload(caller, address);
    },
  },
  {
    what: 'A scheduled message is delivered',
    proves: 'functions may pass the role to Scheduler, which may invoke the delivery',
    run: async (caller, { scheduleAheadSeconds }) => {
      const content = `Scheduled by the smoke test ${Date.now()}`;
      const { user_id } = await caller.call('GET', '/users/me');
      const queue = await openQueue(caller);
      await caller.call('POST', '/scheduled_messages', {
        type: 'direct',
        to: [user_id],
        content,
        scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + scheduleAheadSeconds,
      });
      const untilMs = Date.now() + (scheduleAheadSeconds + DELIVERY_SECONDS) * 1000;
      while (!(await nextEvents(caller, queue)).some(({ message }) => message?.content === content))
        if (Date.now() > untilMs) throw new Broken('It did not come');
      await closeQueue(caller, queue);
    },
  },
];

interface Queue {
  queueId: string;
  lastEventId: number;
}

async function openQueue(caller: Caller): Promise<Queue> {
  const params = { event_types: ['message'], fetch_event_types: [] };
  const { queue_id, last_event_id } = await caller.call('POST', '/register', params);
  return { queueId: queue_id, lastEventId: last_event_id };
}

/** Waits for the messages of one poll. */
async function nextEvents(caller: Caller, queue: Queue): Promise<Json[]> {
  const params = { queue_id: queue.queueId, last_event_id: queue.lastEventId };
  const { events } = await caller.call('GET', '/events', params);
  queue.lastEventId = events.at(-1)?.id ?? queue.lastEventId;
  return events.filter(({ type }: Json) => type === 'message');
}

async function closeQueue(caller: Caller, { queueId }: Queue): Promise<void> {
  await caller.call('DELETE', '/events', { queue_id: queueId });
}

async function sendToSelf(caller: Caller, content: string): Promise<number> {
  const { user_id } = await caller.call('GET', '/users/me');
  const { id } = await caller.call('POST', '/messages', { type: 'direct', to: [user_id], content });
  return id;
}

/** @returns the path of the uploaded file */
async function upload(caller: Caller, name: string, bytes: BlobPart, type: string): Promise<string> {
  const body = new FormData();
  body.append('file', new Blob([bytes], { type }), name);
  const { url } = await readSuccess(
    'POST /user_uploads',
    await caller.send('POST', '/api/v1/user_uploads', { body }),
  );
  return url;
}

/** Files may be answered by the function, or by an address of the bucket; thumbnails may take a moment. */
async function download(caller: Caller, path: string): Promise<{ bytes: Uint8Array; type: string | null }> {
  let reply = await caller.send('GET', path);
  for (let times = 0; reply.status === 404 && times < 10; times++) {
    await sleep(500);
    reply = await caller.send('GET', path);
  }
  const location = reply.headers.get('location');
  if (reply.status === 302 && location) reply = await fetch(new URL(location, caller.url));
  expectEqual(`status of ${path}`, reply.status, 200);
  return { bytes: await reply.bytes(), type: reply.headers.get('content-type') };
}

/** @returns the path of a file that came in two pieces */
async function uploadInPieces(caller: Caller, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const metadata = `filename ${Buffer.from('smoke.bin').toString('base64')}`;
  const tus = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' };
  const headers = { ...tus, 'upload-length': String(bytes.length), 'upload-metadata': metadata };
  const begun = await caller.send('POST', '/api/v1/tus/', { headers });
  expectEqual('status', begun.status, 201);
  const { pathname } = new URL(begun.headers.get('location') ?? '', caller.url);
  const middle = bytes.length / 2;
  const send = (from: number, to?: number) =>
    caller.send('PATCH', pathname, {
      headers: { ...tus, 'upload-offset': String(from) },
      body: bytes.slice(from, to),
    });
  expectEqual('status of a piece', (await send(0, middle)).status, 204);
  const last = await send(middle);
  const answer = await last.text();
  expectEqual('status of the last piece', last.status, 200);
  return JSON.parse(answer).url;
}

/** The address of a file in the bucket, which needs no credentials. */
async function temporaryAddress(caller: Caller, path: string): Promise<URL> {
  const { url } = await caller.call('GET', path);
  const reply = await caller.send('GET', url, { isAnonymous: true });
  expectEqual(`status of ${url.split('?')[0]}`, reply.status, 302);
  return new URL(reply.headers.get('location') ?? '', caller.url);
}

/** Waits until a stored file is gone. The sweep does a lost job after two minutes, which would prove nothing. */
async function expectGone(address: URL, withinSeconds: number): Promise<void> {
  const untilMs = Date.now() + withinSeconds * 1000;
  for (;;) {
    const reply = await fetch(address, { headers: { range: 'bytes=0-0' } });
    await reply.body?.cancel();
    // A bucket that is not to be listed answers 403.
    if (reply.status === 404 || reply.status === 403) return;
    if (Date.now() > untilMs)
      throw new Broken(
        `After ${withinSeconds} s the bucket still has the file: look at the rule for remove-files on the bus, and at the function run-job`,
      );
    await sleep(500);
  }
}

async function removeUpload(caller: Caller, path: string): Promise<void> {
  const { attachments } = await caller.call('GET', '/attachments');
  const found = attachments.find(({ path_id }: Json) => path.endsWith(path_id));
  if (found) await caller.call('DELETE', `/attachments/${found.id}`);
}

/** A grey picture. */
function makePng(width: number, height: number): Uint8Array<ArrayBuffer> {
  const chunk = (type: string, data: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const framed = Buffer.alloc(named.length + 8);
    framed.writeUInt32BE(data.length);
    named.copy(framed, 4);
    framed.writeUInt32BE(crc32(named), named.length + 4);
    return framed;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  // Eight bits, grey.
  head.writeUInt8(8, 8);
  const rows = deflateSync(Buffer.alloc((width + 1) * height, 0));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return new Uint8Array(
    Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]),
  );
}
