import { route } from '#web/net/router.ts';
import { useServer } from '#web/net/store.ts';
import { Icon } from '#web/parts/icon.tsx';
import type { IconName } from '#web/parts/icon-drawings.ts';
import { unreadCounts } from '#web/state/sidebar.ts';
import { t } from '#web/texts/texts.ts';

/** A number of messages beside a name; nothing for none. */
export function Count({
  number,
  isHot = false,
  mark = '',
  say = (count) => t('lists.countUnread', { count }),
}: {
  number: number;
  isHot?: boolean;
  /** A sign before the number: @ for mentions. */
  mark?: string;
  /** The number in words, for screen readers. */
  say?: (count: number) => string;
}) {
  if (number === 0) return null;
  return (
    <span class={isHot ? 'count hot' : 'count'}>
      <span aria-hidden="true">
        {mark}
        {number > 999 ? '999+' : number}
      </span>
      <span class="hidden-visually"> {say(number)}</span>
    </span>
  );
}

/** Home views that also have an address of their own, by their name in the settings. */
const HOME_LINKS: Record<string, string> = {
  recent: '#recent',
  recent_topics: '#recent',
  all_messages: '#feed',
};

const countMessages = (count: number): string => t('shell.messageCount', { count });

/** The views that everyone has, each with its number of unread messages. */
export function Views() {
  const counts = useServer(unreadCounts);
  const starred = useServer(({ starred_messages, user_settings }) =>
    user_settings.starred_message_counts ? starred_messages.length : 0,
  );
  const drafts = useServer((snapshot) => snapshot.drafts.length);
  const scheduled = useServer((snapshot) => snapshot.scheduled_messages.length);
  const reminders = useServer((snapshot) => snapshot.reminders.length);
  const here = location.hash;
  const view = route.value.view;
  const home = useServer(({ user_settings }) => HOME_LINKS[user_settings.web_home_view] ?? '#inbox');
  const isHere = (link: string): boolean => here === link || (link === home && view === 'home');
  const line = (
    icon: IconName,
    label: string,
    link: string,
    number = 0,
    isHot = false,
    say?: (count: number) => string,
  ) => (
    <a
      class={number > 0 && !say ? 'row new' : 'row'}
      href={link}
      aria-current={isHere(link) ? 'page' : undefined}
      key={link}
    >
      <Icon name={icon} />
      <span class="row-name">{label}</span>
      <Count number={number} isHot={isHot} {...(say && { say })} />
    </a>
  );
  return (
    <div class="nav-section">
      {line('inbox', t('common.inbox'), '#inbox', counts.total)}
      {line('clock', t('common.recentConversations'), '#recent')}
      {line('layers', t('common.combinedFeed'), '#feed')}
      {line('at-sign', t('common.mentions'), '#narrow/is/mentioned', counts.mentions, true)}
      {line('star', t('shell.starred'), '#narrow/is/starred', starred, false, countMessages)}
      {line('pencil-line', t('shell.drafts'), '#drafts', drafts, false, (count) =>
        t('shell.draftCount', { count }),
      )}
      {scheduled > 0 &&
        line('calendar-clock', t('shell.scheduled'), '#scheduled', scheduled, false, countMessages)}
      {reminders > 0 &&
        line('bell', t('shell.reminders'), '#reminders', reminders, false, (count) =>
          t('shell.reminderCount', { count }),
        )}
    </div>
  );
}
