import { t } from '#web/texts/texts.ts';
/** One thing that a key does outside of text fields. */
export interface Shortcut {
  id: string;
  /** As `KeyboardEvent.key` names them; `Ctrl+` means Ctrl or Cmd. Any of them does it. */
  keys: readonly string[];
  says: string;
}

interface Group<Entry extends Shortcut = Shortcut> {
  title: string;
  list: readonly Entry[];
}

/** Keys that work outside of text fields. The page under `?` shows this list, and every entry has its action. */
export const SHORTCUTS = [
  {
    title: t('shortcuts.going'),
    list: [
      { id: 'switch', keys: ['Ctrl+k', 'q'], says: t('shortcuts.jumpToAChannelTopic') },
      { id: 'search', keys: ['/'], says: t('shortcuts.search') },
      { id: 'next-topic', keys: ['n'], says: t('shortcuts.nextUnreadTopic') },
      { id: 'next-followed', keys: ['N'], says: t('shortcuts.nextUnreadTopicThatYou') },
      { id: 'next-direct', keys: ['p'], says: t('shortcuts.nextUnreadDirectMessage') },
      { id: 'widen', keys: ['s'], says: t('shortcuts.betweenATopicAndIts') },
      { id: 'context', keys: ['z'], says: t('shortcuts.theSelectedMessageInIts') },
      { id: 'topics', keys: ['y'], says: t('shortcuts.theTopicsOfTheChannel') },
      { id: 'previous-channel', keys: ['A'], says: t('shortcuts.previousChannel') },
      { id: 'next-channel', keys: ['D'], says: t('shortcuts.nextChannel') },
      { id: 'inbox', keys: ['I'], says: t('shortcuts.inbox') },
      { id: 'recent', keys: ['t'], says: t('shortcuts.recentConversations') },
      { id: 'combined', keys: ['a'], says: t('shortcuts.combinedFeed') },
      { id: 'directs', keys: ['P'], says: t('shortcuts.directMessages') },
      { id: 'starred', keys: ['*'], says: t('shortcuts.starredMessages') },
      { id: 'drafts', keys: ['d'], says: t('shortcuts.drafts') },
      { id: 'home', keys: ['Ctrl+['], says: t('shortcuts.homeView') },
      { id: 'filter-people', keys: ['w'], says: t('shortcuts.filterPeople') },
      { id: 'menu', keys: ['g'], says: t('shortcuts.menuOfTheOrganization') },
      { id: 'help', keys: ['?'], says: t('shortcuts.thisList') },
    ],
  },
  {
    title: t('shortcuts.reading'),
    list: [
      { id: 'next', keys: ['j', 'ArrowDown'], says: t('shortcuts.nextMessage') },
      { id: 'previous', keys: ['k', 'ArrowUp'], says: t('shortcuts.previousMessage') },
      { id: 'page-down', keys: ['J', ' ', 'PageDown'], says: t('shortcuts.aPageDown') },
      { id: 'page-up', keys: ['K', 'Shift+Space', 'PageUp'], says: t('shortcuts.aPageUp') },
      { id: 'end', keys: ['G', 'End'], says: t('shortcuts.theNewestMessage') },
      { id: 'begin', keys: ['Home'], says: t('shortcuts.theFirstMessage') },
      { id: 'mute-topic', keys: ['M'], says: t('shortcuts.muteOrUnmuteTheTopic') },
    ],
  },
  {
    title: t('shortcuts.beginningToWrite'),
    list: [
      { id: 'reply', keys: ['r', 'Enter'], says: t('shortcuts.reply') },
      { id: 'compose', keys: ['c'], says: t('shortcuts.goToTheMessageBox') },
      { id: 'new-direct', keys: ['x'], says: t('shortcuts.newDirectMessage') },
      { id: 'edit-last', keys: ['ArrowLeft'], says: t('shortcuts.editYourLastMessage') },
      { id: 'reply-mention', keys: ['@'], says: t('shortcuts.replyAndMentionTheSender') },
      { id: 'reply-direct', keys: ['R'], says: t('shortcuts.directMessageToTheSender') },
      { id: 'quote', keys: ['>'], says: t('shortcuts.quoteAndReply') },
      { id: 'forward', keys: ['<'], says: t('shortcuts.forwardToAnotherConversation') },
    ],
  },
  {
    title: t('shortcuts.theSelectedMessage'),
    list: [
      { id: 'message-menu', keys: ['i'], says: t('shortcuts.itsMenu') },
      { id: 'edit', keys: ['e'], says: t('shortcuts.editOrShowTheText') },
      { id: 'star', keys: ['Ctrl+s'], says: t('shortcuts.star') },
      { id: 'thumbs-up', keys: ['+'], says: t('shortcuts.reactWith') },
      { id: 'react', keys: [':'], says: t('shortcuts.chooseAReaction') },
      { id: 'join-reaction', keys: ['='], says: t('shortcuts.joinTheFirstReaction') },
      { id: 'collapse', keys: ['-'], says: t('shortcuts.collapseOrShowAgain') },
      { id: 'move', keys: ['m'], says: t('shortcuts.move') },
      { id: 'sender', keys: ['u'], says: t('shortcuts.itsSender') },
      { id: 'unread', keys: ['U'], says: t('shortcuts.markAsUnreadFromHere') },
      { id: 'readers', keys: ['V'], says: t('shortcuts.whoHasReadIt') },
      { id: 'history', keys: ['H'], says: t('shortcuts.itsHistory') },
      { id: 'pictures', keys: ['v'], says: t('shortcuts.itsPictures') },
      { id: 'delete', keys: ['Delete'], says: t('shortcuts.delete') },
      { id: 'leave', keys: ['Escape'], says: t('shortcuts.selectNothingThenTheHome') },
    ],
  },
] as const satisfies readonly Group[];

/** Keys of the message box. */
export const WRITING_KEYS = [
  { id: 'send', keys: ['Ctrl+Enter'], says: t('shortcuts.send') },
  { id: 'bold', keys: ['Ctrl+b'], says: t('shortcuts.bold') },
  { id: 'italic', keys: ['Ctrl+i'], says: t('shortcuts.italic') },
  { id: 'link', keys: ['Ctrl+L'], says: t('shortcuts.link') },
  { id: 'code', keys: ['Ctrl+C'], says: t('shortcuts.code') },
  { id: 'snippets', keys: ["Ctrl+'"], says: t('shortcuts.savedSnippets') },
  { id: 'preview', keys: ['Alt+p'], says: t('shortcuts.preview') },
  { id: 'leave-box', keys: ['Escape'], says: t('shortcuts.leaveTheMessageBoxThe') },
] as const satisfies readonly Shortcut[];

export type ShortcutId = (typeof SHORTCUTS)[number]['list'][number]['id'];
export type WritingKeyId = (typeof WRITING_KEYS)[number]['id'];

interface Press {
  key: string;
  /** The place of the key on the keyboard, whatever is written on it. */
  code?: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  getModifierState?(name: string): boolean;
}

/** What keys write on an English keyboard, without and with Shift, by their places. */
const PUNCTUATION: Record<string, string> = {
  Backquote: '`~',
  Minus: '-_',
  Equal: '=+',
  BracketLeft: '[{',
  BracketRight: ']}',
  Backslash: '\\|',
  Semicolon: ';:',
  Quote: '\'"',
  Comma: ',<',
  Period: '.>',
  Slash: '/?',
};

/**
 * The key as an English keyboard has it, if the layout writes a letter of another alphabet with it. Shift alone makes
 * letters large: Caps Lock does not, and beside Ctrl and Cmd browsers do not agree on their case.
 */
function latinKey(press: Press): string {
  const { key, code = '', ctrlKey, metaKey, shiftKey } = press;
  const isOther = /^[^\u0020-\u024f]$/.test(key) && /[\p{L}\p{P}]/u.test(key);
  const letter = isOther ? /^Key([A-Z])$/.exec(code)?.[1] : /^[a-z]$/i.exec(key)?.[0];
  if (!letter) return (isOther && PUNCTUATION[code]?.[shiftKey ? 1 : 0]) || key;
  if (!isOther && !ctrlKey && !metaKey && !press.getModifierState?.('CapsLock')) return key;
  return shiftKey ? letter.toUpperCase() : letter.toLowerCase();
}

/** Whether this device has the keys of a Mac: there Cmd commands, and Ctrl and Option are for editing text. */
export const isMac = (): boolean =>
  /Mac|iPhone|iPad/.test((globalThis.navigator as { platform?: string } | undefined)?.platform ?? '');

/**
 * How the lists write a press. Shift is part of the key itself: `L` is Shift and l; with a key that writes nothing, as an
 * arrow, it is left to the browser, which selects text. What AltGr writes is written as any other sign.
 */
export function nameOfPress(press: Press, onMac = isMac()): string {
  const { ctrlKey, metaKey, altKey, shiftKey } = press;
  const isSign = press.key.length === 1;
  if (isSign && press.getModifierState?.('AltGraph')) return press.key;
  const key = latinKey(press);
  if (shiftKey && (!isSign || key === ' ')) return `Shift+${key === ' ' ? 'Space' : key}`;
  if (isOfSystem(press, key, onMac)) return 'System+';
  return `${ctrlKey || metaKey ? 'Ctrl+' : ''}${altKey ? 'Alt+' : ''}${key}`;
}

/** Whether the operating system or the browser has its own use for a press, as Cmd [ goes back on a Mac. */
function isOfSystem({ ctrlKey, metaKey, altKey }: Press, key: string, onMac: boolean): boolean {
  if (!onMac) return metaKey;
  return key === '[' ? metaKey : ctrlKey || (altKey && key.length === 1);
}

const byKey = new Map<string, ShortcutId>(
  SHORTCUTS.flatMap(({ list }) => list.flatMap(({ id, keys }) => keys.map((key) => [key, id] as const))),
);
const writingByKey = new Map<string, WritingKeyId>(
  WRITING_KEYS.flatMap(({ id, keys }) => keys.map((key) => [key, id] as const)),
);

export const findShortcut = (press: Press): ShortcutId | undefined => byKey.get(nameOfPress(press));
export const findWritingKey = (press: Press): WritingKeyId | undefined =>
  writingByKey.get(nameOfPress(press));

const LABELS: Record<string, string> = {
  ' ': t('shortcuts.space'),
  Space: t('shortcuts.space'),
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  PageDown: t('keys.pageDown'),
  PageUp: t('keys.pageUp'),
  Home: t('keys.home'),
  End: t('keys.end'),
  Delete: t('keys.delete'),
  Escape: t('shortcuts.esc'),
};

type Modifier = 'Ctrl' | 'Alt' | 'Shift';
/** The modifiers as they are printed on the keys. */
const PRINTED: Record<Modifier, string> = { Ctrl: t('keys.ctrl'), Alt: 'Alt', Shift: t('keys.shift') };
const PRINTED_ON_MAC: Record<Modifier, string> = { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' };

/** A key as it is printed on the viewer's keyboard: `Ctrl+L` is `Ctrl Shift L`, and `⌘ ⇧ L` on a Mac. */
export function labelOfKey(name: string, onMac = isMac()): string {
  const [, modifier, key = ''] = /^(?:(Ctrl|Alt|Shift)\+)?(.+)$/s.exec(name) ?? [];
  const label = LABELS[key] ?? key;
  if (modifier === undefined) return label;
  // Cmd with this key goes back in the browser.
  const printed = onMac ? { ...PRINTED_ON_MAC, ...(key === '[' && { Ctrl: '⌃' }) } : PRINTED;
  const isShifted = key.length === 1 && key !== key.toLowerCase();
  return [
    printed[modifier as Modifier],
    ...(isShifted ? [printed.Shift] : []),
    label.length === 1 ? label.toUpperCase() : label,
  ].join(' ');
}
