import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { message, VIEWER } from '../scene.ts';
import { load, useStillPage } from './still-page.ts';

const ADA = 2;
const settings = {
  enable_desktop_notifications: true,
  enable_stream_desktop_notifications: true,
  enable_sounds: true,
  enable_stream_audible_notifications: true,
  notification_sound: 'ding',
  pm_content_in_desktop_notifications: true,
};

interface Shown {
  title: string;
  body: string;
  tag: string;
  icon?: string;
  silent?: boolean;
}

const page = useStillPage({ user_settings: settings, realm_icon_url: '/icon.png' });
let shown: Shown[];
let sounds: string[];
let opened: { onclick: () => void; isClosed: boolean } | undefined;
let stop: () => void;

/** Another window is in front of the page, and the browser may show notifications. */
beforeEach(() => {
  shown = [];
  sounds = [];
  opened = undefined;
  class Notification {
    static permission = 'granted';
    isClosed = false;
    onclick = () => undefined;
    constructor(title: string, options: Omit<Shown, 'title'>) {
      shown.push({ title, ...options });
      opened = this;
    }
    close(): void {
      this.isClosed = true;
    }
  }
  class Audio {
    readonly path: string;
    constructor(path: string) {
      this.path = path;
    }
    async play(): Promise<void> {
      sounds.push(this.path);
      throw new Error('The viewer has not touched the page');
    }
  }
  vi.stubGlobal('Notification', Notification);
  vi.stubGlobal('Audio', Audio);
  Object.assign(page.window, { Notification, focus: vi.fn() });
  page.document.hasFocus = () => false;
  stop = notifying.watchNotifications();
});
afterEach(() => stop());

const [notifying] = await load('#web/net/notifying.ts');

const receive = (fields: object = {}, flags: string[] = []) =>
  page.receive({ type: 'message', message: message(7, fields), flags });
const direct = { type: 'private', display_recipient: [{ id: VIEWER }, { id: ADA }] };

test('A channel message is shown with its sender, its place and its text, with a sound', () => {
  receive({ content: '<p>Fish &amp; <b>chips</b></p>' });
  expect(shown).toEqual([
    {
      ...{ title: 'Ada (#design › logo)', body: 'Fish & chips', tag: '2 #design › logo' },
      ...{ icon: '/icon.png', silent: true },
    },
  ]);
  expect(sounds).toEqual(['/static/audio/notification_sounds/ding.wav']);
});

test('A visible page shows no notification; a hidden one does, and one behind another window', () => {
  page.document.hasFocus = () => true;
  Object.assign(page.document, { visibilityState: 'visible' });
  receive();
  expect([shown, sounds]).toEqual([[], []]);
  Object.assign(page.document, { visibilityState: 'hidden' });
  receive();
  expect([shown.length, sounds.length]).toEqual([1, 1]);
  page.document.hasFocus = () => false;
  Object.assign(page.document, { visibilityState: 'visible' });
  receive();
  expect([shown.length, sounds.length]).toEqual([2, 2]);
});

test('A direct message is labelled as one, and hides its text if the settings say so', () => {
  receive({ ...direct, content: 'secret' });
  expect(shown[0]).toMatchObject({ title: 'Ada (to you)', body: 'secret', tag: '2 to you' });
  page.set({ user_settings: { ...settings, pm_content_in_desktop_notifications: false } });
  receive({ ...direct, content: 'secret' });
  expect(shown[1]?.body).toBe('A new direct message');
  receive({ content: 'public' });
  expect(shown[2]?.body).toBe('public');
});

test('An icon of another server is not requested', () => {
  page.set({ realm_icon_url: 'https://elsewhere.example.com/icon.png' });
  receive();
  expect(shown[0]).not.toHaveProperty('icon');
});

test('A click on a notification leads to the message, and closes the notification', () => {
  receive();
  opened?.onclick();
  expect(page.location.hash).toBe('#narrow/channel/9-design/topic/logo/near/7');
  expect(opened?.isClosed).toBe(true);
  expect((page.window as EventTarget & { focus: unknown }).focus).toHaveBeenCalledOnce();
});

test('Nothing is shown without the viewer’s permission, and in browsers without notifications', () => {
  const { Notification } = globalThis as unknown as { Notification: { permission: string } };
  Notification.permission = 'denied';
  receive();
  Notification.permission = 'granted';
  delete (page.window as { Notification?: unknown }).Notification;
  receive();
  expect(shown).toEqual([]);
});

test('The desktop client shows notifications itself, and reports clicks', () => {
  let dispatchEvent: ((type: string) => void) | undefined;
  const titles: string[] = [];
  const bridge = {
    new_notification: (title: string, _options: object, dispatch: (type: string) => void) => {
      titles.push(title);
      dispatchEvent = dispatch;
    },
  };
  Object.assign(page.window, { electron_bridge: bridge });
  receive();
  expect(titles).toEqual(['Ada (#design › logo)']);
  expect(shown).toEqual([]);
  dispatchEvent?.('close');
  expect(page.location.hash).toBe('');
  dispatchEvent?.('click');
  expect(page.location.hash).toBe('#narrow/channel/9-design/topic/logo/near/7');
});

test('The text of rendered HTML is the readable one: without tags, spoilers and runs of white space', () => {
  const html =
    '<p>a &lt;b&gt; &quot;c&quot; &#39;d&#39; &amp;lt;</p>\n<div class="spoiler-content"><p>hidden</p></div> end ';
  expect(notifying.plainText(html)).toBe('a <b> "c" \'d\' &lt; end');
});

test('A notification of a poll, a list of tasks or an action names its subject, without its command', () => {
  const submessage = { id: 1, message_id: 7, msg_type: 'widget', sender_id: ADA };
  const widget = (widget_type: string, extra_data: object) => ({
    content: `<p>/${widget_type} anything</p>`,
    submessages: [{ ...submessage, content: JSON.stringify({ widget_type, extra_data }) }],
  });
  receive(widget('poll', { question: 'Which radius?', options: ['6 px', '9 px'] }));
  receive(widget('todo', { task_list_title: 'Before the launch', tasks: [] }));
  receive({ content: '<p>/me is looking at it</p>', is_me_message: true });
  const bodies = shown.map(({ body }) => body);
  expect(bodies).toEqual(['Poll: Which radius?', 'To-do list: Before the launch', 'is looking at it']);
});
