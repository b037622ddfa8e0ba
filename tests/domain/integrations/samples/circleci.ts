import type { Sample } from '../sample.ts';

const vcs = {
  target_repository_url: 'https://github.com/acme/engine',
  revision: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
  branch: 'main',
  commit: { subject: 'Oil the wheels', author: { name: 'Ada' } },
};
const of = (type: string, status: string, pipeline: object = { number: 3, vcs }): Sample => ({
  name: `${type} ${status}`,
  event: type,
  payload: {
    type,
    project: { name: 'engine', slug: 'github/acme/engine' },
    pipeline,
    workflow: {
      name: 'build',
      status,
      url: 'https://app.circleci.com/pipelines/github/acme/engine/3/workflows/1',
    },
    job: { name: 'test', status, number: 12 },
  },
});

export const samples: Sample[] = [
  { name: 'ping', event: 'ping', payload: { type: 'ping', webhook: { name: 'x' } } },
  ...['success', 'failed', 'canceled', 'unauthorized', 'error'].map((status) => of('job-completed', status)),
  of('workflow-completed', 'success'),
  of('workflow-completed', 'success', { number: 3, vcs: { ...vcs, commit: undefined, tag: 'v1' } }),
  of('workflow-completed', 'success', { number: 3, vcs: { ...vcs, commit: undefined } }),
  of('workflow-completed', 'failed', {
    number: 3,
    trigger_parameters: {
      gitlab: {
        web_url: 'https://gitlab.com/acme/engine',
        checkout_sha: vcs.revision,
        branch: 'main',
        commit_author_name: 'Ada',
      },
    },
  }),
];
