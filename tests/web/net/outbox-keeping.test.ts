import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { browser, clearStorage } from './page.ts';

const USER = 7;
const NOW_MS = 1_800_000_000_000;

/** The locks of a browser, which all tabs share; each is held until its holder ends. */
class Locks {
  readonly #held = new Map<string, Promise<unknown>>();

  async request(name: string, ...rest: [object, () => unknown] | [() => unknown]): Promise<unknown> {
    const [options, hold] = rest.length === 1 ? [{}, rest[0]] : rest;
    const { signal } = options as { signal?: AbortSignal };
    const aborted = new Promise((_, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason)),
    );
    await Promise.race([this.#held.get(name), aborted]);
    const result = Promise.resolve(hold());
    this.#held.set(name, result);
    return result;
  }

  /** The tab that holds a lock is closed. */
  end(name: string): void {
    this.#held.delete(name);
  }

  get names(): string[] {
    return [...this.#held.keys()];
  }
}

let locks: Locks;
const { localStorage: stored } = browser;
let opened = 0;
/** Opens another tab: modules with another query run again. */
async function openTab() {
  const path = `#web/net/outbox-keeping.ts?tab=${++opened}`;
  const { keepOutbox, takeOverLeft } = await import(path);
  return { keep: keepOutbox, takeOver: takeOverLeft, lock: locks.names.at(-1) ?? '' };
}
beforeEach(() => {
  locks = new Locks();
  clearStorage();
  vi.stubGlobal('navigator', { locks });
  vi.stubGlobal('localStorage', stored);
  vi.spyOn(Date, 'now').mockReturnValue(NOW_MS);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const message = (content: string, fields: object = {}) => ({
  ...{ id: content, content, status: 'sending', failures: 2, timestamp: NOW_MS / 1000 - 10 },
  ...fields,
});
/** Lets all go on that needs no time. */
const rest = () => setImmediate();

test('Unsent messages are stored on the device, and removed when they are sent', async () => {
  const tab = await openTab();
  const failed = message('three', { status: 'failed' });
  tab.keep(USER, [message('one'), message('two', { status: 'sent' }), failed]);
  const [[name, text] = ['', '']] = Object.entries(stored);
  expect(name).toMatch(/^outbox 7 [0-9a-f]{32}$/);
  expect(JSON.parse(String(text))).toEqual([message('one'), failed]);
  tab.keep(USER, [message('two', { status: 'sent' })]);
  expect(stored).toEqual({});
});

test('A tab takes over the outbox of a closed one, once, and retries its pending messages', async () => {
  const [first, second] = [await openTab(), await openTab()];
  const failed = message('two', { status: 'failed', reason: 'Not today' });
  first.keep(USER, [message('one'), failed]);
  const took = vi.fn();
  second.takeOver(USER, took, new AbortController().signal);
  await rest();
  expect(took).not.toHaveBeenCalled();
  locks.end(first.lock);
  second.takeOver(USER, took, new AbortController().signal);
  await rest();
  const pending = message('one', { status: 'waiting', failures: 0, isDoubtful: true });
  expect(took.mock.calls).toEqual([[[pending, failed]]]);
  expect(stored).toEqual({});
});

test('One of two tabs gets the outbox of a closed one', async () => {
  stored['outbox 7 closed'] = JSON.stringify([message('one')]);
  const [first, second] = [await openTab(), await openTab()];
  const took = vi.fn();
  const { signal } = new AbortController();
  first.takeOver(USER, took, signal);
  second.takeOver(USER, took, signal);
  await rest();
  expect(took.mock.calls.flat(2)).toHaveLength(1);
});

test('A tab of a browser without locks stores unsent messages, and takes over all others', async () => {
  vi.stubGlobal('navigator', {});
  stored['outbox 7 closed'] = JSON.stringify([message('one')]);
  const tab = await openTab();
  const took = vi.fn();
  tab.takeOver(USER, took, new AbortController().signal);
  tab.keep(USER, [message('two')]);
  await rest();
  expect(took.mock.calls).toMatchObject([[[{ id: 'one' }]]]);
  expect(Object.keys(stored)).toHaveLength(1);
});

test('A full device causes a notice, and the message is sent all the same', async () => {
  const warned = vi.spyOn(console, 'warn').mockReturnValue();
  const tab = await openTab();
  vi.stubGlobal('localStorage', { setItem: vi.fn().mockThrow(new Error('Quota exceeded')) });
  tab.keep(USER, [message('one')]);
  expect(warned.mock.calls).toEqual([[expect.stringContaining('out of storage')]]);
});
