import { effect } from '@preact/signals';
import { signOut } from './account.ts';
import { go } from './router.ts';
import { server } from './store.ts';

interface Shown {
  close: () => void;
}

/** The interface that a desktop client offers to the page inside it. Every member may be missing. */
interface Bridge {
  send_event?: (name: string, ...values: unknown[]) => boolean;
  on_event?: (name: string, listener: () => void) => void;
  new_notification?: (title: string, options: NotificationOptions, dispatch: (type: string) => void) => Shown;
}

declare global {
  interface Window {
    electron_bridge?: Bridge;
  }
}

/** The desktop client around this page. An element of that name, which a page could hold, is none. */
export function findDesktop(): Bridge | undefined {
  const { electron_bridge: bridge } = window;
  return bridge instanceof Element ? undefined : bridge;
}

/** Reports the organization to the desktop client and serves its menus; returns a function that stops this. */
export function watchDesktop(): () => void {
  const desktop = findDesktop();
  desktop?.on_event?.('logout', () => void signOut());
  desktop?.on_event?.('show-keyboard-shortcuts', () => go('#keyboard-shortcuts'));
  desktop?.on_event?.('show-notification-settings', () => go('#settings/notifications'));
  return effect(() => {
    desktop?.send_event?.('realm_name', server.value.realm_name);
    desktop?.send_event?.('realm_icon_url', server.value.realm_icon_url);
  });
}
