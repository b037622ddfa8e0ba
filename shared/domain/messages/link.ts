import type { Message } from './message.ts';

/** The web address of the message: the service, the conversation and the message's place in it. */
export function linkToMessage(url: string, message: Message): string {
  const near = `near/${message.messageId}`;
  if (message.kind === 'channel') {
    const channel = `${message.channelId}-${encodeOperand(message.channelName.replaceAll(' ', '-'))}`;
    return `${url}/#narrow/channel/${channel}/topic/${encodeOperand(message.topic)}/${near}`;
  }
  const { recipients } = message;
  const people = recipients.map(({ id }) => id).join(',');
  return `${url}/#narrow/dm/${people}-${recipients.length > 2 ? 'group' : 'dm'}/${near}`;
}

/** Clients use a dot instead of a percent sign. */
export const encodeOperand = (operand: string): string =>
  encodeURIComponent(operand)
    .replaceAll('.', '%2E')
    .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.');
