import type { Delivery, Integration, Note } from '../integration.ts';
import { type Payload, UnexpectedPayload } from '../payload.ts';
import {
  bold,
  bullets,
  code,
  codeBlock,
  inline,
  line,
  link,
  paragraphs,
  quote,
  sentence,
  time,
} from '../words.ts';

const LANGUAGES: Record<string, string> = {
  go: 'go',
  java: 'java',
  javascript: 'javascript',
  node: 'javascript',
  python: 'python3',
  ruby: 'ruby',
};

/** Older versions of this program send other stack traces. */
const isTooOld = (event: Payload): boolean =>
  event.find('platform') === 'python' && /^[0-6]\./.test(event.find('version') ?? '');

function momentOf(event: Payload): string | undefined {
  const iso = event.find('datetime');
  const seconds = event.findNumber('timestamp') ?? event.findNumber('received');
  if (iso !== undefined) return time(iso.endsWith('Z') || /[+-]\d\d:\d\d$/.test(iso) ? iso : `${iso}Z`);
  return seconds === undefined ? undefined : time(seconds);
}

const facts = (event: Payload): string =>
  bullets(
    [
      event.has('level') && `**level:** ${inline(event.find('level') ?? '')}`,
      momentOf(event) !== undefined && `**timestamp:** ${momentOf(event)}`,
      event.has('location') && `**filename:** ${code(event.find('location') ?? '')}`,
    ].filter((value) => value !== false),
  );

function traceback(event: Payload): string | undefined {
  const file = event.find('metadata.filename') ?? event.find('location');
  const frames = event
    .list('exception.values')
    .flatMap((value) => value.list('stacktrace.frames'))
    .filter((frame) => frame.has('context_line'));
  const frame = frames.findLast((candidate) => candidate.find('filename') === file) ?? frames.at(-1);
  if (!frame) return undefined;
  const platform = event.find('platform') ?? '';
  const shown = [
    ...frame.texts('pre_context').map((text) => `     ${text}`),
    `---> ${frame.text('context_line')}`,
    ...frame.texts('post_context').map((text) => `     ${text}`),
  ];
  const language = Object.hasOwn(LANGUAGES, platform) ? LANGUAGES[platform] : '';
  return paragraphs('Traceback:', codeBlock(shown.join('\n'), language));
}

function eventNote(event: Payload, address = event.find('web_url')): Note | undefined {
  if (isTooOld(event)) return undefined;
  const title = event.find('title') ?? event.find('logentry.formatted') ?? event.text('metadata.title');
  const kind = event.has('exception') ? 'New exception' : 'New message event';
  return {
    topic: title,
    content: paragraphs(
      `**${kind}:** ${link(title, address)}`,
      facts(event),
      event.has('exception') && traceback(event),
    ),
  };
}

const newEvent = ({ payload }: Delivery): Note | undefined => {
  if (payload.has('data.event')) return eventNote(payload.at('data.event'));
  const url = payload.find('url');
  const id = payload.text('event.event_id');
  const address = url === undefined ? undefined : `${url.replace(/\/?$/, '/')}events/${id}/`;
  return eventNote(payload.at('event'), address);
};

const issue =
  (action: string, describe: (delivery: Delivery) => string) =>
  (delivery: Delivery): Note => {
    const data = delivery.payload.at('data.issue');
    const title = data.text('title');
    const subject = link(title, data.find('web_url') ?? data.find('permalink'));
    const who = inline(delivery.payload.find('actor.name') ?? 'Sentry');
    return {
      topic: title,
      content: sentence(`Issue ${subject} was ${action} by **${who}**${describe(delivery)}`),
    };
  };

const createdIssue = ({ payload }: Delivery): Note => {
  const data = payload.at('data.issue');
  const title = data.text('title');
  return {
    topic: title,
    content: paragraphs(
      `**New issue created:** ${link(title, data.find('web_url') ?? data.find('permalink'))}`,
      bullets(
        [
          data.has('level') && `**level:** ${inline(data.find('level') ?? '')}`,
          data.has('firstSeen') && `**timestamp:** ${time(data.find('firstSeen') ?? '')}`,
          data.has('assignedTo.name') && `**assignee:** ${inline(data.find('assignedTo.name') ?? '')}`,
        ].filter((value) => value !== false),
      ),
    ),
  };
};

const oldest = ({ payload }: Delivery): Note => ({
  topic: payload.text('project_name'),
  content: paragraphs(
    `New ${inline(payload.find('level') ?? 'event')}: ${link(line(payload.text('message')), payload.find('url'))}`,
    payload.has('culprit') && quote(payload.find('culprit') ?? ''),
  ),
});

export const sentry: Integration = {
  slug: 'sentry',
  displayName: 'Sentry',
  categories: ['monitoring'],
  setup:
    'In Sentry: **Settings**, **Developer settings**, **Create new internal integration**; give the address as webhook URL.',
  body: 'json',
  deliveryIds: ['request-id'],
  signature: { header: 'sentry-hook-signature', scheme: 'hex' },
  eventOf: ({ payload }) => {
    if (payload.has('data.issue')) return `issue_${payload.text('action')}`;
    if (payload.has('data.event') || payload.has('event.event_id')) return 'event';
    if (payload.has('project_name')) return 'legacy';
    throw new UnexpectedPayload('data');
  },
  events: {
    event: newEvent,
    issue_created: createdIssue,
    issue_resolved: issue('marked as resolved', () => ''),
    issue_assigned: issue('assigned', ({ payload }) => {
      const name = payload.find('data.issue.assignedTo.name');
      return name === undefined ? '' : ` to ${bold(name)}`;
    }),
    issue_ignored: issue('ignored', () => ''),
    legacy: oldest,
  },
};
