import type { Sample } from '../sample.ts';

const url = 'https://linear.app/acme/issue/ENG-12';
const data = {
  title: 'It smokes',
  description: 'A lot of smoke.',
  team: { name: 'Engines' },
  priorityLabel: 'High',
  assignee: { name: 'Grace' },
  state: { name: 'Todo' },
};
const of = (name: string, event: string, type: string, action: string, more: object): Sample => ({
  name,
  event,
  payload: { type, action, url, data: more },
});

export const samples: Sample[] = [
  of('issue created', 'issue', 'Issue', 'create', data),
  of('issue updated', 'issue', 'Issue', 'update', {
    ...data,
    priorityLabel: 'No priority',
    description: undefined,
  }),
  of('issue removed', 'issue', 'Issue', 'remove', data),
  of('sub-issue created', 'sub_issue', 'Issue', 'create', { ...data, parentId: '1' }),
  ...['create', 'update', 'remove'].map((action) =>
    of(`comment ${action}`, 'comment', 'Comment', action, {
      body: 'Looks good.',
      user: { name: 'Ada' },
      issue: { title: 'It smokes' },
    }),
  ),
  of('project created', 'project', 'Project', 'create', { name: 'Steam', description: 'More of it' }),
  of('project update', 'project_update', 'ProjectUpdate', 'create', {
    body: 'On track.',
    health: 'onTrack',
    project: { name: 'Steam' },
    user: { name: 'Ada' },
  }),
  of('label', 'IssueLabel', 'IssueLabel', 'create', {}),
];
