import type { Delivery, Integration, Note } from '../integration.ts';
import { capitalized, inline, link, sentence, words } from '../words.ts';

const IN_PROGRESS = ':yellow_circle:';
const ICONS: Record<string, string> = { Success: ':green_circle:', Errored: ':cross_mark:' };

const started = (delivery: Delivery): Note => {
  const data = delivery.payload.at('data');
  const reason = data.find('runReason') ?? data.find('runReasonCategory');
  return note(delivery, IN_PROGRESS, 'started', reason && `(${inline(reason)})`);
};

const completed = (delivery: Delivery): Note => {
  const status = delivery.payload.at('data').find('runStatus') ?? 'unknown';
  const icon = Object.hasOwn(ICONS, status) ? ICONS[status] : IN_PROGRESS;
  return note(delivery, icon, `completed with status ${inline(capitalized(status))}`);
};

function note(delivery: Delivery, icon: string | undefined, did: string, reason?: string): Note {
  const { payload } = delivery;
  const data = payload.at('data');
  const idOf = (name: string): string => data.find(name) ?? '';
  const base = delivery.option('access_url')?.replace(/\/$/, '');
  const path = `${base ?? ''}/deploy/${payload.find('accountId') ?? ''}/projects/${idOf('projectId')}`;
  const jobLink = link(data.text('jobName'), base && `${path}/jobs/${idOf('jobId')}`);
  const runLink = link(`Run #${idOf('runId')}`, base && `${path}/runs/${idOf('runId')}`);
  return {
    topic: data.text('projectName'),
    content: sentence(words(icon, `${runLink} of job ${jobLink} ${did}`, reason)),
  };
}

export const dbt: Integration = {
  slug: 'dbt',
  displayName: 'dbt',
  clientName: 'DBT',
  categories: ['continuous-integration'],
  setup: 'In dbt Cloud: **Account settings**, **Webhooks**, **Create webhook**.',
  body: 'json',
  signature: { header: 'authorization', scheme: 'hex' },
  options: { access_url: { kind: 'text', label: 'The address of dbt Cloud, for links' } },
  eventOf: ({ payload }) => payload.text('eventType'),
  events: { 'job.run.started': started, 'job.run.completed': completed },
  ignored: ['job.run.errored'],
};
