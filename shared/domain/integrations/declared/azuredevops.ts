import { branchTopic, changed, note, push, refName, requestTopic, wantsBranch } from '../git.ts';
import type { Delivery, Integration, Note, Said } from '../integration.ts';

const repositoryOf = ({ payload }: Delivery): string => payload.text('resource.repository.name');
const homeOf = ({ payload }: Delivery): string => payload.find('resource.repository.remoteUrl') ?? '';

function pushed(delivery: Delivery): Said {
  const { payload } = delivery;
  const update = payload.list('resource.refUpdates')[0];
  if (!update) return undefined;
  const branch = refName(update.text('name'));
  if (!wantsBranch(delivery, branch)) return undefined;
  const compare = `${homeOf(delivery)}/branchCompare?baseVersion=GC${update.find('oldObjectId') ?? ''}&targetVersion=GC${update.find('newObjectId') ?? ''}&_a=files`;
  return note(
    branchTopic(repositoryOf(delivery), branch),
    push({
      person: payload.text('resource.pushedBy.displayName'),
      branch,
      url: compare,
      commits: payload.list('resource.commits').map((commit) => ({
        author: commit.find('author.name') ?? 'someone',
        message: commit.find('comment') ?? '',
        hash: commit.text('commitId'),
        url: `${homeOf(delivery)}/commit/${commit.text('commitId')}`,
      })),
    }),
  );
}

const request =
  (action: string, isDescribed: boolean) =>
  (delivery: Delivery): Note => {
    const { payload } = delivery;
    const [number, title] = [payload.text('resource.pullRequestId'), payload.find('resource.title') ?? ''];
    return note(
      requestTopic(repositoryOf(delivery), number, title),
      changed({
        person: payload.text('resource.createdBy.displayName'),
        action,
        kind: 'PR',
        number,
        title,
        url: `${homeOf(delivery)}/pullrequest/${number}`,
        isTitled: delivery.isTitled,
        head: refName(payload.find('resource.sourceRefName') ?? ''),
        base: refName(payload.find('resource.targetRefName') ?? ''),
        reviewers: isDescribed
          ? payload.list('resource.reviewers').flatMap((reviewer) => reviewer.find('displayName') ?? [])
          : [],
        text: isDescribed ? payload.find('resource.description') : undefined,
      }),
    );
  };

const merged = (delivery: Delivery): Said => {
  const isDone =
    delivery.payload.find('resource.status') === 'completed' &&
    delivery.payload.find('resource.mergeStatus') === 'succeeded';
  return isDone ? request('merged', false)(delivery) : undefined;
};

export const azuredevops: Integration = {
  slug: 'azuredevops',
  displayName: 'Azure DevOps',
  clientName: 'AzureDevOps',
  categories: ['version-control'],
  setup: 'In the project: **Project settings**, **Service hooks**, **Create subscription**, **Web Hooks**.',
  body: 'json',
  options: { branches: { kind: 'text', label: '' } },
  eventOf: ({ payload }) => payload.text('eventType'),
  events: {
    'git.push': pushed,
    'git.pullrequest.created': request('created', true),
    'git.pullrequest.updated': request('updated', false),
    'git.pullrequest.merged': merged,
  },
};
