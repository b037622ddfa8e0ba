import type { Sample } from '../sample.ts';

const self = (href: string) => ({ links: { self: [{ href }] } });
const actor = { displayName: 'Ada', name: 'ada', ...self('https://git.example/users/ada') };
const repository = { name: 'engine', ...self('https://git.example/engine') };
const HASH = '6dcb09b5b57875f334f61aebed695e2e4193db5e';
const comment = { text: 'Looks good.' };
const pullRequest = {
  id: 7,
  title: 'Grind the gears',
  description: 'They were stuck.',
  fromRef: { displayId: 'gears' },
  toRef: { displayId: 'main', repository },
  reviewers: [{ user: { displayName: 'Grace' } }],
  ...self('https://git.example/engine/pull-requests/7'),
};
const of = (event: string, payload: object): Sample => ({
  name: event,
  event,
  payload: { eventKey: event, actor, ...payload },
});
const change = (type: string, ref: string) => ({
  ref: { displayId: ref === 'TAG' ? 'v1' : 'main', type: ref },
  type,
  toHash: HASH,
});

export const samples: Sample[] = [
  { name: 'test', event: 'diagnostics:ping', payload: { test: true } },
  ...['added', 'edited', 'deleted'].map((did) =>
    of(`repo:comment:${did}`, { repository, comment, commit: HASH }),
  ),
  of('repo:forked', {
    repository: { name: 'motor', origin: repository, ...self('https://git.example/motor') },
  }),
  of('repo:modified', { old: { name: 'motor' }, new: { name: 'engine' } }),
  of('repo:refs_changed', {
    repository,
    changes: [
      change('ADD', 'BRANCH'),
      change('UPDATE', 'BRANCH'),
      change('DELETE', 'BRANCH'),
      change('ADD', 'TAG'),
      change('DELETE', 'TAG'),
    ],
  }),
  ...['added', 'edited', 'deleted'].map((did) => of(`pr:comment:${did}`, { pullRequest, comment })),
  ...[
    'declined',
    'deleted',
    'merged',
    'modified',
    'opened',
    'reviewer:approved',
    'reviewer:needs_work',
    'reviewer:unapproved',
  ].map((did) => of(`pr:${did}`, { pullRequest })),
  of('pr:reviewer:updated', {
    pullRequest,
    addedReviewers: [{ displayName: 'Grace' }],
    removedReviewers: [],
  }),
  of('pr:reviewer:updated', {
    pullRequest,
    addedReviewers: [],
    removedReviewers: [{ displayName: 'Grace' }],
  }),
];
