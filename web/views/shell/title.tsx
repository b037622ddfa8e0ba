import { useEffect } from 'preact/hooks';
import unreadIcon from '#web/icon-unread.svg';
import { findDesktop } from '#web/net/desktop.ts';
import { route } from '#web/net/router.ts';
import { names, server, topicLabel, useServer } from '#web/net/store.ts';
import { operandOf } from '#web/state/narrow.ts';
import { countShown } from '#web/state/sidebar.ts';
import { t } from '#web/texts/texts.ts';

const ICON = 'link[rel=icon]';
const plainIcon = document.querySelector<HTMLLinkElement>(ICON)?.href ?? '';

/**
 * Keeps the number of unread messages in the title, the icon of an installed app, and the desktop wrapper; the icon of the
 * page has a dot while there are some.
 */
export function Title() {
  const count = useServer(countShown);
  const name = useServer(({ realm_name }) => realm_name);
  const view = nameOfView();
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ''}${view} - ${name}`;
  }, [count, view, name]);
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>(ICON);
    if (icon) icon.href = count > 0 ? unreadIcon : plainIcon;
  }, [count > 0]);
  useEffect(() => {
    findDesktop()?.send_event?.('total_unread_count', count);
    if ('setAppBadge' in navigator) void navigator.setAppBadge(count).catch(() => undefined);
  }, [count]);
  // No number outlives the session.
  useEffect(
    () => () => {
      document.title = name;
      const icon = document.querySelector<HTMLLinkElement>(ICON);
      if (icon) icon.href = plainIcon;
      findDesktop()?.send_event?.('total_unread_count', 0);
      if ('clearAppBadge' in navigator) void navigator.clearAppBadge().catch(() => undefined);
    },
    [],
  );
  return null;
}

function nameOfView(): string {
  const to = route.value;
  if (to.view !== 'narrow') {
    const view = to.view === 'home' ? server.value.user_settings.web_home_view : to.view;
    return view.charAt(0).toUpperCase() + view.slice(1).replaceAll(/[-_]/g, ' ');
  }
  const topic = operandOf(to.narrow, 'topic');
  const channel = names.channel(Number(operandOf(to.narrow, 'channel')));
  if (channel) return topic === undefined ? `#${channel}` : `${topicLabel(topic)} - #${channel}`;
  const people = operandOf(to.narrow, 'dm');
  if (people)
    return people
      .split(',')
      .map((id) => names.person(Number(id)) ?? t('common.unknownPerson'))
      .join(t('common.comma'));
  return t('common.messages');
}
