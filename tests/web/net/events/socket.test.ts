import { beforeEach, expect, test, vi } from 'vitest';
import { load, useStillPage } from '../still-page.ts';

const [{ EventSocket }] = await load('#web/net/events/socket.ts');

/** The end of a socket that the service holds. */
class Line {
  static newest: Line;
  readonly sent: string[] = [];
  isClosed = false;
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((message: { data: unknown }) => void) | null = null;

  readonly address: URL;

  constructor(address: URL) {
    this.address = address;
    if (address.host === 'refused.example.com') throw new Error('No socket leads there');
    Line.newest = this;
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.isClosed = true;
  }
  deliver(text: object): void {
    this.onmessage?.({ data: JSON.stringify(text) });
  }
}

const OPENED = { op: 'opened', position: 1, events: [] };
const NEWS = { op: 'events', position: 2, events: [] };
const PING = '{"op":"ping"}';

const page = useStillPage();
let line: Line;
/** The results of the next texts. */
let heard: { isAckDue: boolean; ending?: object };
let spell: object | undefined;

function connect(url = '/socket') {
  spell = undefined;
  const socket = new EventSocket(
    url,
    () => heard,
    (op: string) => `${op}!`,
  );
  socket.over.then((found: object) => {
    spell = found;
  });
  line = Line.newest;
  return socket;
}

/** A socket that the service has opened. */
function connected() {
  const socket = connect();
  line.onopen?.();
  line.deliver(OPENED);
  return socket;
}

beforeEach(() => {
  vi.stubGlobal('WebSocket', Line);
  heard = { isAckDue: false };
});

test('A socket that is not open within twenty seconds is cut', async () => {
  const socket = connect();
  await page.pass(19_999);
  expect(spell).toBeUndefined();
  await page.pass(1);
  expect(spell).toEqual({ ending: { kind: 'cut' }, wasOpened: false, openMs: 0 });
  expect(socket.settled.aborted).toBe(true);
  expect(line.isClosed).toBe(true);
  expect(line).toMatchObject({ onopen: null, onclose: null, onmessage: null });
});

test('An open socket pings after four quiet minutes, and is cut without an answer within ten seconds', async () => {
  connected();
  await page.pass(3 * 60_000);
  line.deliver(NEWS);
  await page.pass(4 * 60_000 - 1);
  expect(line.sent).toEqual(['open!']);
  await page.pass(1);
  expect(line.sent).toEqual(['open!', PING]);
  await page.pass(9_999);
  line.deliver({ op: 'pong' });
  await page.pass(4 * 60_000);
  expect(line.sent).toEqual(['open!', PING, PING]);
  await page.pass(9_999);
  expect(spell).toBeUndefined();
  await page.pass(1);
  expect(spell).toEqual({ ending: { kind: 'cut' }, wasOpened: true, openMs: (11 * 60 + 20) * 1000 - 1 });
  expect(vi.getTimerCount()).toBe(0);
});
