import type { Delivery, Integration, Note } from '../integration.ts';
import { capitalized, inline, link, sentence, words } from '../words.ts';

const ICONS: Record<string, string> = { Success: ':green_circle:', Errored: ':cross_mark:' };

const run = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const data = payload.at('data');
  const job = data.text('jobName');
  const status = data.find('runStatus') ?? 'unknown';
  const base = delivery.option('access_url')?.replace(/\/$/, '');
  const path = `${base ?? ''}/deploy/${payload.find('accountId') ?? ''}/projects/${data.find('projectId') ?? ''}`;
  const jobLink = link(job, base && `${path}/jobs/${data.find('jobId') ?? ''}`);
  const runLink = link(
    `Run #${data.find('runId') ?? ''}`,
    base && `${path}/runs/${data.find('runId') ?? ''}`,
  );
  const isStart = payload.text('eventType') === 'job.run.started';
  const reason = isStart ? (data.find('runReason') ?? data.find('runReasonCategory')) : undefined;
  const icon = isStart ? ':yellow_circle:' : Object.hasOwn(ICONS, status) ? ICONS[status] : ':yellow_circle:';
  const did = isStart ? 'started' : `completed with status ${inline(capitalized(status))}`;
  return {
    topic: data.text('projectName'),
    content: sentence(words(icon, `${runLink} of job ${jobLink} ${did}`, reason && `(${inline(reason)})`)),
  };
};

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
  events: { 'job.run.started': run, 'job.run.completed': run },
  ignored: ['job.run.errored'],
};
