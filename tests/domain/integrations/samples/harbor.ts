import type { Sample } from '../sample.ts';

const repository = { repo_full_name: 'acme/engine' };
const resource = { digest: 'sha256:954b', tag: 'latest', resource_url: 'harbor.example/acme/engine:latest' };
const scan = {
  'application/vnd.security.vulnerability.report; version=1.1': { summary: { summary: { High: 4, Low: 1 } } },
};
const of = (type: string, more: object = {}): Sample => ({
  name: type,
  event: type,
  payload: { type, operator: 'ada', event_data: { repository, resources: [{ ...resource, ...more }] } },
});

export const samples: Sample[] = [
  of('PUSH_ARTIFACT'),
  of('SCANNING_COMPLETED', { scan_overview: scan }),
  of('SCANNING_COMPLETED'),
  of('PULL_ARTIFACT'),
];
