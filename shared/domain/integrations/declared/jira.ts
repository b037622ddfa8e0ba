import type { Delivery, Integration, Note, Said } from '../integration.ts';
import { type Payload, UnexpectedPayload } from '../payload.ts';
import { bold, inline, line, link, paragraphs, quote, sentence, words } from '../words.ts';

/** Markdown of Jira's markup. */
const fromJira = (text: string): string =>
  text
    .replaceAll(/\{\{([^}\n]{1,500})\}\}/g, '`$1`')
    .replaceAll(
      /\{(?:code|noformat)(?::(\w+)[^}\n]{0,200})?\}/g,
      (_all, language?: string) => `\n\`\`\`${language ?? ''}\n`,
    )
    .replaceAll(/\{quote\}/g, '\n')
    .replaceAll(/^bq\. /gm, '> ')
    .replaceAll(/(?<![\w*])\*([^*\n]{1,500})\*(?![\w*])/g, '**$1**')
    .replaceAll(/\[~(?:accountid:)?([^\]\n]{1,200})\]/g, (_all, name: string) => bold(name))
    .replaceAll(
      /\[([^\]|\n]{1,500})\|([^\]|\s]{1,2000})(?:\|[^\]\n]{0,100})?\]/g,
      (_all, name: string, url: string) => link(name, url),
    )
    .replaceAll(/\[(https?:[^\]|\s]{1,2000})\]/g, '$1');

const personOf = ({ payload }: Delivery): string =>
  inline(
    payload.find('user.displayName') ??
      payload.find('comment.updateAuthor.displayName') ??
      payload.find('comment.author.displayName') ??
      'Someone',
  );

const keyOf = ({ payload }: Delivery): string | undefined => payload.find('issue.key');

function topicOf(delivery: Delivery): string {
  const key = keyOf(delivery);
  if (key !== undefined) return `${key}: ${delivery.payload.find('issue.fields.summary') ?? ''}`;
  const number = /\/issue\/(\d+)\//.exec(delivery.payload.text('comment.self'))?.[1];
  return number === undefined ? 'Jira' : `Issue ${number}`;
}

function issueLink(delivery: Delivery): string {
  const { payload } = delivery;
  const key = keyOf(delivery);
  if (key === undefined) return 'an issue';
  const [host] = payload.text('issue.self').split('/rest/api/');
  const summary = delivery.isTitled ? ` ${payload.find('issue.fields.summary') ?? ''}` : '';
  return link(`${key}${summary}`.trim(), `${host}/browse/${key}`);
}

const said = (delivery: Delivery, content: string): Note => ({ topic: topicOf(delivery), content });

const assigneeOf = ({ payload }: Delivery): string =>
  payload.has('issue.fields.assignee.displayName')
    ? bold(payload.text('issue.fields.assignee.displayName'))
    : 'no one';

function created(delivery: Delivery): Note {
  const { payload } = delivery;
  const author =
    payload.find('issue.fields.creator.displayName') ?? payload.find('user.displayName') ?? 'Someone';
  const summary = payload.find('issue.fields.summary') ?? '';
  return said(
    delivery,
    paragraphs(
      `${inline(author)} created ${issueLink(delivery)}:`,
      [
        `* **Priority**: ${inline(payload.find('issue.fields.priority.name') ?? 'none')}`,
        `* **Assignee**: ${assigneeOf(delivery)}`,
        ...(delivery.isTitled ? [] : [`* **Summary**: ${inline(summary)}`]),
      ].join('\n'),
    ),
  );
}

const deleted = (delivery: Delivery): Note =>
  said(delivery, sentence(`${personOf(delivery)} deleted ${issueLink(delivery)}`));

const comment =
  (action: string) =>
  (delivery: Delivery): Note => {
    const upgrade =
      keyOf(delivery) === undefined && 'A newer version of Jira also sends the issue of a comment.';
    const text = fromJira(delivery.payload.find('comment.body') ?? '');
    const body =
      action === 'deleted a comment from' ? text && `~~${inline(line(text))}~~` : text && quote(text);
    return said(
      delivery,
      paragraphs(
        `${personOf(delivery)} ${action} ${issueLink(delivery)}${text === '' ? '.' : ':'}`,
        body,
        upgrade,
      ),
    );
  };

function updated(delivery: Delivery): Said {
  const { payload } = delivery;
  const kind = payload.find('issue_event_type_name') ?? '';
  if (kind === 'issue_comment_edited') return comment('edited a comment on')(delivery);
  if (kind === 'issue_comment_deleted') return comment('deleted a comment from')(delivery);
  if (kind === 'issue_commented' || payload.has('comment.body')) return comment('commented on')(delivery);
  const lines = payload.list('changelog.items').map(changeLine);
  if (lines.length === 0 && !payload.has('transition')) return undefined;
  const head = words(
    personOf(delivery),
    'updated',
    issueLink(delivery),
    `(assigned to ${assigneeOf(delivery)}):`,
  );
  return said(delivery, paragraphs(head, (lines.length > 0 ? lines : [transitionLine(payload)]).join('\n')));
}

const changeLine = (item: Payload): string => {
  const [before, after] = [item.find('fromString'), item.find('toString')];
  const from = before === undefined ? '' : ` from **${inline(before)}**`;
  return `* Changed ${inline(item.text('field'))}${from} to **${inline(after ?? 'none')}**`;
};

const transitionLine = (payload: Payload): string =>
  `* Changed status${payload.has('transition.from_status') ? ` from **${inline(payload.find('transition.from_status') ?? '')}**` : ''} to **${inline(payload.find('transition.to_status') ?? '')}**`;

export const jira: Integration = {
  slug: 'jira',
  displayName: 'Jira',
  categories: ['project-management'],
  setup: 'In Jira: **Settings**, **System**, **WebHooks**, **Create a WebHook**.',
  body: 'json',
  encodesTwice: true,
  deliveryIds: ['x-atlassian-webhook-identifier'],
  signature: { header: 'x-hub-signature', scheme: 'hex', prefix: 'sha256=' },
  eventOf: ({ payload }) => {
    const event = payload.find('webhookEvent');
    if (event === undefined && !payload.has('transition')) throw new UnexpectedPayload('webhookEvent');
    return event ?? 'jira:issue_updated';
  },
  events: {
    'jira:issue_created': created,
    'jira:issue_deleted': deleted,
    'jira:issue_updated': updated,
    comment_created: comment('commented on'),
    comment_updated: comment('edited a comment on'),
    comment_deleted: comment('deleted a comment from'),
  },
  ignored: [
    'attachment_created',
    'issuelink_created',
    'issuelink_deleted',
    'jira:version_released',
    'jira:worklog_updated',
    'sprint_closed',
    'sprint_started',
    'worklog_created',
    'worklog_updated',
  ],
};
