import type { Sample } from '../sample.ts';

const repository = { name: 'engine', remoteUrl: 'https://dev.azure.com/acme/_git/engine' };
const request = {
  repository,
  pullRequestId: 7,
  title: 'Grind the gears',
  description: 'They were stuck.',
  sourceRefName: 'refs/heads/gears',
  targetRefName: 'refs/heads/main',
  createdBy: { displayName: 'Ada' },
  reviewers: [{ displayName: 'Grace' }],
  status: 'completed',
  mergeStatus: 'succeeded',
};
const of = (eventType: string, resource: object): Sample => ({
  name: eventType,
  event: eventType,
  payload: { eventType, resource },
});

export const samples: Sample[] = [
  of('git.push', {
    repository,
    pushedBy: { displayName: 'Ada' },
    refUpdates: [{ name: 'refs/heads/main', oldObjectId: 'aaaa', newObjectId: 'bbbb' }],
    commits: [{ commitId: '6dcb09b5b57875f3', comment: 'Oil the wheels', author: { name: 'Ada' } }],
  }),
  of('git.pullrequest.created', request),
  of('git.pullrequest.updated', request),
  of('git.pullrequest.merged', request),
  of('git.pullrequest.merged', { ...request, mergeStatus: 'conflicts' }),
];
