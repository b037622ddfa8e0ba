import type { Message } from './message.ts';

/** Where a client finds the message: the address of the service with the conversation and the place in it. */
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

/** Clients read a dot where addresses have a percent sign. */
const encodeOperand = (operand: string): string =>
  encodeURIComponent(operand)
    .replaceAll('.', '%2E')
    .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.');
