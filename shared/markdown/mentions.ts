import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it';
import { toCanonical } from '#shared/domain/names.ts';
import { type Environment, mayAdd } from './environment.ts';
import type { Known } from './known.ts';
import { channelPath, topicPath } from './narrow-links.ts';
import {
  channelWildcards,
  mentionAt,
  placeAt,
  readPlace,
  readUserMention,
  topicWildcard,
} from './references.ts';

type Mention = { name: string; isSilent: boolean } & (
  | { kind: 'user' | 'group'; id: number }
  | { kind: 'channel' | 'topic' }
);

type Link = {
  attributes: string;
  /** Its text, as HTML. */
  html: string;
};

/** The markup of a mention or a link, without its name. */
const MARKUP_CHARACTERS = 120;

/** A mention follows nothing, a space or an opening mark, so that e-mail addresses are not mentions. */
const MAY_PRECEDE = /[\s'"({[/<]/;

/** Mentions of people and groups, and links to channels, topics and messages. */
export function useMentions(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'mention', (state, silent) =>
    takeToken(state, silent, 'mention', mentionAt, readMention),
  );
  md.inline.ruler.before('emphasis', 'place', (state, silent) =>
    takeToken(state, silent, 'place', placeAt, ([, text = ''], known) => readLink(md, text, known)),
  );
  md.core.ruler.push('mentions', collectMentions);
  md.renderer.rules.mention = (tokens, index) => renderMention(md, tokens[index]?.meta as Mention);
  md.renderer.rules.place = (tokens, index) => {
    const link = tokens[index]?.meta as Link;
    return `<a ${link.attributes}>${link.html}</a>`;
  };
}

function takeToken<Meta extends Mention | Link>(
  state: StateInline,
  silent: boolean,
  type: string,
  pattern: RegExp,
  read: (match: RegExpExecArray, known: Known) => Meta | undefined,
): boolean {
  if (state.pos > 0 && type === 'mention' && !MAY_PRECEDE.test(state.src.charAt(state.pos - 1))) return false;
  pattern.lastIndex = state.pos;
  const match = pattern.exec(state.src);
  if (!match || state.pos + match[0].length > state.posMax) return false;
  const environment = state.env as Environment;
  const meta = read(match, environment.known);
  if (!meta) return false;
  if (!silent) {
    if (!mayAdd(environment, match[0].length * 6 + MARKUP_CHARACTERS)) return false;
    const token = state.push(type, '', 0);
    token.meta = { ...meta };
    token.content = match[0];
  }
  state.pos += match[0].length;
  return true;
}

function readMention([, mark, user, group]: RegExpExecArray, known: Known): Mention | undefined {
  const isSilent = mark === '_';
  if (user !== undefined) return readUser(user, isSilent, known);
  const named = known.groups.find(({ name }) => toCanonical(name) === toCanonical(group ?? ''));
  return (
    named && {
      kind: 'group',
      id: named.groupId,
      name: named.name,
      isSilent: isSilent || named.isDeactivated,
    }
  );
}

function readUser(text: string, isSilent: boolean, known: Known): Mention | undefined {
  if (channelWildcards.includes(text)) return { kind: 'channel', name: text, isSilent };
  if (text === topicWildcard) return { kind: 'topic', name: text, isSilent };
  const asked = readUserMention(text);
  const isAsked = (user: { userId: number; fullName: string }): boolean =>
    (asked.userId === undefined || user.userId === asked.userId) &&
    (asked.name === undefined || toCanonical(user.fullName) === toCanonical(asked.name));
  const [user, another] = known.users.filter(isAsked);
  if (!user || another) return undefined;
  return { kind: 'user', id: user.userId, name: user.fullName, isSilent: isSilent || !user.isActive };
}

function readLink(md: MarkdownIt, text: string, known: Known): Link | undefined {
  const { escapeHtml } = md.utils;
  const place = readPlace(text);
  const channel = known.channels.find(({ name }) => toCanonical(name) === toCanonical(place.channel));
  if (!channel) return undefined;
  const id = `data-stream-id="${channel.channelId}"`;
  const title = `#${escapeHtml(channel.name)}`;
  const { topic, messageId } = place;
  if (topic === undefined)
    return { attributes: `class="stream" ${id} href="${channelPath(channel)}"`, html: title };
  const topicTitle = topic === '' ? '<em>general chat</em>' : escapeHtml(topic);
  const path = topicPath(channel, topic);
  if (messageId !== undefined)
    return {
      attributes: `class="message-link" href="${path}/near/${messageId}"`,
      html: `${title} &gt; ${topicTitle} @ 💬`,
    };
  const head = known.topics.find(
    (candidate) =>
      candidate.channelId === channel.channelId && toCanonical(candidate.topic) === toCanonical(topic),
  );
  const address = head ? `${path}/with/${head.newestMessageId}` : path;
  return { attributes: `class="stream-topic" ${id} href="${address}"`, html: `${title} &gt; ${topicTitle}` };
}

/** Collects the mentions of the text; quoted ones are silent. */
function collectMentions(state: StateCore): void {
  const environment = state.env as Environment;
  let quotes = 0;
  for (const block of state.tokens) {
    if (block.type === 'blockquote_open') quotes += 1;
    if (block.type === 'blockquote_close') quotes -= 1;
    for (const token of block.children ?? []) {
      if (token.type !== 'mention') continue;
      const mention = { ...(token.meta as Mention) };
      mention.isSilent ||= quotes > 0;
      token.meta = mention;
      if (!mention.isSilent) collect(environment, mention);
    }
  }
}

function collect(environment: Environment, mention: Mention): void {
  if (mention.kind === 'user') environment.userIds.add(mention.id);
  else if (mention.kind === 'group') environment.groupIds.add(mention.id);
  else if (mention.kind === 'channel') environment.mentionsChannel = true;
  else environment.mentionsTopic = true;
}

function renderMention(md: MarkdownIt, mention: Mention): string {
  const silent = mention.isSilent ? ' silent' : '';
  const text = `${mention.isSilent ? '' : '@'}${md.utils.escapeHtml(mention.name)}`;
  return `<span ${attributesOf(mention, silent)}>${text}</span>`;
}

function attributesOf(mention: Mention, silent: string): string {
  switch (mention.kind) {
    case 'user':
      return `class="user-mention${silent}" data-user-id="${mention.id}"`;
    case 'group':
      return `class="user-group-mention${silent}" data-user-group-id="${mention.id}"`;
    case 'channel':
      return `class="user-mention channel-wildcard-mention${silent}" data-user-id="*"`;
    case 'topic':
      return `class="topic-mention${silent}"`;
  }
}

/**
 * A token that can become a mention or a link, or text where these are not allowed, as inside another link.
 */
export const isReference = ({ type }: Token): boolean => type === 'mention' || type === 'place';
