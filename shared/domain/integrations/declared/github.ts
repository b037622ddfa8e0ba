import {
  branchTopic,
  type Change,
  changed,
  commentedOnCommit,
  createdBranch,
  issueTopic,
  labeled,
  namesOf,
  note,
  push,
  pushedTag,
  refName,
  requestTopic,
  wantsBranch,
} from '../git.ts';
import type { Delivery, Integration, Note, Said } from '../integration.ts';
import type { Payload } from '../payload.ts';
import {
  bold,
  bullets,
  capitalized,
  configured,
  inline,
  link,
  paragraphs,
  quote,
  sentence,
  shortHash,
  words,
} from '../words.ts';

const repositoryOf = ({ payload }: Delivery): string =>
  payload.find('repository.name') ?? payload.find('organization.login') ?? 'GitHub';
const personOf = ({ payload }: Delivery): string => payload.text('sender.login');
const person = (delivery: Delivery): string => inline(personOf(delivery));
const actionOf = ({ payload }: Delivery): string => payload.text('action').replaceAll('_', ' ');
const said = (delivery: Delivery, content: string): Note => note(repositoryOf(delivery), content);

/** A private repository may be left out by the address. */
const unlessPrivate =
  (describe: (delivery: Delivery) => Said) =>
  (delivery: Delivery): Said =>
    delivery.isOn('ignore_private_repositories') && delivery.payload.is('repository.private')
      ? undefined
      : describe(delivery);

/* Pull requests */

const requestOf = ({ payload }: Delivery) => ({
  number: payload.text('pull_request.number'),
  title: payload.find('pull_request.title') ?? '',
  url: payload.find('pull_request.html_url'),
});

const inRequest = (delivery: Delivery, content: string): Note => {
  const { number, title } = requestOf(delivery);
  return note(requestTopic(repositoryOf(delivery), number, title), content);
};

const requestChanged = (delivery: Delivery, action: string, more: Partial<Change> = {}): Note =>
  inRequest(
    delivery,
    changed({
      ...requestOf(delivery),
      person: personOf(delivery),
      action,
      kind: 'PR',
      isTitled: delivery.isTitled,
      ...more,
    }),
  );

const subjectOfRequest = (delivery: Delivery): string => {
  const { number, title, url } = requestOf(delivery);
  return link(`PR #${number}${delivery.isTitled ? ` ${title}` : ''}`, url);
};

const openedRequest = (delivery: Delivery): Note => {
  const { payload } = delivery;
  return requestChanged(delivery, actionOf(delivery), {
    head: payload.find('pull_request.head.label') ?? payload.find('pull_request.head.ref'),
    base: payload.find('pull_request.base.label') ?? payload.find('pull_request.base.ref'),
    assignees: namesOf(payload.list('pull_request.assignees'), 'login'),
    text: payload.find('pull_request.body'),
  });
};

const updatedRequest = (delivery: Delivery): Note =>
  requestChanged(delivery, 'updated', {
    text: delivery.payload.has('changes.body') ? delivery.payload.find('pull_request.body') : undefined,
  });

const closedRequest = (delivery: Delivery): Note =>
  requestChanged(delivery, delivery.payload.is('pull_request.merged') ? 'merged' : 'closed without merge');

const assignedRequest = (delivery: Delivery): Note => {
  const action = actionOf(delivery);
  const name = delivery.payload.find('assignee.login');
  const assigned = name && `${inline(name)} ${action === 'assigned' ? 'to' : 'from'}`;
  return requestChanged(delivery, action, { assigned });
};

function reviewRequested(delivery: Delivery): Note {
  const { payload } = delivery;
  const who =
    ['requested_reviewer', 'requested_team'].find((field) => payload.has(field)) ?? 'requested_reviewer';
  const name = payload.oneOf(`${who}.login`, `${who}.name`);
  const reviewer = link(name, payload.find(`${who}.html_url`));
  return inRequest(
    delivery,
    sentence(
      `${bold(personOf(delivery))} requested ${reviewer} for a review on ${subjectOfRequest(delivery)}`,
    ),
  );
}

const lockedRequest = (delivery: Delivery): Note => {
  const reason = delivery.payload.find('pull_request.active_lock_reason');
  const because = actionOf(delivery) === 'locked' && reason ? ` as ${inline(reason)}` : '';
  return inRequest(
    delivery,
    sentence(`${person(delivery)} has ${actionOf(delivery)} ${subjectOfRequest(delivery)}${because}`),
  );
};

const autoMerge = (delivery: Delivery): Note => {
  const state = actionOf(delivery) === 'auto merge enabled' ? 'enabled' : 'disabled';
  return inRequest(
    delivery,
    sentence(`${person(delivery)} ${state} auto merge for ${subjectOfRequest(delivery)}`),
  );
};

const queued = (delivery: Delivery): Note => {
  const did = actionOf(delivery) === 'enqueued' ? 'added' : 'removed';
  const way = did === 'added' ? 'to' : 'from';
  return inRequest(
    delivery,
    sentence(`${person(delivery)} ${did} ${subjectOfRequest(delivery)} ${way} the merge queue`),
  );
};

const requestLabeled = (delivery: Delivery): Note =>
  inRequest(delivery, labeledIn(delivery, subjectOfRequest(delivery)));

const requestMilestoned = (delivery: Delivery): Note =>
  inRequest(delivery, milestonedIn(delivery, subjectOfRequest(delivery)));

const review = (delivery: Delivery): Said => {
  const { payload } = delivery;
  if (
    payload.find('action') === 'edited' &&
    payload.entries('changes').length === 0 &&
    !payload.has('changes.body')
  )
    return undefined;
  const did = payload.find('action') === 'dismissed' ? 'dismissed' : 'submitted';
  return inRequest(
    delivery,
    sentence(
      `${person(delivery)} ${did} ${link('PR review', payload.find('review.html_url'))}${delivery.isTitled ? ` for ${subjectOfRequest(delivery)}` : ''}`,
      payload.find('review.body'),
    ),
  );
};

const reviewComment = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const action = payload.text('action');
  const text = action === 'created' ? payload.find('comment.body') : undefined;
  return inRequest(
    delivery,
    sentence(
      `${person(delivery)} ${action} ${link('PR review comment', payload.find('comment.html_url'))}${delivery.isTitled ? ` on ${subjectOfRequest(delivery)}` : ''}`,
      text,
    ),
  );
};

/* Issues */

const issueOf = ({ payload }: Delivery) => ({
  number: payload.text('issue.number'),
  title: payload.find('issue.title') ?? '',
  url: payload.find('issue.html_url'),
});

const inIssue = (delivery: Delivery, content: string): Note => {
  const { number, title } = issueOf(delivery);
  const toTopic = delivery.payload.has('issue.pull_request') ? requestTopic : issueTopic;
  return note(toTopic(repositoryOf(delivery), number, title), content);
};

const kindOfIssue = ({ payload }: Delivery): string => (payload.has('issue.pull_request') ? 'PR' : 'issue');

const subjectOfIssue = (delivery: Delivery): string => {
  const { number, title, url } = issueOf(delivery);
  return link(`${kindOfIssue(delivery)} #${number}${delivery.isTitled ? ` ${title}` : ''}`, url);
};

function issue(delivery: Delivery): Note {
  const { payload } = delivery;
  const action = actionOf(delivery);
  const name = payload.find('assignee.login');
  const isAssignment = action === 'assigned' || action === 'unassigned';
  const assigned =
    isAssignment && name ? `${inline(name)} ${action === 'assigned' ? 'to' : 'from'}` : undefined;
  const isNew = action === 'opened' || (action === 'edited' && payload.has('changes.body'));
  return inIssue(
    delivery,
    changed({
      ...issueOf(delivery),
      person: personOf(delivery),
      action,
      kind: 'issue',
      isTitled: delivery.isTitled,
      assigned,
      assignees: action === 'opened' ? namesOf(payload.list('issue.assignees'), 'login') : [],
      text: isNew ? payload.find('issue.body') : undefined,
    }),
  );
}

const labeledIn = (delivery: Delivery, subject: string): string =>
  labeled(
    personOf(delivery),
    delivery.payload.find('sender.html_url'),
    actionOf(delivery) === 'labeled',
    delivery.payload.text('label.name'),
    subject,
  );

const milestonedIn = (delivery: Delivery, subject: string): string => {
  const isAdded = actionOf(delivery) === 'milestoned';
  const milestone = link(
    delivery.payload.text('milestone.title'),
    delivery.payload.find('milestone.html_url'),
  );
  const who = link(personOf(delivery), delivery.payload.find('sender.html_url'));
  return `${who} ${isAdded ? 'added' : 'removed'} milestone ${milestone} ${isAdded ? 'to' : 'from'} ${subject}.`;
};

const transferredIssue = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const target = link(
    `${payload.find('changes.new_repository.full_name') ?? 'another repository'}#${payload.find('changes.new_issue.number') ?? ''}`,
    payload.find('changes.new_issue.html_url'),
  );
  return inIssue(
    delivery,
    sentence(`${person(delivery)} transferred ${subjectOfIssue(delivery)} to ${target}`),
  );
};

const issueByTransfer = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const source = link(
    `${payload.find('changes.old_repository.full_name') ?? 'another repository'}#${payload.find('changes.old_issue.number') ?? ''}`,
    payload.find('changes.old_issue.html_url'),
  );
  return inIssue(
    delivery,
    sentence(`${subjectOfIssue(delivery)} was transferred from ${source}`, payload.find('issue.body')),
  );
};

const issueComment = (delivery: Delivery): Said => {
  const { payload } = delivery;
  const action = payload.text('action');
  const before = payload.find('changes.body.from');
  if (action === 'edited' && (before ?? payload.find('comment.body')) === payload.find('comment.body'))
    return undefined;
  const url = payload.find('comment.html_url');
  const did =
    action === 'created' ? `${link('commented', url)} on` : `${action} a ${link('comment', url)} on`;
  return inIssue(
    delivery,
    sentence(
      `${person(delivery)} ${did} ${subjectOfIssue(delivery)}`,
      action === 'deleted' ? undefined : payload.find('comment.body'),
    ),
  );
};

/* The repository */

const pushCommits = (delivery: Delivery): Said => {
  const { payload } = delivery;
  const branch = refName(payload.text('ref'));
  if (!wantsBranch(delivery, branch)) return undefined;
  const isNamed = delivery.isOn('include_repository_name');
  const content = push({
    person: payload.find('sender.login') ?? payload.text('pusher.name'),
    branch,
    url: payload.find('compare'),
    commits: payload.list('commits').map(commitOf),
    count: payload.count('commits'),
    isForced: payload.is('forced'),
    isDeleted: payload.is('deleted'),
    of: isNamed ? link(payload.text('repository.full_name'), payload.find('repository.html_url')) : undefined,
  });
  return note(branchTopic(repositoryOf(delivery), branch), content);
};

const commitOf = (commit: Payload) => ({
  author: commit.find('author.username') ?? commit.find('author.name') ?? 'someone',
  message: commit.find('message') ?? '',
  hash: commit.text('id'),
  url: commit.find('url'),
});

const pushTags = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const name = payload.find('sender.login') ?? payload.text('pusher.name');
  const tag = refName(payload.text('ref'));
  return payload.is('deleted')
    ? said(delivery, pushedTag(name, tag, undefined, 'removed'))
    : said(delivery, pushedTag(name, tag, payload.find('compare')));
};

const created = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const ref = payload.text('ref');
  const tree = `${payload.find('repository.html_url') ?? ''}/tree/${ref}`;
  return payload.text('ref_type') === 'tag'
    ? said(delivery, pushedTag(personOf(delivery), ref, undefined, 'created'))
    : note(branchTopic(repositoryOf(delivery), ref), createdBranch(personOf(delivery), ref, tree));
};

const deleted = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const ref = payload.text('ref');
  return payload.text('ref_type') === 'tag'
    ? said(delivery, pushedTag(personOf(delivery), ref, undefined, 'removed'))
    : note(branchTopic(repositoryOf(delivery), ref), `${person(delivery)} deleted branch ${inline(ref)}.`);
};

const commitLink = (delivery: Delivery, hash: string): string =>
  link(shortHash(hash), `${delivery.payload.find('repository.html_url') ?? ''}/commit/${hash}`);

const commitComment = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const hash = payload.text('comment.commit_id');
  return said(
    delivery,
    commentedOnCommit(
      personOf(delivery),
      payload.find('comment.html_url'),
      commitLink(delivery, hash),
      payload.text('comment.body'),
    ),
  );
};

const deploymentTopic = (delivery: Delivery, content: string): Note =>
  note(
    `${repositoryOf(delivery)} / Deployment on ${delivery.payload.text('deployment.environment')}`,
    content,
  );

const status = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const hash = commitLink(delivery, payload.text('sha'));
  return said(
    delivery,
    sentence(`${hash} changed its status to ${link(payload.text('state'), payload.find('target_url'))}`),
  );
};

const checkRun = (delivery: Delivery): Said => {
  const { payload } = delivery;
  if (payload.text('check_run.status') !== 'completed') return undefined;
  const check = link(payload.text('check_run.name'), payload.find('check_run.html_url'));
  const hash = commitLink(delivery, payload.text('check_run.head_sha'));
  const conclusion = inline(payload.find('check_run.conclusion') ?? 'no conclusion');
  return note(`${repositoryOf(delivery)} / checks`, `Check ${check} completed (${conclusion}). (${hash})`);
};

const pageBuild = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const state = payload.find('build.status') ?? 'null';
  const saying: Record<string, string> = {
    null: 'has yet to be built',
    building: 'is being built',
    built: 'was built',
    errored: 'could not be built',
  };
  return said(
    delivery,
    sentence(
      `The GitHub Pages site of ${person(delivery)} ${Object.hasOwn(saying, state) ? saying[state] : inline(state)}`,
      payload.find('build.error.message'),
    ),
  );
};

const wiki = (delivery: Delivery): Note =>
  note(
    `${repositoryOf(delivery)} / wiki pages`,
    paragraphs(
      `${person(delivery)}:`,
      bullets(
        delivery.payload
          .list('pages')
          .map((page) => `${inline(page.text('action'))} ${link(page.text('title'), page.find('html_url'))}`),
      ),
    ),
  );

const release = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const name = payload.find('release.name') ?? payload.text('release.tag_name');
  return said(
    delivery,
    `${person(delivery)} ${actionOf(delivery)} release ${link(name, payload.find('release.html_url'))} for tag ${inline(payload.text('release.tag_name'))}.`,
  );
};

const team = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const name = payload.text('team.name');
  const lines = [
    payload.has('changes.name') &&
      `the name of the team from ${bold(payload.find('changes.name.from') ?? '')} to ${bold(name)}`,
    payload.has('changes.description') &&
      `the description of the team to:\n${quote(payload.find('team.description') ?? '(none)')}`,
    payload.has('changes.privacy') &&
      `the visibility of the team to ${bold(payload.find('team.privacy') ?? '')}`,
  ].filter((value) => value !== false);
  const changes = lines.length === 0 ? 'the team' : lines.join('; and ');
  return note(`team ${name}`, `${person(delivery)} changed ${changes}${changes.endsWith('~') ? '' : '.'}`);
};

/* Discussions */

const inDiscussion = (delivery: Delivery, content: string): Note => {
  const { payload } = delivery;
  const title = payload.find('discussion.title') ?? '';
  return note(
    `${repositoryOf(delivery)} discussion #${payload.text('discussion.number')}: ${title}`,
    content,
  );
};

function discussion(delivery: Delivery): Note {
  const { payload } = delivery;
  const action = actionOf(delivery);
  const subject = link(
    `discussion #${payload.text('discussion.number')}`,
    payload.find('discussion.html_url'),
  );
  const plain = `${person(delivery)} ${action} ${subject}`;
  const detail: Record<string, () => string> = {
    created: () =>
      sentence(
        `${plain} in ${inline(payload.find('discussion.category.name') ?? 'discussions')}`,
        payload.find('discussion.body'),
      ),
    closed: () => sentence(words(plain, reason(payload.find('discussion.state_reason')))),
    locked: () => sentence(words(plain, reason(payload.find('discussion.active_lock_reason')))),
    labeled: () =>
      sentence(`${person(delivery)} added the ${inline(payload.text('label.name'))} label to ${subject}`),
    unlabeled: () =>
      sentence(`${person(delivery)} removed the ${inline(payload.text('label.name'))} label from ${subject}`),
    'category changed': () =>
      sentence(`${person(delivery)} moved ${subject} to ${inline(payload.text('discussion.category.name'))}`),
    transferred: () =>
      sentence(
        `${plain} to ${link(payload.find('changes.new_repository.full_name') ?? 'another repository', payload.find('changes.new_discussion.html_url'))}`,
      ),
    answered: () =>
      sentence(
        `${person(delivery)} marked an ${link('answer', payload.find('answer.html_url'))} of ${subject}`,
        payload.find('answer.body'),
      ),
    unanswered: () =>
      sentence(
        `${person(delivery)} unmarked an ${link('answer', payload.find('old_answer.html_url'))} of ${subject}`,
        payload.find('old_answer.body'),
      ),
    edited: () =>
      payload.has('changes.title')
        ? sentence(
            `${person(delivery)} changed the title of ${subject} to ${bold(payload.text('discussion.title'))}`,
          )
        : sentence(`${person(delivery)} edited the text of ${subject}`, payload.find('discussion.body')),
  };
  const describe = Object.hasOwn(detail, action) ? detail[action] : undefined;
  return inDiscussion(delivery, describe ? describe() : sentence(plain));
}

const reason = (text: string | undefined): string =>
  text === undefined ? '' : `(${inline(text.replaceAll('_', ' '))})`;

const discussionComment = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const action = payload.text('action');
  const url = payload.find('comment.html_url');
  const subject = link(
    `discussion #${payload.text('discussion.number')}`,
    payload.find('discussion.html_url'),
  );
  const did =
    action === 'created' ? `${link('commented', url)} on` : `${action} a ${link('comment', url)} on`;
  return inDiscussion(
    delivery,
    sentence(
      `${person(delivery)} ${did} ${subject}`,
      action === 'deleted' ? undefined : payload.find('comment.body'),
    ),
  );
};

/* Sponsors */

const sponsors = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const who = inline(payload.oneOf('sponsorship.sponsor.login', 'sender.login'));
  const tier = inline(payload.find('sponsorship.tier.name') ?? 'an unknown tier');
  const before = payload.find('changes.tier.from.name');
  const changes = before === undefined ? tier : `${inline(before)} to ${tier}`;
  const date = payload.find('effective_date');
  const from = date === undefined ? '' : ` from ${inline(date)}`;
  const saying: Record<string, string> = {
    created: `${who} became a sponsor of the tier ${tier}`,
    cancelled: `${who} cancelled the sponsorship of the tier ${tier}`,
    edited: `${who} changed the visibility of the sponsorship`,
    'pending cancellation': `${who} will cancel the sponsorship of the tier ${tier}${from}`,
    'pending tier change': `${who} will change the tier of the sponsorship: ${changes}${from}`,
    'tier changed': `${who} changed the tier of the sponsorship: ${changes}`,
  };
  const action = actionOf(delivery);
  return note(
    'sponsors',
    sentence(
      Object.hasOwn(saying, action) ? (saying[action] ?? '') : `${who} ${inline(action)} a sponsorship`,
    ),
  );
};

const sentenceIn = (describe: (delivery: Delivery) => string) => (delivery: Delivery) =>
  said(delivery, sentence(describe(delivery)));

const repositoryLink = ({ payload }: Delivery): string =>
  link(payload.text('repository.full_name'), payload.find('repository.html_url'));

/** Headers whose value is the name of the event. */
const plainEvents: Record<string, (delivery: Delivery) => Said> = {
  commit_comment: commitComment,
  create: created,
  delete: deleted,
  deployment: (delivery) => deploymentTopic(delivery, `${person(delivery)} created a new deployment.`),
  deployment_status: (delivery) =>
    deploymentTopic(
      delivery,
      sentence(
        `Deployment changed its status to ${inline(delivery.payload.text('deployment_status.state'))}`,
      ),
    ),
  discussion,
  discussion_comment: discussionComment,
  fork: sentenceIn((delivery) => {
    const fork = link(delivery.payload.text('forkee.full_name'), delivery.payload.find('forkee.html_url'));
    return `${person(delivery)} forked ${fork}`;
  }),
  gollum: wiki,
  issue_comment: issueComment,
  member: sentenceIn(
    (delivery) =>
      `${person(delivery)} ${actionOf(delivery)} ${link(delivery.payload.text('member.login'), delivery.payload.find('member.html_url'))} ${actionOf(delivery) === 'removed' ? 'from' : 'to'} ${repositoryLink(delivery)}`,
  ),
  membership: (delivery) => {
    const { payload } = delivery;
    const way = actionOf(delivery) === 'added' ? 'to' : 'from';
    const who = link(payload.text('member.login'), payload.find('member.html_url'));
    return note(
      `${payload.text('organization.login')} organization`,
      sentence(
        `${person(delivery)} ${actionOf(delivery)} ${who} ${way} the ${inline(payload.text('team.name'))} ${inline(payload.find('scope') ?? 'team')}`,
      ),
    );
  },
  page_build: pageBuild,
  ping: (delivery) => said(delivery, configured('GitHub', delivery.payload.find('sender.login'))),
  public: sentenceIn(
    (delivery) => `${person(delivery)} made the repository ${repositoryLink(delivery)} public`,
  ),
  pull_request_review: review,
  pull_request_review_comment: reviewComment,
  release,
  repository: sentenceIn(
    (delivery) => `${person(delivery)} ${actionOf(delivery)} the repository ${repositoryLink(delivery)}`,
  ),
  star: sentenceIn((delivery) => {
    const did = actionOf(delivery) === 'created' ? 'starred' : 'unstarred';
    return `${link(personOf(delivery), delivery.payload.find('sender.html_url'))} ${did} the repository ${repositoryLink(delivery)}`;
  }),
  status,
  team_add: sentenceIn(
    (delivery) =>
      `The repository ${repositoryLink(delivery)} was added to the team ${link(delivery.payload.text('team.name'), delivery.payload.find('team.html_url'))}`,
  ),
  watch: sentenceIn((delivery) => `${person(delivery)} starred the repository ${repositoryLink(delivery)}`),
  check_run: checkRun,
};

/** Which event an action of pull requests is; the others are ignored. */
const requestEvents: Record<string, string> = {
  opened: 'opened_pull_request',
  reopened: 'opened_pull_request',
  synchronize: 'updated_pull_request',
  edited: 'updated_pull_request',
  assigned: 'assigned_or_unassigned_pull_request',
  unassigned: 'assigned_or_unassigned_pull_request',
  closed: 'closed_pull_request',
  review_requested: 'pull_request_review_requested',
  ready_for_review: 'pull_request_ready_for_review',
  locked: 'locked_or_unlocked_pull_request',
  unlocked: 'locked_or_unlocked_pull_request',
  auto_merge_enabled: 'pull_request_auto_merge',
  auto_merge_disabled: 'pull_request_auto_merge',
  labeled: 'pull_request_labeled_or_unlabeled',
  unlabeled: 'pull_request_labeled_or_unlabeled',
  milestoned: 'pull_request_milestoned_or_demilestoned',
  demilestoned: 'pull_request_milestoned_or_demilestoned',
  enqueued: 'pull_request_enqueued_or_dequeued',
  dequeued: 'pull_request_enqueued_or_dequeued',
  approved: 'pull_request:other',
  converted_to_draft: 'pull_request:other',
  review_request_removed: 'pull_request:other',
};

const issueEvents: Record<string, string> = {
  labeled: 'issue_labeled_or_unlabeled',
  unlabeled: 'issue_labeled_or_unlabeled',
  milestoned: 'issue_milestoned_or_demilestoned',
  demilestoned: 'issue_milestoned_or_demilestoned',
  transferred: 'issues_transferred',
};

const own = <Value>(values: Record<string, Value>, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

const teamActions = ['added_to_repository', 'created', 'deleted', 'removed_from_repository'];

/** The events of those names whose action, or ref, decides between several. */
const eventsByName: Record<string, (payload: Payload, action: string) => string> = {
  pull_request: (_payload, action) => own(requestEvents, action) ?? `pull_request:${action}`,
  issues: (payload, action) =>
    action === 'opened' && payload.has('changes.old_issue')
      ? 'issues_opened_via_transfer'
      : (own(issueEvents, action) ?? 'issues'),
  push: (payload) => pushEventOf(payload.text('ref')),
  team: (_payload, action) => {
    if (action === 'edited') return 'team';
    return teamActions.includes(action) ? 'team:other' : `team:${action}`;
  },
  sponsorship: (_payload, action) => action,
};

function pushEventOf(ref: string): string {
  if (ref.startsWith('refs/heads/gh-readonly-queue/')) return 'merge_queue';
  return ref.startsWith('refs/heads/') ? 'push_commits' : 'push_tags';
}

function eventOf({ payload, header }: Delivery): string {
  const name = header('x-github-event') ?? '';
  const action = payload.find('action') ?? '';
  const decide = own(eventsByName, name);
  if (decide) return decide(payload, action);
  return Object.hasOwn(plainEvents, name) || ignored.includes(name) ? name : `${name}:${action}`;
}

const ignored = [
  'check_suite',
  'label',
  'merge_queue',
  'meta',
  'milestone',
  'organization',
  'project_card',
  'pull_request:other',
  'repository_vulnerability_alert',
  'team:other',
];

const events: Record<string, (delivery: Delivery) => Said> = {
  ...plainEvents,
  assigned_or_unassigned_pull_request: assignedRequest,
  closed_pull_request: closedRequest,
  issue_labeled_or_unlabeled: (delivery) =>
    inIssue(delivery, labeledIn(delivery, capitalizedLink(subjectOfIssue(delivery)))),
  issue_milestoned_or_demilestoned: (delivery) =>
    inIssue(delivery, milestonedIn(delivery, subjectOfIssue(delivery))),
  issues: issue,
  issues_opened_via_transfer: issueByTransfer,
  issues_transferred: transferredIssue,
  locked_or_unlocked_pull_request: lockedRequest,
  opened_pull_request: openedRequest,
  pull_request_auto_merge: autoMerge,
  pull_request_enqueued_or_dequeued: queued,
  pull_request_labeled_or_unlabeled: requestLabeled,
  pull_request_milestoned_or_demilestoned: requestMilestoned,
  pull_request_ready_for_review: (delivery) =>
    inRequest(
      delivery,
      `${bold(personOf(delivery))} has marked ${subjectOfRequest(delivery)} as ready for review.`,
    ),
  pull_request_review_requested: reviewRequested,
  push_commits: pushCommits,
  push_tags: pushTags,
  team,
  cancelled: sponsors,
  created: sponsors,
  edited: sponsors,
  pending_cancellation: sponsors,
  pending_tier_change: sponsors,
  tier_changed: sponsors,
  updated_pull_request: updatedRequest,
};

const capitalizedLink = (text: string): string =>
  text.replace(/^\[./, (start) => `[${capitalized(start.slice(1))}`);

export const github: Integration = {
  slug: 'github',
  displayName: 'GitHub',
  clientName: 'GitHub',
  categories: ['version-control', 'continuous-integration'],
  setup:
    'In the repository or organization: **Settings**, **Webhooks**, **Add webhook**. Content type `application/json`.',
  body: 'either',
  eventHeader: 'X-GitHub-Event',
  deliveryIds: ['x-github-delivery'],
  signature: { header: 'x-hub-signature-256', scheme: 'hex', prefix: 'sha256=' },
  options: {
    branches: { kind: 'text', label: '' },
    ignore_private_repositories: { kind: 'boolean', label: 'Leave out private repositories' },
    include_repository_name: { kind: 'boolean', label: 'Name the repository in pushes' },
  },
  eventOf,
  events: Object.fromEntries(
    Object.entries(events).map(([name, describe]) => [name, unlessPrivate(describe)]),
  ),
  ignored,
};
