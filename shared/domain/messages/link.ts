import type { Message } from './message.ts';
import { EMPTY_TOPIC_DISPLAY_NAME } from './topic.ts';

/** The web address of the message: the service, the conversation and the message's place in it. */
export function linkToMessage(url: string, message: Message): string {
  if (message.kind === 'channel') return linkToChannelMessage(url, message, message.channelName);
  const { recipients } = message;
  const people = recipients.map(({ id }) => id).join(',');
  return `${url}/#narrow/dm/${people}-${recipients.length > 2 ? 'group' : 'dm'}/near/${message.messageId}`;
}

type ChannelMessage = Extract<Message, { kind: 'channel' }>;

function linkToChannelMessage(url: string, message: ChannelMessage, name: string | undefined): string {
  const slug = name === undefined ? '' : `-${encodeOperand(name.replaceAll(' ', '-'))}`;
  const topic = encodeOperand(message.topic);
  return `${url}/#narrow/channel/${message.channelId}${slug}/topic/${topic}/near/${message.messageId}`;
}

/**
 * The address of a sent message, and the Markdown that links to it as clients copy it. A sender who may not
 * know the channel's name gets an address with its id alone, and nothing but the address as Markdown.
 */
export function sentLinks(
  url: string,
  message: Message,
  knowsChannel: boolean,
): { message_url: string; message_link: string } {
  if (message.kind === 'direct') return plainly(linkToMessage(url, message));
  if (!knowsChannel) return plainly(linkToChannelMessage(url, message, undefined));
  const address = linkToMessage(url, message);
  const topic = message.topic === '' ? EMPTY_TOPIC_DISPLAY_NAME : message.topic;
  return {
    message_url: address,
    message_link: `[#${escapeMarks(message.channelName)} > ${escapeMarks(topic)} @ 💬](${address})`,
  };
}

const plainly = (address: string) => ({ message_url: address, message_link: address });

/** Writes the characters as entities that would end the text of a link or start other Markdown. */
const escapeMarks = (name: string): string =>
  name.replace(/[`>*&[\]]|\$\$/g, (marks) => [...marks].map((mark) => `&#${mark.charCodeAt(0)};`).join(''));

/** Clients use a dot instead of a percent sign. */
export const encodeOperand = (operand: string): string =>
  encodeURIComponent(operand)
    .replaceAll('.', '%2E')
    .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.');
