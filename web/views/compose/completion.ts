import { findEmoji } from '#web/net/emoji.ts';
import type { Emoji } from '#web/net/message-actions.ts';
import { loadTopics } from '#web/net/pages.ts';
import { activityOf, clock } from '#web/net/presence.ts';
import { linkTo } from '#web/net/router.ts';
import { cache, channels, mutedPeople, people, server, topicLabel } from '#web/net/store.ts';
import { fold } from '#web/state/match.ts';
import { isSameName } from '#web/state/names.ts';
import { type Conversation, channelNarrow, keyOfNarrow, narrowOf, topicNarrow } from '#web/state/narrow.ts';
import { endsInCode, isOnlyName, mentionText, openBlocks, placeText } from '#web/state/references.ts';
import { isInAny, mayCallAll } from '#web/state/rights.ts';
import type { Person } from '#web/state/wire-people.ts';
import { t } from '#web/texts/texts.ts';
import { completeTime } from './insert-time.tsx';

/** One thing that a word which was begun may become. */
export interface Completion {
  key: string;
  label: string;
  note: string;
  /** What takes the place of the word. */
  text: string;
  userId?: number;
  emoji?: Emoji;
  /** Opens a form for the replacement of the word. */
  prompt?: (take: (text: string) => void) => void;
}

export interface Completions {
  /** The position of the word in the text. */
  from: number;
  list: Completion[];
}

const MOST = 8;
const LOOK_BACK = 60;

/** A word that was begun before the cursor. */
interface BegunWord {
  word: string;
  /** The part of the word that is searched for. */
  text: string;
  /** The name of the channel whose topic the word names. */
  channelName: string;
  /** The whole text before the word. */
  before: string;
  conversation: Conversation;
}

/** A kind of word: how it is written before the cursor, in groups that have the names of its parts. */
interface WordKind {
  pattern: RegExp;
  /** Whether a word of this form is of this kind; without it, each is. */
  applies?: (begun: BegunWord) => boolean;
  offer: (begun: BegunWord) => Completion[];
}

/** The first kind that offers anything decides: a word may be begun behind a number with a `#`, or a name. */
const KINDS: readonly WordKind[] = [
  {
    pattern: /(?:^|\n)(?<word>(?:`{3,}|~{3,})(?<text>[\w+#-]*))$/,
    // A bare fence ends an open block.
    applies: ({ before, text }) => text !== '' || openBlocks(before).length === 0,
    offer: ({ word, text }) => languagesFor(word, text),
  },
  {
    pattern: /(?<word>#\*\*(?<channelName>[^*>]+)(?:>|\*\* ?>)(?<text>[^*]*))$/,
    offer: ({ channelName, text }) => topicsFor(channelName, text),
  },
  {
    pattern: /(?:^|[\s("'[{])(?<word>@_?\**(?<text>[^\s@*][^@*]{0,30})?)$/u,
    offer: ({ word, text, conversation }) => mentionsFor(text, word.startsWith('@_'), conversation),
  },
  {
    pattern: /(?:^|[\s("'[{])(?<word>#\**(?<text>[^\s#*][^#*>]{0,30})?)$/u,
    offer: ({ text }) => channelsFor(text),
  },
  {
    pattern: /(?:^|[\s("'[{])(?<word>:(?<text>[a-z0-9_+.-]{2,}))$/i,
    offer: ({ text }) => emojiFor(text),
  },
  { pattern: /(?<word><time:?)$/, offer: () => completeTime() },
  {
    pattern: /^(?<word>\/[a-z0-9_-]*)$/,
    applies: ({ before }) => before === '',
    offer: ({ word, conversation }) => commandsFor(word, conversation),
  },
];

/** The completions of the word before the cursor; undefined if it is a plain word. */
export function complete(text: string, cursor: number, conversation: Conversation): Completions | undefined {
  const before = text.slice(0, cursor);
  if (/^\p{L}/u.test(text.slice(cursor)) || endsInCode(before)) return undefined;
  const near = before.slice(-LOOK_BACK);
  for (const { pattern, applies = () => true, offer } of KINDS) {
    const begun = begunWord(pattern.exec(near), before, conversation);
    if (!begun || !applies(begun)) continue;
    const list = offer(begun).slice(0, MOST);
    if (list.length > 0) return { from: begun.before.length, list };
  }
  return undefined;
}

function begunWord(
  found: RegExpExecArray | null,
  before: string,
  conversation: Conversation,
): BegunWord | undefined {
  if (!found) return undefined;
  const { word = '', text = '', channelName = '' } = found.groups ?? {};
  return { word, text, channelName, before: before.slice(0, before.length - word.length), conversation };
}

/** The rank of people found by something other than their name. */
const LAST_RANK = 3;

/** 0 if a name begins so, 1 if a word of it does, 2 within; −1 for no match. */
function rank(name: string, wanted: string): number {
  const at = fold(name).indexOf(wanted);
  if (at <= 0) return at;
  return fold(name)[at - 1] === ' ' ? 1 : 2;
}

function best<Item>(
  list: Item[],
  nameOf: (item: Item) => string,
  text: string,
  otherNamesOf: (item: Item) => string[] = () => [],
  nearnessOf: (item: Item) => number = () => 0,
): Item[] {
  const wanted = fold(text);
  return list
    .map((item) => ({ item, rank: rank(nameOf(item), wanted) }))
    .map(({ item, rank: own }) => {
      const others = own < 0 ? otherNamesOf(item).some((name) => rank(name, wanted) >= 0) : false;
      return { item, rank: others ? LAST_RANK : own };
    })
    .filter((found) => found.rank >= 0)
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        nearnessOf(b.item) - nearnessOf(a.item) ||
        nameOf(a.item).localeCompare(nameOf(b.item)),
    )
    .map(({ item }) => item);
}

/** The values of the profile fields by which the organization finds people. */
function fieldNames(): (person: Person) => string[] {
  const fields = server.value.custom_profile_fields.filter((field) => field.use_for_user_matching);
  return ({ profile_data: values }) => fields.map(({ id }) => values?.[id]?.value ?? '').filter(Boolean);
}

/** The wildcards, and the words that people type for them. */
const WRITTEN = {
  all: ['all', 'everyone', 'everybody', 'channel', 'stream', 'here'],
  topic: ['topic'],
} as const;

/** The wildcards that the viewer may use in a channel. */
const wildcardsIn = (channelId: number): (keyof typeof WRITTEN)[] =>
  mayCallAll(server.value, channels.value.get(channelId)) ? ['all', 'topic'] : [];

/** How near people are to a conversation: who wrote in it last first, then who is in its channel, then who is here. */
function nearness(conversation: Conversation): (userId: number) => number {
  const run = cache.value.runs.get(keyOfNarrow(narrowOf(conversation)));
  const wrote = new Map<number, number>();
  for (const id of run?.ids ?? []) wrote.set(cache.value.byId.get(id)?.sender_id ?? 0, id);
  const members = new Set(
    conversation.type === 'stream'
      ? channels.value.get(conversation.channelId)?.subscribers
      : conversation.userIds,
  );
  const ownId = server.value.user_id;
  return (userId) => {
    if (userId === ownId) return -1;
    const isActive = activityOf(server.value, userId, clock.value) === 'active' ? 1 : 0;
    return (wrote.get(userId) ?? 0) * 10 + (members.has(userId) ? 2 : 0) + isActive;
  };
}

function mentionsFor(text: string, isSilent: boolean, conversation: Conversation): Completion[] {
  const sign = isSilent ? '@_' : '@';
  const all = [...people.value.values()];
  const here = nearness(conversation);
  const known = best(
    all.filter(({ is_active }) => is_active),
    ({ full_name }) => full_name,
    text,
    fieldNames(),
    ({ user_id }) => here(user_id),
  ).filter(({ user_id }) => !mutedPeople.value.has(user_id));
  const found: Completion[] = known.slice(0, MOST - 2).map(({ user_id: id, full_name: name, is_bot }) => ({
    key: `p${id}`,
    label: name,
    note: is_bot ? t('common.bot') : '',
    text: `${mentionText({ name, id, isUnique: isOnlyName(name, all) }, isSilent)} `,
    userId: id,
  }));
  const groups = best(
    server.value.realm_user_groups.filter(
      (group) =>
        !group.is_system_group &&
        !group.deactivated &&
        !group.name.includes('*') &&
        (isSilent || isInAny(server.value, group.can_mention_group)),
    ),
    ({ name }) => name,
    text,
  ).map(({ id, name, members }) => ({
    key: `g${id}`,
    label: name,
    note: t('compose.groupCountPeople', { count: members.length }),
    text: `${sign}*${name}* `,
  }));
  const wild = conversation.type === 'stream' && !isSilent ? wildcardsIn(conversation.channelId) : [];
  const wanted = text.toLowerCase();
  const wildcards = wild
    .filter((name) => wanted !== '' && WRITTEN[name].some((word) => word.startsWith(wanted)))
    .map((name) => ({
      key: name,
      label: name,
      note:
        name === 'all' ? t('compose.notifyEveryoneInThisChannel') : t('compose.notifyEveryoneInThisTopic'),
      text: `@**${name}** `,
    }));
  // Nobody notifies everyone by Enter after half a name.
  const isWhole = wild.some((name) => WRITTEN[name].some((word) => word === wanted));
  return isWhole ? [...wildcards, ...found, ...groups] : [...found, ...wildcards, ...groups];
}

const channelsFor = (text: string): Completion[] =>
  best(
    [...channels.value.values()].filter(({ is_archived }) => !is_archived),
    ({ name }) => name,
    text,
  ).map(({ stream_id: id, name, description }) => ({
    key: `c${id}`,
    label: `#${name}`,
    note: description,
    text: `${placeText({ channel: name }, linkTo(channelNarrow(id)))} `,
  }));

function topicsFor(channelName: string, text: string): Completion[] {
  const channel = [...channels.value.values()].find(({ name }) => isSameName(name, channelName));
  // They come while the viewer writes on, and are offered at a later letter.
  if (channel) loadTopics(channel.stream_id).catch(() => undefined);
  const topics = channel ? (cache.value.topics.get(channel.stream_id) ?? []) : [];
  return best(topics, ({ name }) => topicLabel(name), text).map(({ name }) => ({
    key: `t${name}`,
    label: topicLabel(name),
    note: `#${channel?.name}`,
    text: `${placeText(
      { channel: channel?.name ?? channelName, topic: name, label: topicLabel(name) },
      linkTo(topicNarrow(channel?.stream_id ?? 0, name)),
    )} `,
  }));
}

const emojiFor = (text: string): Completion[] =>
  findEmoji(text, MOST).map((emoji) => ({
    key: `e${emoji.emoji_code}`,
    label: `:${emoji.emoji_name}:`,
    note: '',
    text: `:${emoji.emoji_name}: `,
    emoji,
  }));

const COMMANDS = [
  { key: '/me', note: t('compose.actionMessageMeWaves'), text: '/me ' },
  { key: '/poll', note: t('compose.createAPollOneOption'), text: '/poll ' },
  { key: '/todo', note: t('compose.createAToDoList'), text: '/todo ' },
];

const commandsFor = (text: string, conversation: Conversation): Completion[] =>
  [
    ...COMMANDS.map((command) => ({ ...command, label: command.key })),
    ...commandsOfBots(conversation),
  ].filter(({ label }) => label.startsWith(text));

/**
 * The commands of bots in the conversation: all bots in a channel, otherwise the participating ones. A bot is
 * mentioned, unless the message is for it alone.
 */
function commandsOfBots(conversation: Conversation): Completion[] {
  const all = [...people.value.values()];
  const isHere = (id: number) => conversation.type === 'stream' || conversation.userIds.includes(id);
  const others =
    conversation.type === 'stream' ? [] : conversation.userIds.filter((id) => id !== server.value.user_id);
  return all
    .filter(({ user_id: id, is_active }) => is_active && isHere(id) && !mutedPeople.value.has(id))
    .flatMap(({ user_id: id, full_name: name, bot_commands: commands = [] }) => {
      const isUnique = isOnlyName(name, all);
      const mention = others.length === 1 ? '' : `${mentionText({ name, id, isUnique }, false)} `;
      return commands.map((command) => ({
        key: `/${id}/${command.name}`,
        label: `/${command.name}`,
        note: command.description === '' ? name : `${name}: ${command.description}`,
        text: `${mention}/${command.name} `,
        userId: id,
      }));
    });
}

const BLOCKS: readonly (readonly [name: string, note: string])[] = [
  ['quote', t('compose.quote')],
  ['spoiler', t('compose.spoilerHiddenUntilClicked')],
  ['math', t('compose.math')],
];
const LANGUAGES =
  'bash c c++ c# css diff docker go graphql html ini java javascript json kotlin lua makefile markdown perl php python r ruby rust scala sql swift typescript xml yaml';

const SHORT_NAMES = 'cpp cs js jsx kt md py rb rs sh ts tsx yml'.split(' ');

/** The kinds of a block of text or code; the organization's default language comes first. */
function languagesFor(opened: string, text: string): Completion[] {
  const [fence = '```'] = /^(?:`+|~+)/.exec(opened) ?? [];
  const own = server.value.realm_default_code_block_language;
  const languages = [...new Set([own, ...LANGUAGES.split(' ')])].filter(Boolean);
  const all = [...BLOCKS, ...languages.map((name) => [name, t('compose.code')] as const)];
  const wanted = text.toLowerCase();
  const found =
    wanted === ''
      ? [[own, own === '' ? t('compose.plainText') : t('compose.code')] as const, ...BLOCKS]
      : all;
  // Enter after a whole name starts the line, and does not make JavaScript of Java.
  if (wanted !== '' && [...languages, ...SHORT_NAMES].includes(wanted)) return [];
  return found
    .filter(([name]) => name.startsWith(wanted))
    .map(([name, note]) => ({
      key: `b${name}`,
      label: name,
      note,
      text: `${fence}${name}\n`,
    }));
}
