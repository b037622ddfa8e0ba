import type { Sample } from '../sample.ts';

const frame = {
  filename: 'engine.py',
  context_line: '    raise Smoke()',
  pre_context: ['def run():'],
  post_context: [''],
};
const event = {
  event_id: '9fb0',
  title: 'Smoke: too hot',
  web_url: 'https://sentry.io/organizations/acme/issues/1/events/9fb0/',
  platform: 'python',
  version: '7',
  level: 'error',
  datetime: '2026-11-26T10:00:00.000Z',
  location: 'engine.py',
  metadata: { filename: 'engine.py', title: 'Smoke: too hot' },
  exception: { values: [{ type: 'Smoke', value: 'too hot', stacktrace: { frames: [frame] } }] },
};
const issue = {
  title: 'Smoke: too hot',
  web_url: 'https://sentry.io/organizations/acme/issues/1/',
  level: 'error',
  firstSeen: '2026-11-26T10:00:00.000Z',
  assignedTo: { name: 'Grace', type: 'user' },
};
const issues = (action: string): Sample => ({
  name: `issue ${action}`,
  event: `issue_${action}`,
  payload: { action, actor: { name: 'Ada', type: 'user' }, data: { issue } },
});
const { exception: _exception, ...message } = event;

export const samples: Sample[] = [
  { name: 'exception', event: 'event', payload: { action: 'triggered', data: { event } } },
  {
    name: 'message',
    event: 'event',
    payload: { data: { event: { ...message, logentry: { formatted: 'Hot' } } } },
  },
  {
    name: 'exception of an older program',
    event: 'event',
    payload: { data: { event: { ...event, version: '6.1' } } },
  },
  {
    name: 'older webhook',
    event: 'event',
    payload: { url: 'https://sentry.io/1', event: { ...event, datetime: undefined, timestamp: 1795687200 } },
  },
  ...['created', 'resolved', 'assigned', 'ignored'].map(issues),
  {
    name: 'oldest webhook',
    event: 'legacy',
    payload: { project_name: 'engine', level: 'error', url: 'https://sentry.io/1', message: 'Too hot' },
  },
];
