import { codes, McpFailure } from '#shared/api/mcp/message.ts';
import { readingTools } from './reading.ts';
import type { Agent, ToolAnswer } from './tool.ts';

const FORMATTING = `# Formatting of messages

Messages are Markdown: **bold**, *italic*, ~~struck~~, \`code\`, fenced code blocks with a language, lists, tables, quotes
with \`>\` or a fence named \`quote\`, spoilers with a fence named \`spoiler\` and a title, formulas in \`$$\`.

- A person: \`@**Full Name|id**\`; without notification \`@_**Full Name|id**\`. A group: \`@*name*\`.
- A channel: \`#**channel**\`; a topic: \`#**channel>topic**\`.
- A time that each reader sees in their own zone: \`<time:2026-11-26T15:00:00Z>\`.
- An emoji: \`:tada:\`.
- Everyone: \`@**all**\`, \`@**channel**\`, \`@**topic**\`. These notify many people; ask before using them.
`;

/** The resources with fixed addresses. */
export const resources = [
  {
    uri: 'chat://channels',
    name: 'channels',
    title: 'Channels',
    description: 'The channels that the person may read',
    mimeType: 'application/json',
  },
  {
    uri: 'chat://formatting',
    name: 'formatting',
    title: 'Formatting of messages',
    description: 'The Markdown of messages',
    mimeType: 'text/markdown',
  },
];

export const resourceTemplates = [
  {
    uriTemplate: 'chat://message/{id}',
    name: 'message',
    title: 'A message',
    description: 'One message, by its id',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: 'chat://topic/{channel_id}/{topic}',
    name: 'topic',
    title: 'A topic',
    description: 'The newest 50 messages of a topic',
    mimeType: 'text/markdown',
  },
];

const MESSAGE = /^chat:\/\/message\/(\d{1,10})$/;
const TOPIC = /^chat:\/\/topic\/(\d{1,10})\/([^/]*)$/;

/** The contents of a resource. @throws McpFailure for an unknown one */
export async function readResource(uri: string, agent: Agent, notFoundCode: number) {
  const [, messageId] = MESSAGE.exec(uri) ?? [];
  const [, channelId, topic] = TOPIC.exec(uri) ?? [];
  const content = (mimeType: string, text: string) => ({ contents: [{ uri, mimeType, text }] });
  if (uri === 'chat://formatting') return content('text/markdown', FORMATTING);
  if (uri === 'chat://channels')
    return content('application/json', JSON.stringify((await read(agent, 'list_channels', {})).fields));
  if (messageId !== undefined) {
    const { text = '' } = await read(agent, 'read_message', { id: Number(messageId) });
    return content('text/markdown', text);
  }
  if (channelId !== undefined && topic !== undefined) {
    const place = { channel: Number(channelId), topic: decode(topic), limit: 50 };
    const { text = '' } = await read(agent, 'read_conversation', place);
    return content('text/markdown', text);
  }
  throw new McpFailure(notFoundCode, 'There is no such resource.', { data: { uri } });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new McpFailure(codes.invalidParams, 'The address is not correctly encoded.');
  }
}

async function read(agent: Agent, name: string, args: object): Promise<ToolAnswer> {
  const found = readingTools.find((readingTool) => readingTool.name === name);
  if (!found) throw new Error(`There is no tool ${name}`);
  return found.run(args, agent);
}
