import {
  branchTopic,
  changed,
  createdBranch,
  issueTopic,
  note,
  push,
  pushedTag,
  refName,
  requestTopic,
  wantsBranch,
} from './git.ts';
import type { Delivery, Note, Said } from './integration.ts';
import type { Payload } from './payload.ts';
import { inline, link, sentence } from './words.ts';

/** Gitea, Forgejo and Gogs send nearly the same. */

const repositoryOf = ({ payload }: Delivery): string => payload.text('repository.name');
const nameOf = (person: Payload): string => person.oneOf('username', 'login', 'full_name', 'name');
const personOf = ({ payload }: Delivery): string => nameOf(payload.at('sender'));

const authorOf = (commit: Payload): string =>
  commit.find('author.username') ?? commit.find('author.name')?.split(' ')[0] ?? 'someone';

function pushed(delivery: Delivery): Said {
  const { payload } = delivery;
  const branch = refName(payload.text('ref'));
  if (!wantsBranch(delivery, branch)) return undefined;
  return note(
    branchTopic(repositoryOf(delivery), branch),
    push({
      person: payload.has('sender') ? personOf(delivery) : nameOf(payload.at('pusher')),
      branch,
      url: payload.find('compare_url'),
      commits: payload.list('commits').map((commit) => ({
        author: authorOf(commit),
        message: commit.find('message') ?? '',
        hash: commit.text('id'),
        url: commit.find('url'),
      })),
      count: payload.findNumber('total_commits') ?? payload.count('commits'),
    }),
  );
}

const created = (delivery: Delivery): Note => {
  const ref = delivery.payload.text('ref');
  const home = delivery.payload.find('repository.html_url') ?? '';
  return delivery.payload.find('ref_type') === 'tag'
    ? note(repositoryOf(delivery), pushedTag(personOf(delivery), ref, undefined, 'created'))
    : note(
        branchTopic(repositoryOf(delivery), ref),
        createdBranch(personOf(delivery), ref, `${home}/src/${ref}`),
      );
};

/** Gogs names the branches themselves, Gitea the references. */
const branchesOf = ({ payload }: Delivery) => ({
  head: payload.find('pull_request.head.ref') ?? payload.find('pull_request.head_branch'),
  base: payload.find('pull_request.base.ref') ?? payload.find('pull_request.base_branch'),
});

function pullRequest(delivery: Delivery): Note {
  const { payload } = delivery;
  const [number, title] = [payload.text('pull_request.id'), payload.find('pull_request.title') ?? ''];
  const isMerged = payload.is('pull_request.merged');
  const action = payload.text('action');
  const isClosed = action === 'closed';
  const merger = payload.find('pull_request.merged_by.username');
  const isNew = action === 'opened';
  return note(
    requestTopic(repositoryOf(delivery), number, title),
    changed({
      person: isClosed && isMerged && merger ? merger : personOf(delivery),
      action: isClosed ? (isMerged ? 'merged' : 'closed') : action.replaceAll('_', ' '),
      kind: 'PR',
      number,
      title,
      url: payload.find('pull_request.html_url'),
      isTitled: delivery.isTitled,
      ...(isClosed && !isMerged ? {} : branchesOf(delivery)),
      assignees: isNew ? assigneeOf(payload.at('pull_request')) : [],
      text: isNew ? payload.find('pull_request.body') : undefined,
    }),
  );
}

const assigneeOf = (thing: Payload): string[] =>
  thing.has('assignee') ? [nameOf(thing.at('assignee'))] : [];

const subject = ({ payload }: Delivery) => ({
  number: payload.text('issue.number'),
  title: payload.find('issue.title') ?? '',
});

function issue(delivery: Delivery): Note {
  const { payload } = delivery;
  const { number, title } = subject(delivery);
  const action = payload.text('action');
  const home = payload.find('repository.html_url');
  return note(
    issueTopic(repositoryOf(delivery), number, title),
    changed({
      person: personOf(delivery),
      action: action.replaceAll('_', ' '),
      kind: 'issue',
      number,
      title,
      url: payload.find('issue.html_url') ?? (home && `${home}/issues/${number}`),
      isTitled: delivery.isTitled,
      assignees: assigneeOf(payload.at('issue')),
      text: action === 'opened' ? payload.find('issue.body') : undefined,
    }),
  );
}

function issueComment(delivery: Delivery): Note {
  const { payload } = delivery;
  const { number, title } = subject(delivery);
  const isRequest = payload.is('is_pull') || payload.has('issue.pull_request');
  const kind = isRequest ? 'PR' : 'issue';
  const action = payload.text('action');
  const url = payload.find('comment.html_url');
  const did =
    action === 'created' ? `${link('commented', url)} on` : `${action} a ${link('comment', url)} on`;
  const toTopic = isRequest ? requestTopic : issueTopic;
  return note(
    toTopic(repositoryOf(delivery), number, title),
    sentence(
      `${inline(personOf(delivery))} ${did} ${kind} #${number}${delivery.isTitled ? ` ${inline(title)}` : ''}`,
      payload.find('comment.body'),
    ),
  );
}

function release(delivery: Delivery): Note {
  const { payload } = delivery;
  const [tag, name] = [payload.text('release.tag_name'), payload.find('release.name') ?? ''];
  const url = payload.find('release.html_url') ?? payload.find('repository.html_url');
  return note(
    `${repositoryOf(delivery)} / ${tag} ${name}`,
    `${inline(personOf(delivery))} ${inline(payload.text('action'))} release ${link(name === '' ? tag : name, url)} for tag ${inline(tag)}.`,
  );
}

export const giteaEvents: Record<string, (delivery: Delivery) => Said> = {
  push: pushed,
  create: created,
  pull_request: pullRequest,
  issues: issue,
  issue_comment: issueComment,
  release,
};
