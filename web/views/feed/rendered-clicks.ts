import { writeClipboard } from '#web/net/message-actions.ts';
import { fragmentOf, go } from '#web/net/router.ts';
import { showNotice } from '#web/net/store.ts';
import { t } from '#web/texts/texts.ts';
import { openCard } from '#web/views/shell/person-card.tsx';
import { openPicture, PICTURES } from './viewer.tsx';

/** Handles all clicks in rendered messages at one place. */
export function onRenderedClick(event: MouseEvent): void {
  const target = event.target instanceof Element ? event.target : undefined;
  // With these keys the browser opens a link elsewhere, saves it, or selects text.
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (!target || event.defaultPrevented || event.button !== 0) return;
  if (onControl(target)) return;
  const picture = target.closest<HTMLImageElement>(PICTURES);
  if (picture) {
    event.preventDefault();
    openPicture(picture);
    return;
  }
  const link = target.closest<HTMLAnchorElement>('.rendered a[href]');
  const fragment = link ? fragmentOf(link.href) : undefined;
  if (fragment === undefined) return;
  event.preventDefault();
  go(fragment);
}

/** Gives whether the click was on a control that `enliven` made. */
function onControl(target: Element): boolean {
  const spoiler = target.closest<HTMLElement>('.spoiler-button');
  const copy = target.closest<HTMLElement>('.code-copy');
  const mention = target.closest<HTMLElement>('.user-mention[role=button]');
  if (spoiler) toggleSpoiler(spoiler);
  if (copy) void copyCode(copy);
  if (mention) openCard(mention, Number(mention.dataset.userId));
  return spoiler !== null || copy !== null || mention !== null;
}

function toggleSpoiler(button: HTMLElement): void {
  const content = document.getElementById(button.getAttribute('aria-controls') ?? '');
  if (!content) return;
  content.hidden = !content.hidden;
  content.setAttribute('aria-hidden', String(content.hidden));
  button.setAttribute('aria-expanded', String(!content.hidden));
  button.textContent = content.hidden ? t('feed.show') : t('feed.hide');
}

async function copyCode(button: HTMLElement): Promise<void> {
  const code = button.closest('.codehilite')?.querySelector('code')?.textContent ?? '';
  try {
    await writeClipboard(code);
    button.textContent = t('feed.copied');
    setTimeout(() => {
      button.textContent = t('common.copy');
    }, 1_500);
  } catch {
    showNotice(t('feed.theBrowserDoesNotLet'));
  }
}
