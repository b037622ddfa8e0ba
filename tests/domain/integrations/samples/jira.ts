import type { Sample } from '../sample.ts';

const issue = {
  key: 'ENG-12',
  self: 'https://acme.atlassian.net/rest/api/2/issue/10012',
  fields: {
    summary: 'It smokes',
    creator: { displayName: 'Ada' },
    assignee: { displayName: 'Grace' },
    priority: { name: 'High' },
  },
};
const user = { displayName: 'Ada' };
const comment = {
  self: 'https://acme.atlassian.net/rest/api/2/issue/10012/comment/1',
  body: 'See [the page|https://acme.example], *bold*, {{code}} and [~grace].\n{quote}As said{quote}',
  author: { displayName: 'Grace' },
};
const of = (webhookEvent: string, payload: object, name = webhookEvent): Sample => ({
  name,
  event: webhookEvent,
  payload: { webhookEvent, user, issue, ...payload },
});
const changelog = { items: [{ field: 'status', fromString: 'Open', toString: 'Done' }] };

export const samples: Sample[] = [
  of('jira:issue_created', {}),
  of('jira:issue_deleted', {}),
  of('jira:issue_updated', { changelog }),
  { ...of('jira:issue_updated', { changelog }, 'with a topic of the address'), query: { topic: 'x' } },
  of('jira:issue_updated', { issue_event_type_name: 'issue_commented', comment }, 'update with a comment'),
  of(
    'jira:issue_updated',
    { issue_event_type_name: 'issue_comment_edited', comment },
    'update with an edited comment',
  ),
  of(
    'jira:issue_updated',
    { issue_event_type_name: 'issue_comment_deleted', comment },
    'update without a comment',
  ),
  {
    name: 'transition',
    event: 'jira:issue_updated',
    payload: { user, issue, transition: { from_status: 'Open', to_status: 'Done' } },
  },
  of('comment_created', { comment }),
  of('comment_updated', { comment }),
  of('comment_deleted', { comment }),
  of('comment_created', { issue: undefined, comment }, 'comment of an older Jira'),
  of('worklog_created', {}),
];
