import type { Sample } from '../sample.ts';

export const samples: Sample[] = [
  {
    name: 'alert',
    payload: {
      search_name: 'Too hot',
      results_link: 'https://splunk.example/app/search/1',
      result: { host: 'boiler', source: '/var/log/heat', _raw: 'temperature=101' },
    },
  },
  { name: 'alert without fields', payload: { result: {} } },
];
