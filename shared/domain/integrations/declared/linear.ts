import type { Delivery, Integration, Note } from '../integration.ts';
import { inline, link, paragraphs, quote, sentence } from '../words.ts';

const isSubIssue = ({ payload }: Delivery): boolean =>
  payload.has('data.parentId') || payload.has('data.parent');

function issue(delivery: Delivery): Note {
  const { payload } = delivery;
  const data = payload.at('data');
  const title = data.text('title');
  const kind = isSubIssue(delivery) ? 'Sub-Issue' : 'Issue';
  const team = inline(data.find('team.name') ?? 'a team');
  const action = payload.text('action');
  const topic = `${kind}: ${title}`;
  if (action === 'remove')
    return { topic, content: sentence(`${kind} **${inline(title)}** was removed from team ${team}`) };
  const subject = link(
    delivery.isTitled ? `${kind} ${title}` : kind,
    payload.find('url') ?? data.find('url'),
  );
  const priority = data.find('priorityLabel');
  const facts = [
    priority !== undefined && priority !== 'No priority' && `Priority: ${inline(priority)}`,
    data.has('assignee.name') && `Assignee: ${inline(data.find('assignee.name') ?? '')}`,
    data.has('state.name') && `Status: ${inline(data.find('state.name') ?? '')}.`,
  ].filter((value) => value !== false);
  const text = data.find('description');
  return {
    topic,
    content: paragraphs(
      `${subject} was ${action === 'create' ? 'created' : 'updated'} in team ${team}${text === undefined ? '.' : ':'}`,
      text !== undefined && quote(text),
      facts.join(', '),
    ),
  };
}

const comment = ({ payload }: Delivery): Note => {
  const data = payload.at('data');
  const title = data.find('issue.title') ?? data.text('issueId');
  const who = inline(data.find('user.name') ?? payload.find('actor.name') ?? 'Someone');
  const action = payload.text('action');
  const url = payload.find('url') ?? data.find('url');
  const did =
    action === 'create'
      ? link('commented', url)
      : `${action === 'remove' ? 'removed' : 'updated'} ${link('a comment', url)}`;
  return {
    topic: `Issue: ${title}`,
    content: sentence(`${who} ${did}`, action === 'remove' ? undefined : data.find('body')),
  };
};

const project = ({ payload }: Delivery): Note => {
  const data = payload.at('data');
  const name = data.oneOf('name', 'project.name');
  const action = payload.text('action');
  return {
    topic: `Project: ${name}`,
    content: sentence(
      `Project ${link(name, payload.find('url') ?? data.find('url'))} was ${inline(action)}${action.endsWith('e') ? 'd' : 'ed'}`,
      data.find('description'),
    ),
  };
};

const projectUpdate = ({ payload }: Delivery): Note => {
  const data = payload.at('data');
  const who = inline(data.find('user.name') ?? payload.find('actor.name') ?? 'Someone');
  const health = data.find('health');
  const state = health === undefined ? '' : ` (${inline(health)})`;
  return {
    topic: `Project: ${data.oneOf('project.name', 'name')}`,
    content: sentence(
      `${who} posted a ${link('project update', payload.find('url'))}${state}`,
      data.find('body'),
    ),
  };
};

export const linear: Integration = {
  slug: 'linear',
  displayName: 'Linear',
  categories: ['project-management'],
  setup: 'In Linear: **Settings**, **API**, **Webhooks**, **New webhook**.',
  body: 'json',
  deliveryIds: ['linear-delivery'],
  signature: { header: 'linear-signature', scheme: 'hex' },
  eventOf: (delivery) => {
    const type = delivery.payload.text('type');
    if (type === 'Issue') return isSubIssue(delivery) ? 'sub_issue' : 'issue';
    const names: Record<string, string> = {
      Comment: 'comment',
      Project: 'project',
      ProjectUpdate: 'project_update',
    };
    return Object.hasOwn(names, type) ? names[type] : type;
  },
  events: { issue, sub_issue: issue, comment, project, project_update: projectUpdate },
  ignored: ['IssueLabel', 'Cycle', 'Reaction'],
};
