import type { Delivery, Integration } from '../integration.ts';
import { fromMrkdwn } from '../mrkdwn.ts';
import type { Payload } from '../payload.ts';
import { inline, line, link, paragraphs, time, words } from '../words.ts';

/** Everything that speaks to Slack's incoming webhooks. */
export const slackIncoming: Integration = {
  slug: 'slack_incoming',
  displayName: 'Slack-compatible webhook',
  clientName: 'SlackIncoming',
  categories: ['communication', 'meta-integration'],
  setup: "Use the address in place of one of Slack's incoming webhooks (`https://hooks.slack.com/…`).",
  body: 'either',
  refusesLikeSlack: true,
  replies: () => ({ ok: true }),
  says: (delivery) => ({ topic: topicOf(delivery), content: contentOf(delivery.payload) }),
};

const topicOf = ({ payload }: Delivery): string =>
  payload.find('channel')?.replace(/^[#@]/, '') ?? '(no topic)';

/** Blocks, then attachments. The text beside them is a summary for notifications, shown if they do not have it. */
function contentOf(payload: Payload): string {
  const rich = paragraphs(
    ...payload.list('blocks').map(block),
    ...payload.list('attachments').map(attachment),
  );
  const text = payload.find('text');
  const converted = text === undefined ? '' : fromMrkdwn(text);
  if (rich === '') return converted === '' ? '' : words(payload.find('icon_emoji'), converted);
  return plain(rich).includes(plain(converted)) ? rich : paragraphs(converted, rich);
}

/** Letters and digits only, to compare texts whatever their markup. */
const plain = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();

function block(part: Payload): string {
  switch (part.find('type')) {
    case 'header':
      return heading(textOf(part.at('text')));
    case 'divider':
      return '----';
    case 'section':
      return paragraphs(
        part.has('text') && textOf(part.at('text')),
        part.find('accessory.type') === 'image' && picture(part.at('accessory')),
        fieldTable(part.list('fields').map(textOf)),
      );
    case 'context':
      return part
        .list('elements')
        .map((element) => (element.find('type') === 'image' ? picture(element) : textOf(element)))
        .join('\n');
    case 'image':
      return picture(part);
    case 'rich_text':
      return part.list('elements').map(richText).join('\n');
    case 'markdown':
      return part.find('text') ?? '';
    default:
      return '';
  }
}

const heading = (text: string): string => (text.trim() === '' ? '' : `## ${line(text)}`);

/** A text object; some programs send a plain string. */
function textOf(part: Payload): string {
  if (typeof part.value === 'string') return fromMrkdwn(part.value);
  const text = part.find('text') ?? '';
  return part.find('type') === 'plain_text' ? text : fromMrkdwn(text);
}

const picture = (part: Payload): string => {
  const url = part.find('image_url');
  const title = part.find('title.text') ?? part.find('title') ?? part.find('alt_text') ?? 'image';
  return url === undefined ? '' : link(title, url);
};

/** One field is a text; more are a table of two columns. */
function fieldTable(fields: string[]): string {
  if (fields.length < 2) return fields[0] ?? '';
  const cells = fields.map((field) => field.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' '));
  const rows: string[] = [];
  for (let index = 0; index < cells.length; index += 2)
    rows.push(`| ${cells[index]} | ${cells[index + 1] ?? ''} |`);
  return ['| | |', '|-|-|', ...rows].join('\n');
}

/** The elements of rich text, without their styles. */
const richText = (part: Payload): string =>
  part
    .list('elements')
    .map((element) => {
      const type = element.find('type');
      if (type === 'link')
        return link(element.find('text') ?? element.find('url') ?? '', element.find('url'));
      if (type === 'emoji') return `:${element.find('name') ?? ''}:`;
      if (type === 'rich_text_section') return `* ${richText(element)}\n`;
      return element.find('text') ?? '';
    })
    .join('');

function attachment(part: Payload): string {
  const title = part.find('title');
  const footer = words(
    part.find('footer') && inline(part.find('footer') ?? ''),
    part.findNumber('ts') !== undefined && time(part.number('ts')),
  );
  return paragraphs(
    title !== undefined && `## ${link(title, part.find('title_link'))}`,
    mrkdwn(part, 'pretext'),
    mrkdwn(part, 'text'),
    ...part.list('fields').map((field) => {
      const name = field.find('title');
      const value = fromMrkdwn(field.find('value') ?? '');
      return name === undefined ? value : `*${inline(name)}*: ${value}`;
    }),
    ...part.list('blocks').map(block),
    part.find('image_url') && link('image', part.find('image_url')),
    footer,
  );
}

const mrkdwn = (part: Payload, name: string): string => fromMrkdwn(part.find(name) ?? '');
