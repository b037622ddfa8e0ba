import { afterEach, beforeEach, vi } from 'vitest';
import { browser, clearStorage } from '../page.ts';
import { load, type StillPage, useStillPage } from '../still-page.ts';

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

/** A page on whose device nothing waits to be sent; it watches its outbox until `stop` is called, or the test ends. */
export function useSendingPage(): StillPage & { stop: () => void } {
  const page = Object.assign(useStillPage({ max_message_id: 7 }), { stop: (): void => undefined });
  beforeEach(() => {
    vi.stubGlobal('localStorage', browser.localStorage);
    clearStorage();
    sending.outbox.value = [];
    page.stop = sending.watchOutbox();
  });
  afterEach(() => page.stop());
  return page;
}

export const outbox = () => sending.outbox.value;
export const sentFrom = ({ calls }: StillPage) => calls.filter(({ call }) => call === 'POST /messages');
export const receive = (event: object) =>
  hearing.notifyListeners([{ id: 1, type: 'message', flags: [], ...event }], store.server.value);
