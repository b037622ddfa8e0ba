import { toCanonical } from '#shared/domain/names.ts';

/** The references in a text. They may include more than is rendered, because code is not excluded. */
export interface References {
  userNames: string[];
  userIds: number[];
  groupNames: string[];
  channelNames: string[];
  topics: { channel: string; topic: string }[];
  emojiNames: string[];
  /** Paths of uploaded files. */
  uploadPaths: string[];
  /** The optional parts of the renderer that the text needs. */
  needs: { unicodeEmoji: boolean; highlight: boolean; math: boolean; origin: boolean };
}

/** A channel, topic or message that a text links to. */
export interface Place {
  channel: string;
  topic?: string;
  messageId?: number;
}

/** Further references of a kind are not looked up, so that one message cannot cause thousands of reads. */
const MAX_OF_A_KIND = 100;

const MENTION = String.raw`@(_?)(?:\*\*([^*\n]+)\*\*|\*([^*\n]+)\*(?!\*))`;
const MENTIONS = new RegExp(MENTION, 'g');
const PLACE = String.raw`#\*\*([^*\n]+)\*\*`;
const PLACES = new RegExp(PLACE, 'g');
const EMOJI_NAMES = /:([\w+.-]{1,100})(?=:)/g;
/** Trailing punctuation of a sentence is not part of the path. */
const UPLOAD = /\/user_uploads\/(\d+\/[\w/.-]{1,200}\w)/g;
/** A text gives access to this many files and shows them; further ones stay links. */
const MAX_UPLOADS = 20;
const NAMED_FENCE = /^[ \t>*+\-\d.]*(?:`{3,}|~{3,})[ \t]*[^\s`~]/m;
/** The flag of a part of a country: a black flag, the tags of its name, and their end. */
const REGIONAL_FLAG = String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,8}\u{E007F}`;
const PIECE = String.raw`(?:\p{Extended_Pictographic}[\uFE0E\uFE0F]?\p{Emoji_Modifier}?)`;
const SEQUENCE = String.raw`(?:\p{RI}\p{RI}|[#*0-9][\uFE0E\uFE0F]?\u20E3|${REGIONAL_FLAG}|${PIECE}(?:\u200D${PIECE}){0,8})\uFE0E?`;

const UNICODE_EMOJI = new RegExp(SEQUENCE, 'u');

/** Matches at `lastIndex`: the silent mark, the name of a user, the name of a group. */
export const mentionAt = new RegExp(MENTION, 'y');
export const placeAt = new RegExp(PLACE, 'y');
/** An emoji by name or as a character. */
export const emojiPattern = new RegExp(`:([\\w+.-]{1,100}):|${SEQUENCE}`, 'gu');

/** The name and id in a mention of a user; `Name|12` has both. */
export function readUserMention(text: string): { name?: string; userId?: number } {
  const [, name = '', id] = /^(.*)\|([1-9]\d{0,9})$/u.exec(text) ?? [];
  if (id === undefined) return { name: text };
  return { ...(name !== '' && { name }), userId: Number(id) };
}

/** Reads `channel`, `channel>topic` and `channel>topic@12`. */
export function readPlace(text: string): Place {
  const end = text.indexOf('>');
  if (end < 1) return { channel: text };
  const channel = text.slice(0, end);
  const topic = text.slice(end + 1);
  const [, before, id] = /^(.*)@(\d{1,10})$/u.exec(topic) ?? [];
  return id === undefined || before === undefined
    ? { channel, topic }
    : { channel, topic: before, messageId: Number(id) };
}

/** Finds all references in a text, in one pass per kind. */
export function findReferences(source: string): References {
  const text = source.toWellFormed();
  const mentions = [...text.matchAll(MENTIONS)];
  const users = mentions.flatMap(([, , user]) => (user === undefined ? [] : [readUserMention(user)]));
  const places = [...text.matchAll(PLACES)].map(([, place = '']) => readPlace(place));
  const emojiNames = few([...text.matchAll(EMOJI_NAMES)].map(([, name = '']) => name));
  return {
    userNames: few(
      users.flatMap(({ name, userId }) =>
        name === undefined || userId !== undefined || isWildcard(name) ? [] : [name],
      ),
    ),
    userIds: few(users.flatMap(({ userId }) => userId ?? [])),
    groupNames: few(mentions.flatMap(([, , , group]) => group ?? [])),
    channelNames: few(places.map(({ channel }) => channel)),
    topics: places
      .flatMap(({ channel, topic, messageId }) =>
        topic === undefined || messageId !== undefined ? [] : [{ channel, topic }],
      )
      .slice(0, MAX_OF_A_KIND),
    emojiNames,
    uploadPaths: few([...text.matchAll(UPLOAD)].map(([, path = '']) => path)).slice(0, MAX_UPLOADS),
    needs: {
      unicodeEmoji: emojiNames.length > 0 || UNICODE_EMOJI.test(text),
      highlight: NAMED_FENCE.test(text),
      math: /\$\$|math/i.test(text),
      origin: /:\/\/\S+\/(?:#narrow|user_uploads)\//.test(text),
    },
  };
}

export const channelWildcards = ['all', 'everyone', 'channel', 'stream'];
export const topicWildcard = 'topic';
const isWildcard = (name: string): boolean => name === topicWildcard || channelWildcards.includes(name);

/** Unique names, compared without letter case, up to the limit. */
function few<One extends string | number>(found: One[]): One[] {
  const byName = new Map(found.map((item) => [typeof item === 'string' ? toCanonical(item) : item, item]));
  return [...byName.values()].slice(0, MAX_OF_A_KIND);
}
