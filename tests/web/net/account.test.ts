import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { emptyCache } from '#web/state/cache.ts';
import { load, openStillPage, type StillPage } from './still-page.ts';

const [account, api, store, uploads, desktop, router] = await load(
  '#web/net/account.ts',
  '#web/net/api.ts',
  '#web/net/store.ts',
  '#web/net/uploads.ts',
  '#web/net/desktop.ts',
  '#web/net/router.ts',
);

let page: StillPage;
beforeEach(() => {
  page = openStillPage({ realm_name: 'Kiln', realm_icon_url: '/icon.png' } as never);
  api.session.value = 'in';
});
afterEach(() => {
  page.close();
  api.session.value = 'unknown';
});
const asked = () => page.calls.map(({ call, params }) => [call, params]);

describe('an account', () => {
  test.each<[string, () => Promise<unknown>, object]>([
    [
      'name and password',
      () => account.signIn('ada@example.com', 'secret'),
      { username: 'ada@example.com', password: 'secret' },
    ],
    ['the token of a link', () => account.signInByToken('abc'), { token: 'abc' }],
  ])('signs in by %s, and sees nothing of the one before', async (_what, signIn, params) => {
    store.cache.value = { ...emptyCache };
    await signIn();
    expect(asked()).toEqual([['POST /session', params]]);
    expect([store.state.value, api.session.value]).toEqual([undefined, 'unknown']);
    expect(store.cache.value).toBe(emptyCache);
  });

  test('is not signed in where the service refuses, and the page stays as it is', async () => {
    page.answer = () => ({ status: 400, body: { msg: 'Wrong password' } });
    await expect(account.signIn('ada@example.com', 'guess')).rejects.toThrow('Wrong password');
    expect(store.state.value).toBeDefined();
    expect(api.session.value).toBe('in');
  });

  test('signs out at the service first, and then loads an empty page', async () => {
    const left: string[] = [];
    Object.assign(page.location, {
      assign: (to: string) => left.push(to, ...page.calls.map(({ call }) => call)),
    });
    await account.signOut();
    expect(left).toEqual(['/login/', 'DELETE /session']);
  });

  test('asks before signing in for what the organization is, and by mail for another password or address', async () => {
    page.answer = () => ({ body: { realm_name: 'Kiln', email: 'new@example.com' } });
    expect(await account.serverSettings()).toMatchObject({ realm_name: 'Kiln' });
    await account.askForPasswordReset('ada@example.com');
    await account.resetPassword('a/b', 'new secret');
    expect(await account.confirmNewAddress('a/b')).toBe('new@example.com');
    expect(asked()).toEqual([
      ['GET /server_settings', {}],
      ['POST /password_reset', { email: 'ada@example.com' }],
      ['POST /password_reset/a%2Fb', { password: 'new secret' }],
      ['POST /settings/email/a%2Fb', {}],
    ]);
  });
});

describe('a file that is uploaded', () => {
  /** What the browser holds of the upload. */
  class Upload {
    static newest: Upload;
    upload: { onprogress?: (progress: object) => void } = {};
    status = 0;
    response: object | null = null;
    isAborted = false;
    opened: string[] = [];
    sent = new FormData();
    onload = () => undefined;
    onerror = () => undefined;
    onabort = () => undefined;
    constructor() {
      Upload.newest = this;
    }
    open(...given: string[]): void {
      this.opened = given;
    }
    send(form: FormData): void {
      this.sent = form;
    }
    abort(): void {
      this.isAborted = true;
      this.onabort();
    }
    end(status: number, response: object | null): void {
      Object.assign(this, { status, response });
      this.onload();
    }
  }
  let parts: number[];
  let cancelling: AbortController;
  const file = new File(['text'], 'notes.txt');
  const upload = () =>
    uploads.upload(file, (part: number) => parts.push(part), cancelling.signal) as Promise<object>;

  beforeEach(() => {
    parts = [];
    cancelling = new AbortController();
    vi.stubGlobal('XMLHttpRequest', Upload);
  });

  test('tells how far it is, and then its address and the name that the service gave it', async () => {
    const done = upload();
    const { newest } = Upload;
    expect(newest.opened).toEqual(['POST', '/api/v1/user_uploads']);
    expect(newest.sent.get('filename')).toMatchObject({ name: 'notes.txt' });
    newest.upload.onprogress?.({ loaded: 1, total: 4 });
    newest.upload.onprogress?.({ loaded: 0, total: 0 });
    expect(parts).toEqual([0.25, 0]);
    newest.end(200, { url: '/user_uploads/1/notes.txt', filename: 'notes-2.txt' });
    expect(await done).toEqual({ name: 'notes-2.txt', url: '/user_uploads/1/notes.txt' });
    const other = upload();
    Upload.newest.end(200, { url: '/user_uploads/2/notes.txt' });
    expect(await other).toMatchObject({ name: 'notes.txt' });
  });

  test('is refused in the words of the service, and a session that ended ends here too', async () => {
    const large = upload();
    Upload.newest.end(400, { msg: 'Too large', code: 'BAD_REQUEST' });
    await expect(large).rejects.toMatchObject({ status: 400, message: 'Too large' });
    expect(api.session.value).toBe('in');
    const late = upload();
    Upload.newest.end(401, null);
    await expect(late).rejects.toMatchObject({ status: 401 });
    expect(api.session.value).toBe('out');
  });

  test('is cancelled by the viewer, and lost with the connection', async () => {
    const cancelled = upload();
    cancelling.abort();
    await expect(cancelled).rejects.toThrow(uploads.Cancelled);
    expect(Upload.newest.isAborted).toBe(true);
    cancelling = new AbortController();
    const lost = upload();
    Upload.newest.onerror();
    await expect(lost).rejects.toThrow('The connection was lost.');
  });
});

describe('an address of the page', () => {
  let pushed: [string, unknown, string | undefined][];
  beforeEach(() => {
    pushed = [];
    const note = (kind: string) => (state: unknown, _title: string, to?: string) => {
      pushed.push([kind, state, to]);
      if (to !== undefined) page.location.hash = to.startsWith('#') ? to : '';
    };
    vi.stubGlobal('history', { state: null, pushState: note('push'), replaceState: note('replace') });
  });
  afterEach(() => router.goInstead(''));

  test('is entered in the history once, and its view is shown', () => {
    router.go('#settings/profile');
    expect(router.route.value.view).toBe('settings');
    router.go('#settings/profile');
    router.go('');
    router.goInstead('#inbox');
    expect(pushed).toEqual([
      ['push', null, '#settings/profile'],
      ['push', null, '/'],
      ['replace', null, '#inbox'],
    ]);
    expect(router.route.value.view).toBe('inbox');
  });

  test('notes where the feed stands, and forgets it', () => {
    expect(router.notedPlace()).toBeUndefined();
    router.notePlace({ id: 7 });
    router.notePlace(undefined);
    expect(pushed).toEqual([
      ['replace', { place: { id: 7 } }, undefined],
      ['replace', null, undefined],
    ]);
    vi.stubGlobal('history', { state: { place: { id: 7 } } });
    expect(router.notedPlace()).toEqual({ id: 7 });
    vi.stubGlobal('history', { replaceState: () => undefined });
  });

  test.each([
    ['#narrow/is/starred', '#narrow/is/starred'],
    ['https://chat.example.com/#inbox', '#inbox'],
    ['https://chat.example.com/', undefined],
    ['https://chat.example.com/other#inbox', undefined],
    ['https://elsewhere.example.com/#inbox', undefined],
    ['https://[', undefined],
  ])('%s in a message leads to %s here', (href, fragment) => {
    expect(router.fragmentOf(href)).toBe(fragment);
  });
});

describe('the desktop client around the page', () => {
  let told: unknown[];
  let listeners: Map<string, () => void>;
  beforeEach(() => {
    told = [];
    listeners = new Map();
    vi.stubGlobal('Element', class {});
    Object.assign(page.window, {
      electron_bridge: {
        send_event: (...values: unknown[]) => told.push(values),
        on_event: (name: string, listener: () => void) => listeners.set(name, listener),
      },
    });
  });

  test('hears how the organization is called and looks, now and when that changes, until it ends', () => {
    const stop = desktop.watchDesktop();
    expect(told).toEqual([
      ['realm_name', 'Kiln'],
      ['realm_icon_url', '/icon.png'],
    ]);
    const { server } = store.state.value;
    store.state.value = { server: { ...server, realm_name: 'Clay' } };
    expect(told.slice(2)).toEqual([
      ['realm_name', 'Clay'],
      ['realm_icon_url', '/icon.png'],
    ]);
    stop();
    store.state.value = { server };
    expect(told).toHaveLength(4);
  });

  test('leads to what its menus name', async () => {
    const stop = desktop.watchDesktop();
    const gone: string[] = [];
    vi.stubGlobal('history', { pushState: (_state: unknown, _title: string, to: string) => gone.push(to) });
    Object.assign(page.location, { assign: (to: string) => gone.push(to) });
    listeners.get('show-keyboard-shortcuts')?.();
    listeners.get('show-notification-settings')?.();
    listeners.get('logout')?.();
    await page.pass(0);
    expect(gone).toEqual(['#keyboard-shortcuts', '#settings/notifications', '/login/']);
    stop();
  });

  test('is none where the page holds an element of that name, or nothing', () => {
    const element = new (globalThis as unknown as { Element: new () => object }).Element();
    Object.assign(page.window, { electron_bridge: element });
    expect(desktop.findDesktop()).toBeUndefined();
    Object.assign(page.window, { electron_bridge: undefined });
    desktop.watchDesktop()();
    expect(told).toEqual([]);
  });
});
