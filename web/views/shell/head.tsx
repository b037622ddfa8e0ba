import type { ComponentChildren } from 'preact';
import { go } from '#web/net/router.ts';
import { IconButton } from '#web/parts/icon.tsx';
import { t } from '#web/texts/texts.ts';
import { isSearching, SearchBox, SearchButton } from '#web/views/feed/search-box.tsx';

/** The line above a view: its name and its actions. On a telephone it leads back to the navigation. */
export function Head({
  title,
  mark,
  crumb,
  crumbLink,
  note,
  children,
}: {
  title: string;
  mark?: ComponentChildren;
  /** The name of the view's parent. */
  crumb?: string;
  /** The view above this one; on a telephone the way back leads there. */
  crumbLink?: string;
  note?: ComponentChildren;
  children?: ComponentChildren;
}) {
  if (isSearching.value) return <SearchBox />;
  return (
    <header class="head">
      <IconButton
        icon="chevron-left"
        label={crumb && crumbLink ? t('shell.backToCrumb', { crumb }) : t('shell.backToTheNavigation')}
        class="only-narrow"
        size={20}
        onClick={() => go(crumbLink ?? '')}
      />
      {mark}
      <h1>
        {crumb && (
          <span class="crumb of-page">
            {crumbLink ? <a href={crumbLink}>{crumb}</a> : crumb}
            <span class="crumb-end"> ›&nbsp;</span>
          </span>
        )}
        <span class="head-title">{title}</span>
      </h1>
      {note && <div class="head-note">{note}</div>}
      <div class="head-tools">
        <SearchButton />
        {children}
      </div>
    </header>
  );
}
