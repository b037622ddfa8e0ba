import type { Sample } from '../sample.ts';

export const samples: Sample[] = [
  'deploy_building',
  'deploy_created',
  'deploy_failed',
  'deploy_locked',
  'deploy_unlocked',
].map((event) => ({
  name: event,
  event,
  headers: { 'x-netlify-event': event },
  payload: {
    name: 'engine',
    branch: 'main',
    title: 'Oil the wheels',
    admin_url: 'https://app.netlify.com/sites/engine',
    error_message: event === 'deploy_failed' ? 'Command failed' : null,
  },
}));
