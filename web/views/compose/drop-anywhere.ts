import { showNotice } from '#web/net/store.ts';
import { t } from '#web/texts/texts.ts';
import { openHost } from './hosts.ts';

const hasFiles = (transfer: DataTransfer | null): boolean => (transfer?.types ?? []).includes('Files');

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA)$/.test(target.tagName));

/**
 * Takes files that are dropped or pasted anywhere on the page into the message that is being written. No file that is
 * dropped makes the browser leave the page. Returns what ends it.
 */
export function watchDrops(): () => void {
  const root = document.documentElement;
  const stop = new AbortController();
  const { signal } = stop;
  let depth = 0;
  const mark = (isOver: boolean): void => void root.toggleAttribute('data-dropping', isOver);
  const take = (files: FileList | undefined): void => {
    if (!files || files.length === 0) return;
    const host = openHost();
    if (host) host.take([...files]);
    else showNotice(t('compose.openAConversationToSend'));
  };
  window.addEventListener(
    'dragenter',
    ({ dataTransfer }) => {
      if (!hasFiles(dataTransfer)) return;
      depth += 1;
      mark(openHost() !== undefined);
    },
    { signal },
  );
  window.addEventListener(
    'dragleave',
    () => {
      depth = Math.max(0, depth - 1);
      if (depth === 0) mark(false);
    },
    { signal },
  );
  window.addEventListener(
    'dragover',
    (event) => {
      if (hasFiles(event.dataTransfer)) event.preventDefault();
    },
    { signal },
  );
  window.addEventListener(
    'drop',
    (event) => {
      depth = 0;
      mark(false);
      const isTaken = event.defaultPrevented;
      const { files } = event.dataTransfer ?? {};
      if (!hasFiles(event.dataTransfer) && !files?.length) return;
      event.preventDefault();
      if (!isTaken) take(files);
    },
    { signal },
  );
  window.addEventListener(
    'paste',
    (event) => {
      const files = event.clipboardData?.files;
      if (event.defaultPrevented || isField(event.target) || !files?.length) return;
      event.preventDefault();
      take(files);
    },
    { signal },
  );
  return () => stop.abort();
}
