import {
  branchTopic,
  type Change,
  changed,
  commentedOnCommit,
  issueTopic,
  note,
  push,
  pushedTag,
  requestTopic,
  wantsBranch,
} from '../git.ts';
import type { Delivery, Integration, Note, Said } from '../integration.ts';
import { type Payload, UnexpectedPayload } from '../payload.ts';
import { bold, inline, link, paragraphs, sentence, shortHash } from '../words.ts';

const repositoryOf = ({ payload }: Delivery): string => payload.text('repository.name');
const homeOf = ({ payload }: Delivery): string => payload.find('repository.links.html.href') ?? '';

const nameOf = (person: Payload): string =>
  person.find('display_name') ?? person.find('nickname') ?? 'Unknown user';
const personOf = ({ payload }: Delivery): string => nameOf(payload.at('actor'));

function pushed(delivery: Delivery): Note[] {
  return delivery.payload.list('push.changes').flatMap((change) => pushedRef(delivery, change) ?? []);
}

function pushedRef(delivery: Delivery, change: Payload): Note | undefined {
  const isRemoved = !change.has('new');
  const ref = change.at(isRemoved ? 'old' : 'new');
  const name = ref.text('name');
  const person = personOf(delivery);
  if (ref.find('type') === 'tag')
    return note(
      repositoryOf(delivery),
      pushedTag(
        person,
        name,
        isRemoved ? undefined : ref.find('links.html.href'),
        isRemoved ? 'removed' : 'pushed',
      ),
    );
  if (!wantsBranch(delivery, name)) return undefined;
  return note(branchTopic(repositoryOf(delivery), name), pushedBranch(delivery, change, name, isRemoved));
}

function pushedBranch(delivery: Delivery, change: Payload, branch: string, isRemoved: boolean): string {
  const person = personOf(delivery);
  const url = change.find('links.html.href');
  if (isRemoved) return `${inline(person)} deleted branch ${inline(branch)}.`;
  if (change.is('forced')) {
    const head = change.find('new.target.hash');
    return sentence(
      `${inline(person)} ${link('force pushed', url)} to branch ${inline(branch)}, head is now ${shortHash(inline(head ?? 'unknown'))}`,
    );
  }
  return push({
    person,
    branch,
    url,
    commits: change.list('commits').map((commit) => ({
      author:
        commit.find('author.user.display_name') ??
        commit.find('author.user.nickname') ??
        commit.find('author.raw') ??
        'someone',
      message: commit.find('message') ?? '',
      hash: commit.text('hash'),
      url: commit.find('links.html.href'),
    })),
  });
}

const fork = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const target = link(payload.text('fork.full_name'), payload.find('fork.links.html.href'));
  return note(
    repositoryOf(delivery),
    sentence(`${inline(personOf(delivery))} forked the repository into ${target}`),
  );
};

const commitComment = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const hash = payload.text('commit.hash');
  return note(
    repositoryOf(delivery),
    commentedOnCommit(
      personOf(delivery),
      payload.find('comment.links.html.href'),
      link(shortHash(hash), payload.find('commit.links.html.href')),
      payload.text('comment.content.raw'),
    ),
  );
};

const commitStatus = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const status = payload.at('commit_status');
  const hash = (status.find('links.commit.href') ?? '').split('/').at(-1) ?? '';
  const what = link(`System ${status.text('key')}`, status.find('url'));
  const commit = link(shortHash(hash), `${homeOf(delivery)}/commits/${hash}`);
  return note(
    repositoryOf(delivery),
    sentence(`${what} changed the status of ${commit} to ${inline(status.text('state'))}`),
  );
};

const issue =
  (action: (delivery: Delivery) => string, text?: (payload: Payload) => string | undefined) =>
  (delivery: Delivery): Note => {
    const { payload } = delivery;
    const [number, title] = [payload.text('issue.id'), payload.find('issue.title') ?? ''];
    const assignee = payload.has('issue.assignee') ? nameOf(payload.at('issue.assignee')) : undefined;
    return note(
      issueTopic(repositoryOf(delivery), number, title),
      changed({
        person: personOf(delivery),
        action: action(delivery),
        kind: 'issue',
        number,
        title,
        url: payload.find('issue.links.html.href'),
        isTitled: delivery.isTitled,
        assignees: text && assignee ? [assignee] : [],
        text: text?.(payload),
      }),
    );
  };

const request =
  (action: (delivery: Delivery) => string, details: (delivery: Delivery) => Partial<Change> = () => ({})) =>
  (delivery: Delivery): Note => {
    const { payload } = delivery;
    const [number, title] = [payload.text('pullrequest.id'), payload.find('pullrequest.title') ?? ''];
    return note(
      requestTopic(repositoryOf(delivery), number, title),
      changed({
        person: personOf(delivery),
        action: action(delivery),
        kind: 'PR',
        number,
        title,
        url: payload.find('pullrequest.links.html.href'),
        isTitled: delivery.isTitled,
        ...details(delivery),
      }),
    );
  };

const branches = ({ payload }: Delivery) => ({
  head: payload.find('pullrequest.source.branch.name'),
  base: payload.find('pullrequest.destination.branch.name'),
});

const firstReviewer = ({ payload }: Delivery): string[] =>
  payload.list('pullrequest.reviewers').slice(0, 1).map(nameOf);

const requestComment = (action: string) =>
  request(
    ({ payload }) => {
      const url = payload.find('comment.links.html.href');
      return action === 'commented'
        ? `${link('commented', url)} on`
        : `${action} a ${link('comment', url)} on`;
    },
    ({ payload }) => ({ text: action === 'deleted' ? undefined : payload.find('comment.content.raw') }),
  );

/** A sentence for each changed property. */
function repositoryUpdated(delivery: Delivery): Note {
  const { payload } = delivery;
  const names = ['website', 'name', 'links', 'language', 'full_name', 'description'];
  const lines = names.flatMap((name) => {
    const [before, after] = [payload.find(`changes.${name}.old`), payload.find(`changes.${name}.new`)];
    if (before === undefined && after === undefined) return [];
    return `${inline(personOf(delivery))} changed the ${name.replace('_', ' ')} of the **${inline(repositoryOf(delivery))}** repo from ${bold(before ?? '(none)')} to ${bold(after ?? '(none)')}.`;
  });
  return note(repositoryOf(delivery), paragraphs(...lines));
}

const requestEvents: Record<string, (delivery: Delivery) => Said> = {
  approved: request(() => 'approved'),
  unapproved: request(() => 'unapproved'),
  created: request(
    () => 'created',
    (delivery) => ({
      ...branches(delivery),
      assignees: firstReviewer(delivery),
      text: delivery.payload.find('pullrequest.description'),
    }),
  ),
  updated: request(
    () => 'updated',
    (delivery) => ({
      ...branches(delivery),
      assignees: firstReviewer(delivery),
      text: delivery.payload.find('pullrequest.description'),
    }),
  ),
  rejected: request(() => 'rejected'),
  fulfilled: request(() => 'merged', branches),
  comment_created: requestComment('commented'),
  comment_updated: requestComment('updated'),
  comment_deleted: requestComment('deleted'),
};

function eventOf({ payload, header }: Delivery): string {
  const key = header('x-event-key') ?? '';
  if (payload.has('push')) return 'push';
  if (payload.has('fork')) return 'fork';
  if (payload.has('comment') && payload.has('commit')) return 'commit_comment';
  if (payload.has('commit_status')) return 'change_commit_status';
  if (payload.has('issue')) {
    if (payload.has('changes')) return 'issue_updated';
    return payload.has('comment') ? 'issue_commented' : 'issue_created';
  }
  if (payload.has('pullrequest')) return `pull_request_${key.replace('pullrequest:', '')}`;
  if (key === 'repo:updated' || payload.has('changes')) return 'repo:updated';
  throw new UnexpectedPayload('event');
}

export const bitbucket2: Integration = {
  slug: 'bitbucket2',
  displayName: 'Bitbucket',
  clientName: 'Bitbucket2',
  categories: ['version-control'],
  setup: 'In the repository: **Repository settings**, **Webhooks**, **Add webhook**.',
  body: 'json',
  encodesTwice: true,
  deliveryIds: ['x-request-uuid'],
  signature: { header: 'x-hub-signature', scheme: 'hex', prefix: 'sha256=' },
  options: { branches: { kind: 'text', label: '' } },
  eventOf,
  events: {
    push: pushed,
    fork,
    commit_comment: commitComment,
    change_commit_status: commitStatus,
    issue_updated: issue(() => 'updated'),
    issue_commented: issue(
      ({ payload }) => `${link('commented', payload.find('comment.links.html.href'))} on`,
      (payload) => payload.find('comment.content.raw'),
    ),
    issue_created: issue(
      () => 'created',
      (payload) => payload.find('issue.content.raw'),
    ),
    ...Object.fromEntries(
      Object.entries(requestEvents).map(([name, describe]) => [`pull_request_${name}`, describe]),
    ),
    'repo:updated': repositoryUpdated,
  },
};
