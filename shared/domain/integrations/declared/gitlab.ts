import {
  branchTopic,
  type Change,
  changed,
  commentedOnCommit,
  issueTopic,
  isZero,
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
  bullets,
  capitalized,
  configured,
  inline,
  line,
  link,
  sentence,
  shortHash,
  words,
} from '../words.ts';

const repositoryOf = ({ payload }: Delivery): string =>
  payload.find('project.name') ?? payload.find('repository.name') ?? payload.text('project_name');
const personOf = ({ payload }: Delivery): string => payload.oneOf('user.name', 'user_name');
const homeOf = ({ payload }: Delivery): string | undefined =>
  payload.find('project.web_url') ?? payload.find('repository.homepage') ?? payload.find('project.homepage');

/** With a topic of the address, the text begins with the project. */
const said = (delivery: Delivery, topic: string, content: string): Note =>
  note(
    topic,
    delivery.isTitled ? `\\[${link(repositoryOf(delivery), homeOf(delivery))}\\] ${content}` : content,
  );

const under = (delivery: Delivery, path: string): string => `${homeOf(delivery) ?? ''}/-/${path}`;

function pushCommits(delivery: Delivery): Said {
  const { payload } = delivery;
  const branch = refName(payload.text('ref'));
  if (!wantsBranch(delivery, branch)) return undefined;
  const isDeleted = isZero(payload.text('after'));
  const content = isDeleted
    ? `${inline(personOf(delivery))} deleted branch ${inline(branch)}.`
    : push({
        person: personOf(delivery),
        branch,
        url: under(delivery, `compare/${payload.text('before')}...${payload.text('after')}`),
        commits: payload.list('commits').map((commit) => ({
          author: commit.find('author.name') ?? 'someone',
          message: commit.find('message') ?? '',
          hash: commit.text('id'),
          url: commit.find('url'),
        })),
        count: payload.findNumber('total_commits_count') ?? payload.count('commits'),
      });
  return said(delivery, branchTopic(repositoryOf(delivery), branch), content);
}

const pushTag = (delivery: Delivery): Note => {
  const tag = refName(delivery.payload.text('ref'));
  const action = isZero(delivery.payload.text('after')) ? 'removed' : 'pushed';
  return said(delivery, repositoryOf(delivery), pushedTag(personOf(delivery), tag, undefined, action));
};

const attributes = ({ payload }: Delivery): Payload => payload.at('object_attributes');

const titleOf = (delivery: Delivery): string => attributes(delivery).find('title') ?? '';

/** GitLab's own comments in descriptions are no text for people. */
const withoutComments = (text: string | undefined): string | undefined =>
  text?.replaceAll(/<!--[^>]{0,5000}-->/g, '').trim();

function assigneesOf({ payload }: Delivery): string[] {
  const named = payload.list('assignees').flatMap((assignee) => assignee.find('name') ?? []);
  const single = payload.find('assignee.name');
  return named.length > 0 || single === undefined ? named : [single];
}

const issue =
  (action: string, isNew = false) =>
  (delivery: Delivery): Note => {
    const attribute = attributes(delivery);
    const number = attribute.text('iid');
    return said(
      delivery,
      issueTopic(repositoryOf(delivery), number, titleOf(delivery)),
      changed({
        person: personOf(delivery),
        action,
        kind: 'issue',
        number,
        title: titleOf(delivery),
        url: attribute.find('url'),
        isTitled: delivery.isTitled,
        assignees: isNew ? assigneesOf(delivery) : [],
        text: isNew ? withoutComments(attribute.find('description')) : undefined,
      }),
    );
  };

const mergeTopic = (delivery: Delivery, number: string, title: string): string =>
  requestTopic(
    repositoryOf(delivery),
    number,
    delivery.option('use_merge_request_title') === 'false' ? '' : title,
    'MR',
  );

const merge =
  (action: string, details: (delivery: Delivery) => Partial<Change> = () => ({})) =>
  (delivery: Delivery): Note => {
    const attribute = attributes(delivery);
    const number = attribute.text('iid');
    return said(
      delivery,
      mergeTopic(delivery, number, titleOf(delivery)),
      changed({
        person: personOf(delivery),
        action,
        kind: 'MR',
        number,
        title: titleOf(delivery),
        url: attribute.find('url'),
        isTitled: delivery.isTitled,
        ...details(delivery),
      }),
    );
  };

const openedMerge = merge('created', (delivery) => {
  const attribute = attributes(delivery);
  return {
    head: attribute.find('source_branch'),
    base: attribute.find('target_branch'),
    assignees: assigneesOf(delivery),
    reviewers: delivery.payload.list('reviewers').flatMap((reviewer) => reviewer.find('name') ?? []),
    text: withoutComments(attribute.find('description')),
  };
});

const updatedMerge = (delivery: Delivery): Note =>
  attributes(delivery).has('oldrev') ? merge('added commit(s) to')(delivery) : merge('updated')(delivery);

const commented = (delivery: Delivery, topic: string, subject: string): Note => {
  const url = attributes(delivery).find('url');
  const intro = `${inline(personOf(delivery))} ${link('commented', url)} on ${subject}`;
  return said(delivery, topic, sentence(intro, attributes(delivery).text('note')));
};

const onCommit = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const commit = link(shortHash(payload.text('commit.id')), payload.find('commit.url'));
  const { person, url, text } = {
    person: personOf(delivery),
    url: attributes(delivery).find('url'),
    text: attributes(delivery).text('note'),
  };
  return said(delivery, repositoryOf(delivery), commentedOnCommit(person, url, commit, text));
};

const titled = (delivery: Delivery, kind: string, path: string, id: string): string => {
  const title = delivery.payload.find(`${path}.title`) ?? '';
  return `${kind} #${id}${delivery.isTitled ? ` ${inline(title)}` : ''}`;
};

const onMerge = (delivery: Delivery): Note => {
  const number = delivery.payload.text('merge_request.iid');
  const topic = mergeTopic(delivery, number, delivery.payload.find('merge_request.title') ?? '');
  return commented(delivery, topic, titled(delivery, 'MR', 'merge_request', number));
};

const onIssue = (delivery: Delivery): Note => {
  const number = delivery.payload.text('issue.iid');
  const topic = issueTopic(repositoryOf(delivery), number, delivery.payload.find('issue.title') ?? '');
  return commented(delivery, topic, titled(delivery, 'issue', 'issue', number));
};

const onSnippet = (delivery: Delivery): Note => {
  const id = delivery.payload.text('snippet.id');
  const topic = `${repositoryOf(delivery)} / snippet #${id} ${delivery.payload.find('snippet.title') ?? ''}`;
  return commented(delivery, topic, titled(delivery, 'snippet', 'snippet', id));
};

const onDesign = (delivery: Delivery): Note => {
  const name =
    delivery.payload.find('design.title') ??
    delivery.payload.find('design.filename') ??
    attributes(delivery).text('position.new_path');
  return commented(delivery, `${repositoryOf(delivery)} / design ${name}`, `design ${inline(name)}`);
};

const wiki =
  (action: string) =>
  (delivery: Delivery): Note => {
    const attribute = attributes(delivery);
    const page = link(attribute.text('title'), attribute.find('url'));
    const message = attribute.find('message');
    return said(
      delivery,
      repositoryOf(delivery),
      sentence(words(inline(personOf(delivery)), action, 'wiki page', page), message),
    );
  };

const stateWords = (state: string): string => {
  if (state === 'pending' || state === 'created') return 'was created';
  return state === 'running' ? 'started' : `changed its status to ${inline(state)}`;
};

const job = (delivery: Delivery): Said => {
  const { payload } = delivery;
  const branch = payload.text('ref');
  if (!wantsBranch(delivery, branch)) return undefined;
  const id = payload.find('build_id') ?? payload.text('id');
  const name = link(payload.oneOf('build_name', 'name'), under(delivery, `jobs/${id}`));
  const stage = payload.find('build_stage');
  return said(
    delivery,
    branchTopic(repositoryOf(delivery), branch),
    sentence(
      `Build ${name}${stage ? ` of stage ${inline(stage)}` : ''} ${stateWords(payload.oneOf('build_status', 'status'))}`,
    ),
  );
};

const pipeline = (delivery: Delivery): Said => {
  const attribute = attributes(delivery);
  const branch = attribute.text('ref');
  if (!wantsBranch(delivery, branch)) return undefined;
  const id = attribute.text('id');
  const head = `${link(`Pipeline (${id})`, under(delivery, `pipelines/${id}`))} ${stateWords(attribute.text('status'))}`;
  const builds = delivery.payload.list('builds').map((build) => buildLine(delivery, build));
  return said(
    delivery,
    branchTopic(repositoryOf(delivery), branch),
    builds.length === 0 ? `${head}.` : `${head} with build(s):\n${bullets(builds)}`,
  );
};

function buildLine(delivery: Delivery, build: Payload): string {
  const id = build.text('id');
  const url = under(delivery, `jobs/${id}`);
  const shown = `${link(build.text('name'), url)} - ${inline(build.text('status'))}`;
  const file = build.find('artifacts_file.filename');
  if (file === undefined) return shown;
  const artifacts = `${url}/artifacts`;
  return `${shown}\n  * built artifact: *${inline(file)}* \\[${link('Browse', `${artifacts}/browse`)}|${link('Download', `${artifacts}/download`)}\\]`;
}

const release = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const action = payload.text('action');
  const past = action === 'delete' ? 'deleted' : `${action}${action.endsWith('e') ? 'd' : ''}`;
  const name = link(payload.text('name'), action === 'delete' ? undefined : payload.find('url'));
  return said(
    delivery,
    repositoryOf(delivery),
    `Release ${name} for tag ${inline(payload.text('tag'))} was ${inline(past)}.`,
  );
};

const flag = (delivery: Delivery): Note => {
  const attribute = attributes(delivery);
  const name = link(attribute.text('name'), under(delivery, `feature_flags`));
  const state = attribute.is('active') ? 'activated' : 'deactivated';
  return said(
    delivery,
    repositoryOf(delivery),
    sentence(`${inline(personOf(delivery))} ${state} the feature flag ${name}`),
  );
};

const token = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const group = payload.find('group.group_name');
  const topic = group ?? repositoryOf(delivery);
  return note(
    topic,
    sentence(
      `The access token ${inline(attributes(delivery).text('name'))} of ${inline(topic)} will expire on ${inline(attributes(delivery).text('expires_at'))}`,
    ),
  );
};

const deployment = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const state = payload.text('status');
  const saying: Record<string, string> = {
    running: 'started',
    success: 'succeeded',
    failed: 'failed',
    canceled: 'was canceled',
  };
  const did = Object.hasOwn(saying, state) ? saying[state] : inline(state);
  const what = link('Deployment', payload.find('deployable_url'));
  const commit = payload.find('short_sha');
  return said(
    delivery,
    `${repositoryOf(delivery)} / ${payload.text('environment')}`,
    sentence(`${what}${commit ? ` of ${link(commit, payload.find('commit_url'))}` : ''} ${did}`),
  );
};

const events: Record<string, (delivery: Delivery) => Said> = {
  'Push Hook': pushCommits,
  'Tag Push Hook': pushTag,
  'Test Hook': (delivery) => said(delivery, repositoryOf(delivery), configured('GitLab')),
  'Issue Hook open': issue('created', true),
  'Issue Hook close': issue('closed'),
  'Issue Hook reopen': issue('reopened'),
  'Issue Hook update': issue('updated'),
  'Confidential Issue Hook open': issue('created', true),
  'Confidential Issue Hook close': issue('closed'),
  'Confidential Issue Hook reopen': issue('reopened'),
  'Confidential Issue Hook update': issue('updated'),
  'Note Hook Commit': onCommit,
  'Note Hook MergeRequest': onMerge,
  'Note Hook Issue': onIssue,
  'Note Hook Snippet': onSnippet,
  'Note Hook DesignManagement::Design': onDesign,
  'Confidential Note Hook Issue': onIssue,
  'Confidential Note Hook DesignManagement::Design': onDesign,
  'Merge Request Hook approved': merge('approved'),
  'Merge Request Hook unapproved': merge('unapproved'),
  'Merge Request Hook approval': merge('added their approval for'),
  'Merge Request Hook unapproval': merge('removed their approval for'),
  'Merge Request Hook open': openedMerge,
  'Merge Request Hook update': updatedMerge,
  'Merge Request Hook merge': merge('merged'),
  'Merge Request Hook close': merge('closed'),
  'Merge Request Hook reopen': merge('reopened'),
  'Wiki Page Hook create': wiki('created'),
  'Wiki Page Hook update': wiki('updated'),
  'Job Hook': job,
  'Build Hook': job,
  'Pipeline Hook': pipeline,
  'Release Hook': release,
  'Feature Flag Hook': flag,
  'Resource Access Token Hook': token,
  'Deployment Hook': deployment,
};

const withAction = ['Issue Hook', 'Confidential Issue Hook', 'Merge Request Hook', 'Wiki Page Hook'];

function eventOf({ payload, header }: Delivery): string {
  const named = header('x-gitlab-event') ?? '';
  const name =
    named === 'System Hook'
      ? `${payload.oneOf('event_name', 'object_kind').split('_').map(capitalized).join(' ')} Hook`
      : line(named);
  if (withAction.includes(name)) return `${name} ${payload.find('object_attributes.action') ?? 'open'}`;
  if (name === 'Note Hook' || name === 'Confidential Note Hook')
    return `${name} ${payload.text('object_attributes.noteable_type')}`;
  return name;
}

export const gitlab: Integration = {
  slug: 'gitlab',
  displayName: 'GitLab',
  clientName: 'GitLab',
  categories: ['version-control', 'continuous-integration'],
  setup:
    'In the project or group: **Settings**, **Webhooks**, **Add new webhook**. The secret token is optional.',
  body: 'json',
  eventHeader: 'X-Gitlab-Event',
  deliveryIds: ['idempotency-key', 'x-gitlab-event-uuid'],
  signature: { header: 'x-gitlab-token', scheme: 'plain' },
  options: {
    branches: { kind: 'text', label: '' },
    use_merge_request_title: {
      kind: 'boolean',
      label: 'Put the title of merge requests into topics',
      fallback: 'true',
    },
  },
  eventOf,
  events,
};
