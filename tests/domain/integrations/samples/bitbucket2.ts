import type { Sample } from '../sample.ts';

const html = (href: string) => ({ links: { html: { href } } });
const actor = { display_name: 'Ada', nickname: 'ada' };
const repository = { name: 'engine', ...html('https://bitbucket.org/acme/engine') };
const HASH = '6dcb09b5b57875f334f61aebed695e2e4193db5e';
const comment = { content: { raw: 'Looks good.' }, ...html('https://bitbucket.org/acme/engine/c/1') };
const issue = {
  id: 12,
  title: 'It smokes',
  content: { raw: 'A lot of smoke.' },
  assignee: { display_name: 'Grace' },
  ...html('https://bitbucket.org/acme/engine/issues/12'),
};
const pullrequest = {
  id: 7,
  title: 'Grind the gears',
  description: 'They were stuck.',
  source: { branch: { name: 'gears' } },
  destination: { branch: { name: 'main' } },
  reviewers: [{ display_name: 'Grace' }],
  ...html('https://bitbucket.org/acme/engine/pull-requests/7'),
};
const branch = { type: 'branch', name: 'main', target: { hash: HASH } };
const commits = [
  {
    hash: HASH,
    message: 'Oil the wheels',
    author: { user: { display_name: 'Grace' } },
    ...html('https://bitbucket.org/acme/engine/commits/6'),
  },
];
const of = (name: string, event: string, payload: object, key = 'repo:push'): Sample => ({
  name,
  event,
  headers: { 'x-event-key': key },
  payload: { actor, repository, ...payload },
});
const push = (name: string, change: object) =>
  of(name, 'push', {
    push: { changes: [{ ...html('https://bitbucket.org/acme/engine/branches/compare/a..b'), ...change }] },
  });
const request = (action: string, more: object = {}) =>
  of(action, `pull_request_${action}`, { pullrequest, ...more }, `pullrequest:${action}`);

export const samples: Sample[] = [
  push('push', { new: branch, old: branch, commits }),
  push('forced push', { new: branch, old: branch, forced: true, commits }),
  push('branch deleted', { new: null, old: branch }),
  push('tag', {
    new: { type: 'tag', name: 'v1', ...html('https://bitbucket.org/acme/engine/v1') },
    old: null,
  }),
  push('tag removed', { new: null, old: { type: 'tag', name: 'v1' } }),
  of('fork', 'fork', { fork: { full_name: 'grace/engine', ...html('https://bitbucket.org/grace/engine') } }),
  of('comment on a commit', 'commit_comment', {
    comment,
    commit: { hash: HASH, ...html('https://bitbucket.org/acme/engine/commits/6') },
  }),
  of('status of a commit', 'change_commit_status', {
    commit_status: {
      key: 'ci',
      state: 'SUCCESSFUL',
      url: 'https://ci.example/1',
      links: { commit: { href: `https://api.bitbucket.org/commit/${HASH}` } },
    },
  }),
  of('issue created', 'issue_created', { issue }),
  of('issue updated', 'issue_updated', { issue, changes: { status: { old: 'new', new: 'open' } } }),
  of('issue commented', 'issue_commented', { issue, comment }),
  ...['approved', 'unapproved', 'created', 'updated', 'rejected', 'fulfilled'].map((action) =>
    request(action),
  ),
  ...['comment_created', 'comment_updated', 'comment_deleted'].map((action) => request(action, { comment })),
  of(
    'repository updated',
    'repo:updated',
    { changes: { website: { old: '', new: 'https://acme.example' }, name: { old: 'motor', new: 'engine' } } },
    'repo:updated',
  ),
];
