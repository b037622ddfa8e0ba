import type { Sample } from '../sample.ts';

const project = { name: 'engine', web_url: 'https://gitlab.com/acme/engine' };
const user = { name: 'Ada', username: 'ada' };
const HASH = '6dcb09b5b57875f334f61aebed695e2e4193db5e';
const ZERO = '0'.repeat(40);
const issue = {
  iid: 12,
  title: 'It smokes',
  description: 'A lot of smoke. <!-- internal -->',
  url: 'https://gitlab.com/acme/engine/-/issues/12',
};
const merge = {
  iid: 7,
  title: 'Grind the gears',
  description: 'They were stuck.',
  url: 'https://gitlab.com/acme/engine/-/merge_requests/7',
  source_branch: 'gears',
  target_branch: 'main',
};
const commit = {
  id: HASH,
  message: 'Oil the wheels',
  url: `${project.web_url}/-/commit/${HASH}`,
  author: { name: 'Ada' },
};

const of = (header: string, event: string, payload: object, query?: Record<string, string>): Sample => ({
  name: event,
  event,
  headers: { 'x-gitlab-event': header },
  payload: { project, user, ...payload },
  ...(query && { query }),
});
const issues = (action: string, header = 'Issue Hook') =>
  of(header, `${header} ${action}`, {
    object_attributes: { ...issue, action },
    assignees: [{ name: 'Grace' }],
  });
const merges = (action: string, more: object = {}, query?: Record<string, string>) =>
  of(
    'Merge Request Hook',
    `Merge Request Hook ${action}`,
    { object_attributes: { ...merge, action, ...more }, reviewers: [{ name: 'Grace' }] },
    query,
  );
const notes = (header: string, noteable_type: string, more: object) =>
  of(header, `${header} ${noteable_type}`, {
    object_attributes: {
      noteable_type,
      note: 'Looks good.',
      url: 'https://gitlab.com/acme/engine/-/notes/1',
    },
    ...more,
  });

export const samples: Sample[] = [
  of('Push Hook', 'Push Hook', {
    ref: 'refs/heads/main',
    before: '1'.repeat(40),
    after: HASH,
    user_name: 'Ada',
    commits: [commit],
    total_commits_count: 1,
  }),
  of('Push Hook', 'Push Hook', {
    ref: 'refs/heads/main',
    before: HASH,
    after: ZERO,
    user_name: 'Ada',
    commits: [],
  }),
  of(
    'Push Hook',
    'Push Hook',
    { ref: 'refs/heads/x', before: HASH, after: HASH, user_name: 'Ada' },
    { branches: 'main,dev' },
  ),
  {
    ...of('System Hook', 'Push Hook', {
      event_name: 'push',
      ref: 'refs/heads/main',
      before: HASH,
      after: HASH,
      user_name: 'Ada',
    }),
    query: { topic: 'x' },
  },
  of('Tag Push Hook', 'Tag Push Hook', { ref: 'refs/tags/v1', after: HASH, user_name: 'Ada' }),
  of('Test Hook', 'Test Hook', {}),
  ...['open', 'close', 'reopen', 'update'].flatMap((action) => [
    issues(action),
    issues(action, 'Confidential Issue Hook'),
  ]),
  notes('Note Hook', 'Commit', { commit }),
  notes('Note Hook', 'MergeRequest', { merge_request: merge }),
  notes('Note Hook', 'Issue', { issue }),
  notes('Note Hook', 'Snippet', { snippet: { id: 2, title: 'Script' } }),
  notes('Note Hook', 'DesignManagement::Design', { design: { title: 'wheel.png' } }),
  notes('Confidential Note Hook', 'Issue', { issue }),
  notes('Confidential Note Hook', 'DesignManagement::Design', { design: { title: 'wheel.png' } }),
  ...['approved', 'unapproved', 'approval', 'unapproval', 'open', 'update', 'merge', 'close', 'reopen'].map(
    (action) => merges(action),
  ),
  merges('update', { oldrev: HASH }),
  merges('open', {}, { use_merge_request_title: 'false' }),
  ...['create', 'update'].map((action) =>
    of('Wiki Page Hook', `Wiki Page Hook ${action}`, {
      object_attributes: { action, title: 'Home', url: `${project.web_url}/-/wikis/home`, message: 'Begin' },
    }),
  ),
  ...['Job Hook', 'Build Hook'].map((name) =>
    of(name, name, {
      ref: 'main',
      build_id: 9,
      build_name: 'test',
      build_stage: 'test',
      build_status: 'success',
    }),
  ),
  of('Pipeline Hook', 'Pipeline Hook', {
    object_attributes: { id: 4, ref: 'main', status: 'failed' },
    builds: [
      { id: 1, name: 'test', status: 'failed' },
      { id: 2, name: 'pack', status: 'success', artifacts_file: { filename: 'engine.zip' } },
    ],
  }),
  of('Release Hook', 'Release Hook', {
    action: 'create',
    name: 'One',
    tag: 'v1',
    url: `${project.web_url}/-/releases/v1`,
  }),
  of('Feature Flag Hook', 'Feature Flag Hook', { object_attributes: { name: 'steam', active: true } }),
  of('Resource Access Token Hook', 'Resource Access Token Hook', {
    group: { group_name: 'acme' },
    object_attributes: { name: 'deploy', expires_at: '2026-12-01' },
  }),
  of('Deployment Hook', 'Deployment Hook', {
    status: 'success',
    environment: 'production',
    deployable_url: `${project.web_url}/-/jobs/1`,
    short_sha: '6dcb09b5',
    commit_url: commit.url,
  }),
];
