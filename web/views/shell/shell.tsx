import { useEffect, useLayoutEffect } from 'preact/hooks';
import { density } from '#web/net/density.ts';
import { watchDesktop } from '#web/net/desktop.ts';
import { watchDrafts } from '#web/net/drafts.ts';
import { loadEmojiNames } from '#web/net/emoji.ts';
import { watchMatches } from '#web/net/matching.ts';
import { watchMoves } from '#web/net/moves.ts';
import { watchNotifications } from '#web/net/notifying.ts';
import { watchOfflineLater } from '#web/net/offline/start.ts';
import { watchStatusEnd } from '#web/net/own-status.ts';
import { tellPresence, watchTyping } from '#web/net/presence.ts';
import { route } from '#web/net/router.ts';
import { watchOutbox } from '#web/net/sending.ts';
import { server, useServer } from '#web/net/store.ts';
import { Above } from '#web/parts/above.tsx';
import { keepFocus } from '#web/parts/focus.ts';
import { Icon } from '#web/parts/icon.tsx';
import { t } from '#web/texts/texts.ts';
import { watchDrops } from '#web/views/compose/drop-anywhere.ts';
import { openNewMessage } from '#web/views/compose/new-message.tsx';
import { watchEdits } from '#web/views/feed/edit-box.tsx';
import { FeedView } from '#web/views/feed/feed-view.tsx';
import { isSearching } from '#web/views/feed/search-box.tsx';
import { landNewcomer } from '#web/views/lists/greeting.ts';
import { Inbox } from '#web/views/lists/inbox.tsx';
import { Drafts, Reminders, ScheduledMessages } from '#web/views/lists/own-lists.tsx';
import { Recent } from '#web/views/lists/recent.tsx';
import { Announcer } from './announcer.tsx';
import { ConnectionBanner, Notices } from './banners.tsx';
import { Late } from './late.tsx';
import { Navigation } from './navigation.tsx';
import { People } from './people.tsx';
import { watchKeys } from './shortcuts.ts';
import { Tabs } from './tabs.tsx';
import { Title } from './title.tsx';

/** The setting of the home view that opens the combined feed. */
const FEED_HOME = 'all_messages';
const COMBINED = [{ operator: 'in', operand: 'home' }];

/** Views of messages. On pages of settings the button to write would cover controls. */
const PLACES_TO_WRITE: ReadonlySet<string> = new Set([
  'home',
  'inbox',
  'recent',
  'narrow',
  'feed',
  'drafts',
  'scheduled',
  'reminders',
]);

/** The delay of work that the first page does not need, so that it does not slow the page down. */
const SETTLED_MS = 1_000;

/** The client of a person who is signed in: navigation, the view that the address names, people. */
export function Shell() {
  const scheme = useServer(({ user_settings }) => user_settings.color_scheme);
  useEffect(() => {
    const theme = scheme === 2 ? 'dark' : scheme === 3 ? 'light' : '';
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
  }, [scheme]);
  useEffect(() => {
    document.documentElement.dataset.density = density.value;
  }, [density.value]);
  // Before the first picture is drawn, so that no key and no event comes too early to be heard.
  useLayoutEffect(() => {
    const ends = [
      watchTyping(),
      watchOutbox(),
      watchDrafts(),
      watchMatches(),
      watchMoves(),
      watchEdits(),
      watchNotifications(),
      watchDesktop(),
      tellPresence(),
      watchKeys(),
      keepFocus(),
      watchDrops(),
      watchStatusEnd(),
    ];
    void landNewcomer();
    const timer = setTimeout(() => void loadEmojiNames(), SETTLED_MS);
    const endOffline = watchOfflineLater(server.value.user_id);
    return () => {
      clearTimeout(timer);
      endOffline();
      for (const end of ends) end();
    };
  }, []);
  const to = route.value;
  const home = useServer(({ user_settings }) => user_settings.web_home_view);
  const hasPeople = to.view === 'narrow' || to.view === 'feed' || (to.view === 'home' && home === FEED_HOME);
  return (
    <div
      class={['shell', to.view === 'home' && !isSearching.value && 'is-home', !hasPeople && 'is-wide']
        .filter(Boolean)
        .join(' ')}
    >
      <button type="button" class="skip" onClick={focusComposer}>
        {t('shell.skipToTheMessageBox')}
      </button>
      <Navigation />
      <View />
      {hasPeople && <People />}
      {PLACES_TO_WRITE.has(to.view) && (
        <button
          type="button"
          class="write-button"
          aria-label={t('shell.newMessage')}
          title={t('shell.newMessage')}
          onClick={() => openNewMessage()}
        >
          <Icon name="pencil-line" size={20} />
        </button>
      )}
      <Tabs />
      <ConnectionBanner />
      <Notices />
      <Above />
      <Title />
      <Announcer />
    </div>
  );
}

function focusComposer(): void {
  document.getElementById('compose-text')?.focus();
}

function View() {
  const to = route.value;
  const home = useServer(({ user_settings }) => user_settings.web_home_view);
  switch (to.view) {
    case 'narrow':
      return <FeedView narrow={to.narrow} near={to.near} />;
    case 'feed':
      return <FeedView narrow={COMBINED} />;
    case 'recent':
      return <Recent />;
    case 'drafts':
      return <Drafts />;
    case 'scheduled':
      return <ScheduledMessages />;
    case 'reminders':
      return <Reminders />;
    case 'home':
      if (home === 'recent' || home === 'recent_topics') return <Recent />;
      return home === FEED_HOME ? <FeedView narrow={COMBINED} /> : <Inbox />;
    case 'inbox':
      return <Inbox />;
    default:
      return <Late page={to.view} rest={to.rest} />;
  }
}
