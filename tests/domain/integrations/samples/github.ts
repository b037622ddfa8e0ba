import type { Sample } from '../sample.ts';

const sender = { login: 'ada', html_url: 'https://github.com/ada' };
const repository = {
  name: 'engine',
  full_name: 'acme/engine',
  html_url: 'https://github.com/acme/engine',
  private: false,
};
const HASH = '6dcb09b5b57875f334f61aebed695e2e4193db5e';
const user = (login: string) => ({ login, html_url: `https://github.com/${login}` });
const pull_request = {
  number: 7,
  title: 'Grind the gears',
  html_url: 'https://github.com/acme/engine/pull/7',
  body: 'They were stuck.\n\n@**all** look!',
  merged: false,
  head: { label: 'acme:gears', ref: 'gears' },
  base: { label: 'acme:main', ref: 'main' },
  assignees: [user('grace')],
  active_lock_reason: 'resolved',
};
const issue = {
  number: 12,
  title: 'It smokes',
  html_url: 'https://github.com/acme/engine/issues/12',
  body: 'A lot of smoke.',
  assignees: [user('grace')],
};
const commit = (id: string, author: string) => ({
  id,
  message: 'Oil the wheels\n\nThey squeaked.',
  url: `https://github.com/acme/engine/commit/${id}`,
  author: { name: author, username: author },
});
const discussion = {
  number: 3,
  title: 'Which fuel?',
  html_url: 'https://github.com/acme/engine/discussions/3',
  body: 'Coal or wood?',
  category: { name: 'Ideas' },
  state_reason: 'resolved',
  active_lock_reason: 'off-topic',
};
const comment = {
  body: 'Looks good.',
  html_url: 'https://github.com/acme/engine/issues/12#issuecomment-1',
  commit_id: HASH,
};
const label = { name: 'bug' };
const milestone = { title: 'v2', html_url: 'https://github.com/acme/engine/milestone/1' };

const of = (
  header: string,
  event: string,
  name: string,
  payload: object,
  query?: Record<string, string>,
): Sample => ({
  name,
  event,
  headers: { 'x-github-event': header },
  payload: { sender, repository, ...payload },
  ...(query && { query }),
});

const request = (event: string, action: string, more: object = {}) =>
  of('pull_request', event, `pull request ${action}`, { action, pull_request, ...more });
const issues = (event: string, action: string, more: object = {}) =>
  of('issues', event, `issue ${action}`, { action, issue, ...more });
const discussed = (action: string, more: object = {}) =>
  of('discussion', 'discussion', `discussion ${action}`, { action, discussion, ...more });

export const samples: Sample[] = [
  request('opened_pull_request', 'opened'),
  { ...request('opened_pull_request', 'reopened'), query: { topic: 'reviews', stream: 'x' } },
  request('updated_pull_request', 'synchronize'),
  request('updated_pull_request', 'edited', { changes: { body: { from: 'before' } } }),
  request('assigned_or_unassigned_pull_request', 'assigned', { assignee: user('grace') }),
  request('assigned_or_unassigned_pull_request', 'unassigned', { assignee: user('grace') }),
  request('closed_pull_request', 'closed'),
  request('closed_pull_request', 'closed', { pull_request: { ...pull_request, merged: true } }),
  request('pull_request_review_requested', 'review_requested', { requested_reviewer: user('grace') }),
  request('pull_request_review_requested', 'review_requested', { requested_team: { name: 'pistons' } }),
  request('pull_request_ready_for_review', 'ready_for_review'),
  request('locked_or_unlocked_pull_request', 'locked'),
  request('locked_or_unlocked_pull_request', 'unlocked'),
  request('pull_request_auto_merge', 'auto_merge_enabled'),
  request('pull_request_auto_merge', 'auto_merge_disabled'),
  request('pull_request_labeled_or_unlabeled', 'labeled', { label }),
  request('pull_request_milestoned_or_demilestoned', 'milestoned', { milestone }),
  request('pull_request_enqueued_or_dequeued', 'enqueued'),
  request('pull_request_enqueued_or_dequeued', 'dequeued'),
  request('pull_request:other', 'converted_to_draft'),
  of('pull_request_review', 'pull_request_review', 'review', {
    action: 'submitted',
    pull_request,
    review: { body: 'Well done.', html_url: 'https://github.com/acme/engine/pull/7#r1' },
  }),
  of('pull_request_review', 'pull_request_review', 'review edited without changes', {
    action: 'edited',
    changes: {},
    pull_request,
    review: { body: 'Well done.' },
  }),
  of('pull_request_review_comment', 'pull_request_review_comment', 'review comment', {
    action: 'created',
    pull_request,
    comment,
  }),
  issues('issues', 'opened'),
  issues('issues', 'closed'),
  issues('issues', 'assigned', { assignee: user('grace') }),
  issues('issue_labeled_or_unlabeled', 'labeled', { label }),
  issues('issue_labeled_or_unlabeled', 'unlabeled', { label }),
  issues('issue_milestoned_or_demilestoned', 'milestoned', { milestone }),
  issues('issue_milestoned_or_demilestoned', 'demilestoned', { milestone }),
  issues('issues_transferred', 'transferred', {
    changes: {
      new_repository: { full_name: 'acme/boiler' },
      new_issue: { number: 1, html_url: 'https://github.com/acme/boiler/issues/1' },
    },
  }),
  issues('issues_opened_via_transfer', 'opened', {
    changes: {
      old_repository: { full_name: 'acme/boiler' },
      old_issue: { number: 1, html_url: 'https://github.com/acme/boiler/issues/1' },
    },
  }),
  of('issue_comment', 'issue_comment', 'comment', { action: 'created', issue, comment }),
  of('issue_comment', 'issue_comment', 'comment on a pull request deleted', {
    action: 'deleted',
    issue: { ...issue, pull_request: {} },
    comment,
  }),
  of('issue_comment', 'issue_comment', 'comment edited without changes', {
    action: 'edited',
    issue,
    comment,
    changes: { body: { from: comment.body } },
  }),
  of('push', 'push_commits', 'push', {
    ref: 'refs/heads/main',
    compare: 'https://github.com/acme/engine/compare/a...b',
    commits: [commit(HASH, 'ada'), commit('1111111111111111', 'grace'), commit('2222222222222222', 'grace')],
  }),
  of(
    'push',
    'push_commits',
    'forced push with the name of the repository',
    {
      ref: 'refs/heads/main',
      compare: 'https://github.com/acme/engine/compare/a...b',
      forced: true,
      commits: [commit(HASH, 'ada')],
    },
    { include_repository_name: 'true' },
  ),
  of('push', 'push_commits', 'push of many commits', {
    ref: 'refs/heads/main',
    commits: Array.from({ length: 23 }, (_, index) => commit(`${index + 10}aaaaaaaaaaaa`, 'ada')),
  }),
  of('push', 'push_commits', 'push of nothing', { ref: 'refs/heads/main', commits: [] }),
  of('push', 'push_commits', 'branch deleted', { ref: 'refs/heads/old', deleted: true, commits: [] }),
  of(
    'push',
    'push_commits',
    'push to another branch',
    { ref: 'refs/heads/old', commits: [] },
    { branches: 'main' },
  ),
  of('push', 'push_tags', 'tag pushed', {
    ref: 'refs/tags/v1.0',
    compare: 'https://github.com/acme/engine/v1',
  }),
  of('push', 'push_tags', 'tag removed', { ref: 'refs/tags/v1.0', deleted: true }),
  of('push', 'merge_queue', 'push of the merge queue', { ref: 'refs/heads/gh-readonly-queue/main/pr-7' }),
  of('create', 'create', 'branch created', { ref: 'gears', ref_type: 'branch' }),
  of('create', 'create', 'tag created', { ref: 'v1.0', ref_type: 'tag' }),
  of('delete', 'delete', 'branch deleted', { ref: 'gears', ref_type: 'branch' }),
  of('delete', 'delete', 'tag deleted', { ref: 'v1.0', ref_type: 'tag' }),
  of('commit_comment', 'commit_comment', 'comment on a commit', { action: 'created', comment }),
  of('deployment', 'deployment', 'deployment', { deployment: { environment: 'production' } }),
  of('deployment_status', 'deployment_status', 'state of a deployment', {
    deployment: { environment: 'production' },
    deployment_status: { state: 'success' },
  }),
  ...[
    'created',
    'closed',
    'locked',
    'unlocked',
    'pinned',
    'unpinned',
    'reopened',
    'transferred',
    'category_changed',
  ].map((action) => discussed(action)),
  discussed('labeled', { label }),
  discussed('unlabeled', { label }),
  discussed('answered', {
    answer: { body: 'Coal.', html_url: 'https://github.com/acme/engine/discussions/3#a1' },
  }),
  discussed('unanswered', {
    old_answer: { body: 'Coal.', html_url: 'https://github.com/acme/engine/discussions/3#a1' },
  }),
  discussed('edited', { changes: { title: { from: 'Fuel' } } }),
  of('discussion_comment', 'discussion_comment', 'comment on a discussion', {
    action: 'created',
    discussion,
    comment,
  }),
  of('fork', 'fork', 'fork', {
    forkee: { full_name: 'grace/engine', html_url: 'https://github.com/grace/engine' },
  }),
  of('gollum', 'gollum', 'wiki pages', {
    pages: [{ action: 'created', title: 'Home', html_url: 'https://github.com/acme/engine/wiki/Home' }],
  }),
  of('member', 'member', 'collaborator', { action: 'added', member: user('grace') }),
  of('membership', 'membership', 'member of a team', {
    action: 'removed',
    scope: 'team',
    member: user('grace'),
    team: { name: 'pistons' },
    organization: { login: 'acme' },
  }),
  of('page_build', 'page_build', 'page built', { build: { status: 'built' } }),
  of('page_build', 'page_build', 'page not built', {
    build: { status: 'errored', error: { message: 'No theme' } },
  }),
  of('ping', 'ping', 'ping', { zen: 'Keep it simple.' }),
  of('public', 'public', 'made public', {}),
  of('release', 'release', 'release', {
    action: 'published',
    release: { tag_name: 'v1.0', name: 'One', html_url: 'https://github.com/acme/engine/releases/v1.0' },
  }),
  of('repository', 'repository', 'repository', { action: 'archived' }),
  of('star', 'star', 'star', { action: 'created' }),
  of('star', 'star', 'star taken away', { action: 'deleted' }),
  of('status', 'status', 'status', { sha: HASH, state: 'success', target_url: 'https://ci.example/1' }),
  of('team_add', 'team_add', 'repository of a team', {
    team: { name: 'pistons', html_url: 'https://github.com/pistons' },
  }),
  of('watch', 'watch', 'watch', { action: 'started' }),
  of('check_run', 'check_run', 'check completed', {
    action: 'completed',
    check_run: {
      status: 'completed',
      name: 'tests',
      html_url: 'https://github.com/acme/engine/runs/1',
      head_sha: HASH,
      conclusion: 'success',
    },
  }),
  of('check_run', 'check_run', 'check begun', { action: 'created', check_run: { status: 'queued' } }),
  of('team', 'team', 'team renamed', {
    action: 'edited',
    team: { name: 'gears', description: 'All gears', privacy: 'closed' },
    changes: { name: { from: 'pistons' }, privacy: { from: 'secret' } },
  }),
  of('team', 'team:other', 'team created', { action: 'created', team: { name: 'gears' } }),
  ...['cancelled', 'created', 'edited', 'pending_cancellation', 'pending_tier_change', 'tier_changed'].map(
    (action) =>
      of('sponsorship', action, `sponsorship ${action}`, {
        action,
        repository: undefined,
        effective_date: '2026-12-01',
        sponsorship: { sponsor: { login: 'grace' }, tier: { name: '$5 a month' } },
        changes: { tier: { from: { name: '$1 a month' } } },
      }),
  ),
  of('check_suite', 'check_suite', 'check suite', { action: 'completed' }),
  of(
    'issues',
    'issues',
    'issue of a private repository',
    { action: 'opened', issue, repository: { ...repository, private: true } },
    { ignore_private_repositories: 'true' },
  ),
];
