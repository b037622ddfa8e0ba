import { listOf, t } from '#web/texts/texts.ts';
import { type Narrow, shows } from '../narrow.ts';
import type { Snapshot } from '../wire.ts';
import type { Message } from '../wire-messages.ts';

export interface Heard {
  message: Message;
  flags: string[];
}

/** Whether a screen reader announces a new message: it is in the open feed, or addresses the viewer. */
export function isAnnounced({ message, flags }: Heard, open: Narrow | undefined, viewer: Snapshot): boolean {
  if (message.sender_id === viewer.user_id) return false;
  if (viewer.muted_users.some(({ id }) => id === message.sender_id)) return false;
  if (message.type === 'private' || flags.includes('mentioned')) return true;
  return open !== undefined && shows(open, { ...message, flags }, viewer) === true;
}

const MOST_READ = 2;
const MOST_NAMES = 3;
const MOST_LETTERS = 160;

/** One sentence for messages that came together: few are read out, many are counted. */
export function announce(messages: { sender: string; text: string }[]): string {
  if (messages.length <= MOST_READ)
    return messages.map(({ sender, text }) => `${sender}: ${shorten(text)}`).join(' ');
  const names = [...new Set(messages.map(({ sender }) => sender))];
  const more = names.length - MOST_NAMES;
  const from = [
    ...names.slice(0, MOST_NAMES),
    ...(more > 0 ? [t('announce.moreSenders', { count: more })] : []),
  ];
  return t('announce.newMessagesFrom', { count: messages.length, names: listOf(from) });
}

const shorten = (text: string): string =>
  text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text;
