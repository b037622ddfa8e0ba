import type { Sample } from './sample.ts';

const repository = { name: 'engine', html_url: 'https://git.example/acme/engine' };
const sender = { username: 'ada', login: 'ada' };
const pull_request = {
  id: 5,
  number: 7,
  title: 'Grind the gears',
  body: 'They were stuck.',
  html_url: 'https://git.example/acme/engine/pulls/7',
  merged: false,
  head: { ref: 'gears' },
  base: { ref: 'main' },
  assignee: { username: 'grace' },
};
const issue = {
  number: 12,
  title: 'It smokes',
  body: 'A lot of smoke.',
  html_url: 'https://git.example/acme/engine/issues/12',
  assignee: null,
};

/** The deliveries that Gitea, Forgejo and Gogs send alike. */
export function giteaSamples(header: string): Sample[] {
  const of = (name: string, event: string, payload: object): Sample => ({
    name,
    event,
    headers: { [header]: event },
    payload: { repository, sender, ...payload },
  });
  return [
    of('push', 'push', {
      ref: 'refs/heads/main',
      compare_url: 'https://git.example/acme/engine/compare/a...b',
      commits: [
        {
          id: '6dcb09b5b57875f3',
          message: 'Oil the wheels',
          url: 'https://git.example/c/6',
          author: { name: 'Grace Hopper' },
        },
      ],
    }),
    of('branch', 'create', { ref: 'gears', ref_type: 'branch' }),
    of('tag', 'create', { ref: 'v1', ref_type: 'tag' }),
    of('pull request opened', 'pull_request', { action: 'opened', pull_request }),
    of('pull request closed', 'pull_request', { action: 'closed', pull_request }),
    of('pull request merged', 'pull_request', {
      action: 'closed',
      pull_request: { ...pull_request, merged: true, merged_by: { username: 'grace' } },
    }),
    of('issue', 'issues', { action: 'opened', issue }),
    of('comment', 'issue_comment', {
      action: 'created',
      issue,
      comment: { body: 'Looks good.', html_url: 'https://git.example/acme/engine/issues/12#c1' },
    }),
    of('release', 'release', {
      action: 'published',
      release: { tag_name: 'v1', name: 'One', html_url: 'https://git.example/acme/engine/releases/v1' },
    }),
  ];
}
