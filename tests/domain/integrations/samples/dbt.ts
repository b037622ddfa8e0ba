import type { Sample } from '../sample.ts';

const of = (eventType: string, more: object, query: Record<string, string> = {}): Sample => ({
  name: eventType,
  event: eventType,
  query,
  payload: {
    eventType,
    accountId: 1,
    data: {
      jobId: '2',
      jobName: 'Daily',
      runId: '3',
      projectName: 'Heat',
      projectId: '4',
      runReason: 'Scheduled',
      ...more,
    },
  },
});

export const samples: Sample[] = [
  of('job.run.started', { runStatus: 'Running' }),
  of('job.run.completed', { runStatus: 'Success' }, { access_url: 'https://cloud.getdbt.com' }),
  of('job.run.completed', { runStatus: 'Errored' }),
  of('job.run.errored', { runStatus: 'Errored' }),
];
