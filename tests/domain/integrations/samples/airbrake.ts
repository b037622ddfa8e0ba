import type { Sample } from '../sample.ts';

export const samples: Sample[] = [
  {
    name: 'error',
    payload: {
      airbrake_error_url: 'https://acme.airbrake.io/projects/1/groups/1',
      error: { error_class: 'Smoke', error_message: 'too hot', project: { name: 'engine' } },
    },
  },
];
