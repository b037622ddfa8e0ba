import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { findMessage } from '#web/net/pages.ts';
import { fragmentOf } from '#web/net/router.ts';
import { nameOfPerson, server } from '#web/net/store.ts';
import { putBeside } from '#web/parts/beside.ts';
import { Rendered } from '#web/parts/rendered.tsx';
import { momentOf } from '#web/parts/time.ts';
import { readHash } from '#web/state/hash.ts';
import { conversationOfMessage } from '#web/state/narrow.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { whereTo } from '#web/views/compose/where-to.ts';
import { CANNOT_BE_SHOWN } from './elsewhere.ts';

const PREVIEW_ID = 'link-preview';
const REST_MS = 350;

interface Preview {
  link: HTMLAnchorElement;
  /** Undefined if it cannot be shown. */
  message: Message | undefined;
}
const preview = signal<Preview | undefined>(undefined);

/** The message that a link names; undefined if it leads elsewhere. */
function messageIdOf(link: HTMLAnchorElement): number | undefined {
  const fragment = fragmentOf(link.href);
  const to = fragment === undefined ? undefined : readHash(fragment);
  return to?.view === 'narrow' ? to.near : undefined;
}

/** Shows what links in messages lead to, while a pointer rests on them or they have the focus. Gives what ends it. */
export function watchLinks(feed: HTMLElement): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wanted: HTMLAnchorElement | undefined;
  const close = (): void => {
    clearTimeout(timer);
    wanted?.removeAttribute('aria-describedby');
    wanted = undefined;
    preview.value = undefined;
  };
  const open = async (link: HTMLAnchorElement, id: number): Promise<void> => {
    const message = await findMessage(id);
    if (wanted !== link) return;
    link.setAttribute('aria-describedby', PREVIEW_ID);
    preview.value = { link, message };
  };
  const onLink = (event: Event): void => {
    const target = event.target instanceof Element ? event.target : undefined;
    const link = target?.closest<HTMLAnchorElement>('.rendered a[href]') ?? undefined;
    if (link === wanted) return;
    close();
    const id = link && messageIdOf(link);
    if (!link || id === undefined) return;
    wanted = link;
    timer = setTimeout(() => void open(link, id), REST_MS);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
  };
  const stop = new AbortController();
  const { signal: ended } = stop;
  feed.addEventListener('pointerover', onLink, { signal: ended });
  feed.addEventListener('focusin', onLink, { signal: ended });
  feed.addEventListener('pointerleave', close, { signal: ended });
  feed.addEventListener('focusout', close, { signal: ended });
  feed.addEventListener('scroll', close, { signal: ended, passive: true });
  feed.addEventListener('keydown', onKey, { signal: ended });
  return () => {
    close();
    stop.abort();
  };
}

/** The place of the preview, rendered once next to the feed. */
export function LinkPreview() {
  const element = useRef<HTMLDivElement>(null);
  const open = preview.value;
  useLayoutEffect(() => {
    const box = element.current;
    if (!box || !open) return;
    box.showPopover();
    putBeside(box, open.link.getBoundingClientRect(), 'above');
  }, [open]);
  if (!open) return null;
  return (
    <div class="link-preview" id={PREVIEW_ID} role="tooltip" popover="manual" ref={element}>
      {open.message ? <Shown message={open.message} /> : <p class="quiet">{CANNOT_BE_SHOWN}</p>}
    </div>
  );
}

function Shown({ message }: { message: Message }) {
  return (
    <>
      <p class="quiet">
        <strong>{nameOfPerson(message.sender_id)}</strong>{' '}
        {whereTo(conversationOfMessage(message, server.value.user_id))}, {momentOf(message.timestamp)}
      </p>
      <Rendered html={message.content} />
    </>
  );
}
