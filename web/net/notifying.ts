import { pathOf } from '#web/state/direction.ts';
import { readWidget } from '#web/state/feed/widgets.ts';
import { conversationOfMessage, narrowOf } from '#web/state/narrow.ts';
import { isWanted } from '#web/state/wanted.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { t } from '#web/texts/texts.ts';
import { findDesktop } from './desktop.ts';
import { charactersOf } from './emoji.ts';
import { onEvent } from './hearing.ts';
import { openNarrow } from './router.ts';
import { nameOfPerson, names, server, topicLabel } from './store.ts';

/** Shows system notifications and plays a sound, following the viewer's settings; returns a function that stops this. */
export const watchNotifications = (): (() => void) =>
  onEvent('message', ({ message, flags }) => {
    if (document.hasFocus() && document.visibilityState === 'visible') return;
    if (isWanted(server.value, message, flags, 'desktop')) notify(message);
    if (isWanted(server.value, message, flags, 'sound'))
      playSound(server.value.user_settings.notification_sound);
  });

/** Plays a notification sound of the service by its name; `none` is silent. */
export function playSound(name: string): void {
  if (name === 'none') return;
  // A page may not make a sound before its viewer has touched it.
  new Audio(`/static/audio/notification_sounds/${name}.wav`).play().catch(() => undefined);
}

const MOST_TEXT = 240;

function notify(message: Message): void {
  const conversation = conversationOfMessage(message, server.value.user_id);
  const isDirect = conversation.type === 'private';
  const place = isDirect
    ? t('actions.toYou')
    : `#${pathOf(names.channel(conversation.channelId) ?? '', topicLabel(conversation.topic))}`;
  const isHidden = isDirect && !server.value.user_settings.pm_content_in_desktop_notifications;
  show(
    `${nameOfPerson(message.sender_id)} (${place})`,
    () => openNarrow(narrowOf(conversation), message.id),
    {
      body: isHidden ? t('actions.aNewDirectMessage') : wordsOf(message).slice(0, MOST_TEXT),
      tag: `${message.sender_id} ${place}`,
      ...(server.value.realm_icon_url.startsWith('/') && { icon: server.value.realm_icon_url }),
    },
  );
}

/** Through the desktop client around the page, or through the browser if the viewer allowed it. */
function show(title: string, open: () => void, options: NotificationOptions): void {
  const desktop = findDesktop();
  if (desktop?.new_notification) {
    desktop.new_notification(title, options, (type) => {
      if (type === 'click') open();
    });
    return;
  }
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  const shown = new Notification(title, { ...options, silent: true });
  shown.onclick = () => {
    window.focus();
    open();
    shown.close();
  };
}

/** Shows a notification and plays the sound as for a message that has just come. */
export function testNotification(): void {
  show(t('actions.testNotification'), () => undefined, {
    body: t('actions.thisIsHowNewMessages'),
    tag: 'test',
  });
  playSound(server.value.user_settings.notification_sound);
}

/** A message in one line: a poll shows its question, and an action has no command. */
export function wordsOf({ content, submessages, sender_id, is_me_message: isAction }: Message): string {
  const widget = submessages.length > 0 ? readWidget(submessages, sender_id) : undefined;
  if (widget?.type === 'poll') return t('actions.pollQuestion', { question: widget.question });
  if (widget) return t('actions.toDoTitle', { title: widget.title || t('feed.tasks') });
  const words = plainText(content);
  return isAction ? words.replace(/^\/me /, '') : words;
}

const EMOJI = /<span [^>]*class="emoji emoji-([0-9a-f-]+)"[^>]*>[^<]*<\/span>/g;
/** Tags between which words do not touch. */
const BLOCK_TAG = /<\/?(?:blockquote|br|div|h[1-6]|hr|li|ol|p|pre|table|t[dhr]|ul)\b[^>]*>/g;

/** The words of rendered HTML. Nothing of it becomes part of the page: tags are cut off as text. */
export const plainText = (html: string): string =>
  html
    .replace(/<div class="spoiler-content"[\s\S]*?<\/div>/g, '')
    .replace(EMOJI, (_emoji, code: string) => charactersOf(code))
    .replace(BLOCK_TAG, ' ')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
