import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { load, useStillPage } from './still-page.ts';

const [desktop] = await load('#web/net/desktop.ts');

const page = useStillPage({ realm_name: 'Bakers', realm_icon_url: '/icon.png' });
let stop: () => void;
const menus = new Map<string, () => void>();
const sent: unknown[][] = [];
const bridge = {
  send_event: (...event: unknown[]) => sent.push(event),
  on_event: (name: string, listener: () => void) => menus.set(name, listener),
};
class Element {}

beforeEach(() => {
  menus.clear();
  sent.length = 0;
  vi.stubGlobal('Element', Element);
  stop = () => undefined;
});
afterEach(() => stop());

/** Something wraps the page. */
const wrap = (by: unknown) => Object.assign(page.window, { electron_bridge: by });

test('The desktop client gets the name and the icon of the organization, and each new one until it ends', () => {
  wrap(bridge);
  stop = desktop.watchDesktop();
  const named = (name: string) => [
    ['realm_name', name],
    ['realm_icon_url', '/icon.png'],
  ];
  expect(sent).toEqual(named('Bakers'));
  page.set({ realm_name: 'Cooks' });
  expect(sent.slice(2)).toEqual(named('Cooks'));
  stop();
  page.set({ realm_name: 'Bakers' });
  expect(sent).toHaveLength(4);
});

test('The menus of the desktop client open the shortcuts and the settings, and sign out', async () => {
  const assign = vi.fn();
  Object.assign(page.location, { assign });
  wrap(bridge);
  stop = desktop.watchDesktop();
  menus.get('show-keyboard-shortcuts')?.();
  expect(page.location.hash).toBe('#keyboard-shortcuts');
  menus.get('show-notification-settings')?.();
  expect(page.location.hash).toBe('#settings/notifications');
  menus.get('logout')?.();
  await vi.waitUntil(() => assign.mock.calls.length > 0, { timeout: 60_000 });
  expect(page.calls).toMatchObject([{ call: 'DELETE /session' }]);
  expect(assign.mock.calls).toEqual([['/login/']]);
});

test('A desktop client with fewer functions works, and so does a browser', () => {
  wrap({});
  desktop.watchDesktop()();
  wrap(undefined);
  desktop.watchDesktop()();
  expect(sent).toEqual([]);
});

test('An element of the page with the name of the desktop client is ignored', () => {
  wrap(Object.assign(new Element(), bridge));
  expect(desktop.findDesktop()).toBeUndefined();
  desktop.watchDesktop()();
  expect(sent).toEqual([]);
});
