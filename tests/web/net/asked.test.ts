import { createElement, render } from 'preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { snapshot } from '../scene.ts';
import { load, useStillPage } from './still-page.ts';

const [{ useAsked }, hearing] = await load('#web/net/asked.ts', '#web/net/hearing.ts');

interface Asked {
  reply?: unknown;
  failure?: string;
  refetch: () => void;
}

const page = useStillPage();
let seen: Asked;
/** A view of nothing, whose place in the page needs no document. */
const place = { nodeType: 1, childNodes: [], firstChild: null } as never;
function View({ path, types }: { path: string; types: string[] }) {
  seen = useAsked(path, types);
  return null;
}
/** Longer than a browser takes until it draws, with the consequences. */
const drawn = () => page.pass(100);
async function show(path: string, ...types: string[]): Promise<void> {
  render(createElement(View, { path, types }), place);
  await drawn();
}
const receive = (type: string) => {
  hearing.notifyListeners([{ id: 1, type }], snapshot());
  return drawn();
};
const asked = () => page.calls.map(({ call }) => call);

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw, 16));
  vi.stubGlobal('cancelAnimationFrame', clearTimeout);
  page.answer = () => ({ body: { invites: [page.calls.length] } });
});
afterEach(() => render(null, place));

test('Data outside the state is requested once, and shown', async () => {
  await show('/invites');
  expect(asked()).toEqual(['GET /invites']);
  expect(seen).toEqual({ reply: { invites: [1] }, refetch: expect.any(Function) });
  await show('/invites');
  expect(asked()).toHaveLength(1);
});

test('Data is requested again after an event of these types, on request of the view, and for another path', async () => {
  await show('/invites', 'invites_changed', 'realm');
  await receive('invites_changed');
  await receive('realm');
  await receive('message');
  expect(asked()).toHaveLength(3);
  expect(seen.reply).toEqual({ invites: [3] });
  seen.refetch();
  await drawn();
  expect(asked()).toHaveLength(4);
  await show('/bots', 'message');
  expect(asked().slice(4)).toEqual(['GET /bots']);
  await receive('realm');
  expect(asked()).toHaveLength(5);
  await receive('message');
  expect(asked()).toHaveLength(6);
});

test('A refusal appears beside the known data, and disappears with the next answer', async () => {
  const answer = page.answer;
  page.answer = () => ({ status: 400, body: { msg: 'Not today' } });
  await show('/invites');
  expect(seen).toEqual({ failure: 'Not today', refetch: expect.any(Function) });
  page.answer = answer;
  seen.refetch();
  await drawn();
  expect(seen).toEqual({ reply: { invites: [2] }, refetch: expect.any(Function) });
  page.answer = () => ({ status: 400, body: { msg: 'Not today' } });
  seen.refetch();
  await drawn();
  expect(seen).toMatchObject({ reply: { invites: [2] }, failure: 'Not today' });
});

test('A closed view gets nothing more, and its call is aborted', async () => {
  const signals: AbortSignal[] = [];
  vi.stubGlobal('fetch', (_target: string, { signal }: { signal: AbortSignal }) => {
    signals.push(signal);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  await show('/invites', 'realm');
  await show('/bots', 'realm');
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(seen.failure).toBeUndefined();
  render(null, place);
  await drawn();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  await receive('realm');
  expect(signals).toHaveLength(2);
});
