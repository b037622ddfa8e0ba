import { vi } from 'vitest';
import { emptyCache } from '#web/state/cache.ts';
import { browser } from '../page.ts';
import { load, openStillPage, type StillPage } from '../still-page.ts';

export const [sending, store, hearing] = await load(
  '#web/net/sending.ts',
  '#web/net/store.ts',
  '#web/net/hearing.ts',
);

export const about = (topic: string) => ({ type: 'stream', channelId: 9, topic });
export const lunch = about('lunch');
export const taken = (id = 8) => ({ body: { id } });
export const lost = (): never => {
  throw new TypeError('fetch failed');
};

/** Opens a page on whose device nothing waits to be sent. */
export function openSendingPage(): StillPage {
  const page = openStillPage({ max_message_id: 7 });
  vi.stubGlobal('localStorage', browser.localStorage);
  for (const name of Object.keys(browser.localStorage)) delete browser.localStorage[name];
  store.cache.value = emptyCache;
  store.connection.value = { status: 'connected' };
  store.notices.value = [];
  sending.outbox.value = [];
  return page;
}

export function closeSendingPage(page: StillPage): void {
  store.cache.value = emptyCache;
  page.close();
}

export const outbox = () => sending.outbox.value;
export const sentFrom = ({ calls }: StillPage) => calls.filter(({ call }) => call === 'POST /messages');
export const receive = (event: object) =>
  hearing.notifyListeners([{ id: 1, type: 'message', flags: [], ...event }], store.server.value);
