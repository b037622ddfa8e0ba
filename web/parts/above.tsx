import { useEffect, useState } from 'preact/hooks';
import { loadLate } from '#web/net/load-late.ts';
import { closeDialog, dialog } from './dialog.tsx';
import { closeLayer, layer } from './layer.tsx';

type Hosts = typeof import('./hosts.tsx').Hosts;

/** The first page is drawn before this is loaded. */
const SETTLED_MS = 1_000;

/** Shows dialogs and layers above the page. Their code is loaded soon after the page, or with the first of them. */
export function Above() {
  const [loaded, setLoaded] = useState<{ Hosts: Hosts }>();
  const isWanted = dialog.value !== undefined || layer.value !== undefined;
  useEffect(() => {
    const load = (): void =>
      loadLate(
        import('./hosts.tsx').catch((reason) => {
          closeDialog();
          closeLayer();
          throw reason;
        }),
        setLoaded,
      );
    const timer = setTimeout(load, isWanted ? 0 : SETTLED_MS);
    return () => clearTimeout(timer);
  }, [isWanted]);
  return loaded ? <loaded.Hosts /> : null;
}
