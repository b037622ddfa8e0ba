/** One thing that a key does outside of text fields. */
export interface Shortcut {
  id: string;
  /** As `KeyboardEvent.key` names them; `Ctrl+` stands for Ctrl or Cmd. Any of them does it. */
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
    title: 'Going',
    list: [
      { id: 'switch', keys: ['Ctrl+k', 'q'], says: 'Jump to a channel, topic or person' },
      { id: 'search', keys: ['/'], says: 'Search' },
      { id: 'next-topic', keys: ['n'], says: 'Next unread topic' },
      { id: 'next-followed', keys: ['N'], says: 'Next unread topic that you follow' },
      { id: 'next-direct', keys: ['p'], says: 'Next unread direct message' },
      { id: 'widen', keys: ['s'], says: 'Between a topic and its channel' },
      { id: 'context', keys: ['z'], says: 'The selected message in its conversation' },
      { id: 'topics', keys: ['y'], says: 'The topics of the channel' },
      { id: 'previous-channel', keys: ['A'], says: 'Previous channel' },
      { id: 'next-channel', keys: ['D'], says: 'Next channel' },
      { id: 'inbox', keys: ['I'], says: 'Inbox' },
      { id: 'recent', keys: ['t'], says: 'Recent conversations' },
      { id: 'combined', keys: ['a'], says: 'Combined feed' },
      { id: 'directs', keys: ['P'], says: 'Direct messages' },
      { id: 'starred', keys: ['*'], says: 'Starred messages' },
      { id: 'drafts', keys: ['d'], says: 'Drafts' },
      { id: 'home', keys: ['Ctrl+['], says: 'Home view' },
      { id: 'filter-people', keys: ['w'], says: 'Filter people' },
      { id: 'menu', keys: ['g'], says: 'Menu of the organization' },
      { id: 'help', keys: ['?'], says: 'This list' },
    ],
  },
  {
    title: 'Reading',
    list: [
      { id: 'next', keys: ['j', 'ArrowDown'], says: 'Next message' },
      { id: 'previous', keys: ['k', 'ArrowUp'], says: 'Previous message' },
      { id: 'page-down', keys: ['J', ' ', 'PageDown'], says: 'A page down' },
      { id: 'page-up', keys: ['K', 'PageUp'], says: 'A page up' },
      { id: 'end', keys: ['G', 'End'], says: 'The newest message' },
      { id: 'begin', keys: ['Home'], says: 'The first message' },
      { id: 'mute-topic', keys: ['M'], says: 'Mute or unmute the topic' },
    ],
  },
  {
    title: 'Beginning to write',
    list: [
      { id: 'reply', keys: ['r', 'Enter'], says: 'Reply' },
      { id: 'compose', keys: ['c'], says: 'Go to the message box' },
      { id: 'new-direct', keys: ['x'], says: 'New direct message' },
      { id: 'edit-last', keys: ['ArrowLeft'], says: 'Edit your last message' },
      { id: 'reply-mention', keys: ['@'], says: 'Reply and mention the sender' },
      { id: 'reply-direct', keys: ['R'], says: 'Direct message to the sender' },
      { id: 'quote', keys: ['>'], says: 'Quote and reply' },
      { id: 'forward', keys: ['<'], says: 'Forward to another conversation' },
    ],
  },
  {
    title: 'The selected message',
    list: [
      { id: 'message-menu', keys: ['i'], says: 'Its menu' },
      { id: 'edit', keys: ['e'], says: 'Edit, or show the text' },
      { id: 'star', keys: ['Ctrl+s'], says: 'Star' },
      { id: 'thumbs-up', keys: ['+'], says: 'React with 👍' },
      { id: 'react', keys: [':'], says: 'Choose a reaction' },
      { id: 'join-reaction', keys: ['='], says: 'Join the first reaction' },
      { id: 'collapse', keys: ['-'], says: 'Collapse, or show again' },
      { id: 'move', keys: ['m'], says: 'Move' },
      { id: 'sender', keys: ['u'], says: 'Its sender' },
      { id: 'unread', keys: ['U'], says: 'Mark as unread from here' },
      { id: 'readers', keys: ['V'], says: 'Who has read it' },
      { id: 'history', keys: ['H'], says: 'Its history' },
      { id: 'pictures', keys: ['v'], says: 'Its pictures' },
      { id: 'delete', keys: ['Delete'], says: 'Delete' },
      { id: 'leave', keys: ['Escape'], says: 'Select nothing; then the home view' },
    ],
  },
] as const satisfies readonly Group[];

/** Keys of the message box. */
export const WRITING_KEYS = [
  { id: 'send', keys: ['Ctrl+Enter'], says: 'Send' },
  { id: 'bold', keys: ['Ctrl+b'], says: 'Bold' },
  { id: 'italic', keys: ['Ctrl+i'], says: 'Italic' },
  { id: 'link', keys: ['Ctrl+L'], says: 'Link' },
  { id: 'code', keys: ['Ctrl+C'], says: 'Code' },
  { id: 'snippets', keys: ["Ctrl+'"], says: 'Saved snippets' },
  { id: 'preview', keys: ['Alt+p'], says: 'Preview' },
  { id: 'leave-box', keys: ['Escape'], says: 'Leave the message box; the text is kept' },
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

/** The key as an English keyboard has it, if the layout writes no Latin letter or sign with it. */
function latinKey({ key, code = '', shiftKey }: Press): string {
  if (key.length !== 1 || /[\u0020-\u024f]/.test(key)) return key;
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter) return shiftKey ? letter : letter.toLowerCase();
  return PUNCTUATION[code]?.[shiftKey ? 1 : 0] ?? key;
}

/** Whether this device has the keys of a Mac: there Cmd commands, and Ctrl and Option are for editing text. */
export const isMac = (): boolean =>
  /Mac|iPhone|iPad/.test((globalThis.navigator as { platform?: string } | undefined)?.platform ?? '');

/**
 * How the lists write a press. Shift is part of the key itself: `L` is Shift and l. Beside Ctrl and Cmd browsers do not
 * agree on the case of letters.
 */
export function nameOfPress(press: Press, onMac = isMac()): string {
  const { ctrlKey, metaKey, altKey, shiftKey } = press;
  const key = latinKey(press);
  // What the system does with these is its own.
  if (onMac && (ctrlKey || (altKey && key.length === 1))) return 'System+';
  const isCommand = ctrlKey || metaKey;
  const cased = isCommand && key.length === 1 ? (shiftKey ? key.toUpperCase() : key.toLowerCase()) : key;
  return `${isCommand ? 'Ctrl+' : ''}${altKey ? 'Alt+' : ''}${cased}`;
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
  ' ': 'Space',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  PageDown: 'PgDn',
  PageUp: 'PgUp',
  Escape: 'Esc',
};

/** A key as people read it: `Ctrl+L` is `Ctrl Shift L`. */
export function labelOfKey(name: string): string {
  const [, modifier = '', key = ''] = /^(Ctrl\+|Alt\+)?(.+)$/s.exec(name) ?? [];
  const label = LABELS[key] ?? key;
  if (modifier === '') return label;
  const isShifted = key.length === 1 && key !== key.toLowerCase();
  return `${modifier.slice(0, -1)} ${isShifted ? 'Shift ' : ''}${label.length === 1 ? label.toUpperCase() : label}`;
}
