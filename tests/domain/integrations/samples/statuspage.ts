import type { Sample } from '../sample.ts';

const page = { status_description: 'Partially degraded' };

export const samples: Sample[] = [
  {
    name: 'incident',
    event: 'incident',
    payload: {
      page,
      incident: {
        name: 'No steam',
        status: 'investigating',
        shortlink: 'https://stspg.io/1',
        incident_updates: [{ body: 'We look for it.' }],
        components: [{ name: 'Boiler' }],
      },
    },
  },
  {
    name: 'component',
    event: 'component',
    payload: {
      page,
      component: { name: 'Boiler' },
      component_update: { old_status: 'operational', new_status: 'major_outage' },
    },
  },
];
