import { BadRequest } from '#shared/domain/errors.ts';
import type { Delivery, Integration, Note } from '../integration.ts';
import type { Payload } from '../payload.ts';
import { configured, inline, line, link, paragraphs, sentence, shortHash } from '../words.ts';

const OUTCOMES: Record<string, string> = {
  success: 'has succeeded',
  failed: 'has failed',
  canceled: 'was canceled',
  unauthorized: 'was not authorized',
  error: 'had an error',
};

const ICONS: Record<string, string> = { success: ':check:', failed: ':cross_mark:', error: ':cross_mark:' };

const outcome = (status: string): string =>
  Object.hasOwn(OUTCOMES, status) ? (OUTCOMES[status] ?? '') : `is ${inline(status)}`;

/** @throws BadRequest for hosts of code that CircleCI names otherwise */
function commitLine({ payload }: Delivery): string {
  const vcs = payload.at('pipeline.vcs');
  if (vcs.has('revision')) return commitOf(vcs, vcs.find('target_repository_url') ?? '');
  const gitlab = payload.at('pipeline.trigger_parameters.gitlab');
  if (gitlab.has('web_url') || gitlab.has('checkout_sha')) {
    const hash = gitlab.find('checkout_sha') ?? gitlab.find('commit_sha') ?? '';
    const commit = link(shortHash(hash), `${gitlab.find('web_url') ?? ''}/-/commit/${hash}`);
    const author = gitlab.find('commit_author_name');
    return `Triggered on ${commit}${author ? ` by ${inline(author)}` : ''}${branch(gitlab.find('branch'))}.`;
  }
  throw new BadRequest("Projects using this version control system provider aren't supported");
}

function commitOf(vcs: Payload, repository: string): string {
  const hash = vcs.text('revision');
  const path = repository.includes('bitbucket.org') ? 'commits' : 'commit';
  const commit = link(shortHash(hash), `${repository}/${path}/${hash}`);
  const subject = vcs.find('commit.subject');
  if (vcs.has('tag')) return `Triggered on tag ${inline(vcs.text('tag'))} (${commit}).`;
  if (subject === undefined) return `Triggered manually on ${commit}${branch(vcs.find('branch'))}.`;
  const author = vcs.find('commit.author.name');
  return `Triggered by commit ${inline(line(subject))} (${commit})${author ? ` of ${inline(author)}` : ''}${branch(vcs.find('branch'))}.`;
}

const branch = (name: string | undefined): string => (name === undefined ? '' : ` on branch ${inline(name)}`);

const topicOf = ({ payload }: Delivery): string => payload.text('project.name');

const completed =
  (kind: 'job' | 'workflow') =>
  (delivery: Delivery): Note => {
    const { payload } = delivery;
    const status = payload.text(`${kind}.status`);
    const workflow = payload.find('workflow.url');
    const number = payload.find('job.number');
    const url = kind === 'job' && workflow && number ? `${workflow}/jobs/${number}` : workflow;
    const name = payload.text(`${kind}.name`);
    const icon = Object.hasOwn(ICONS, status) ? `${ICONS[status]} ` : '';
    const head = sentence(
      `${icon}${kind === 'job' ? 'Job' : 'Workflow'} ${link(name, url)} ${outcome(status)}`,
    );
    return { topic: topicOf(delivery), content: paragraphs(head, commitLine(delivery)) };
  };

export const circleci: Integration = {
  slug: 'circleci',
  displayName: 'CircleCI',
  clientName: 'CircleCI',
  categories: ['continuous-integration'],
  setup: 'In the project: **Project settings**, **Webhooks**, **Add webhook**.',
  body: 'json',
  signature: { header: 'circleci-signature', scheme: 'hex', prefix: 'v1=' },
  eventOf: ({ payload }) => payload.text('type'),
  events: {
    ping: () => ({ topic: 'Test event', content: configured('CircleCI') }),
    'job-completed': completed('job'),
    'workflow-completed': completed('workflow'),
  },
};
