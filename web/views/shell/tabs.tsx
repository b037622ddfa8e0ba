import type { ComponentChildren } from 'preact';
import { route } from '#web/net/router.ts';
import { useServer } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { operandOf } from '#web/state/narrow.ts';
import { countAboutViewer, unreadCounts } from '#web/state/sidebar.ts';
import { t } from '#web/texts/texts.ts';
import { isSearching, openSearch } from '#web/views/feed/search-box.tsx';
import { openOwnMenu } from './organization-menu.tsx';
import { Count } from './view-links.tsx';

const HOME = '#';

type Place = 'chats' | 'inbox' | 'search' | 'you';

/** The place of the bar to which the shown view belongs. */
function placeOf(ownId: number): Place | undefined {
  const to = route.value;
  if (isSearching.value) return 'search';
  if (to.view === 'narrow') return operandOf(to.narrow, 'search') === undefined ? undefined : 'search';
  if (to.view === 'settings' || (to.view === 'user' && Number(to.rest[0]) === ownId)) return 'you';
  if (to.view === 'home') return 'chats';
  return to.view === 'inbox' ? 'inbox' : undefined;
}

/** On a telephone: the places of every day, at the bottom of each page without a message box. */
export function Tabs() {
  const ownId = useServer(({ user_id }) => user_id);
  const here = placeOf(ownId);
  const current = (place: Place): { 'aria-current'?: 'page' } =>
    here === place ? { 'aria-current': 'page' } : {};
  return (
    <nav class="tabs" aria-label={t('shell.mainPlaces')}>
      <a class="tab" href={HOME} {...current('chats')}>
        <Sign>
          <Icon name="message-square" size={20} />
        </Sign>
        {t('shell.chats')}
      </a>
      <a class="tab" href="#inbox" {...current('inbox')}>
        <Sign>
          <Icon name="inbox" size={20} />
        </Sign>
        {t('common.inbox')}
        <InboxCount />
      </a>
      <button type="button" class="tab" onClick={openSearch} {...current('search')}>
        <Sign>
          <Icon name="search" size={20} />
        </Sign>
        {t('feed.search')}
      </button>
      <button
        type="button"
        class="tab"
        aria-haspopup="menu"
        onClick={(event) => openOwnMenu(event.currentTarget)}
        {...current('you')}
      >
        <Sign>
          <Avatar userId={ownId} size={20} />
        </Sign>
        {t('feed.you')}
      </button>
    </nav>
  );
}

const Sign = ({ children }: { children: ComponentChildren }) => <span class="tab-sign">{children}</span>;

/** Unread messages: those about the viewer, or else all. */
function InboxCount() {
  const about = useServer(countAboutViewer);
  const { total, mentions } = useServer(unreadCounts);
  if (about === 0) return <Count number={total} />;
  return (
    <Count
      number={about}
      isHot
      mark={mentions > 0 ? '@' : ''}
      say={(count) => t('shell.countUnreadForYou', { count })}
    />
  );
}
