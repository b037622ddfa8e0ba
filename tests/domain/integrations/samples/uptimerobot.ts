import type { Sample } from '../sample.ts';

const payload = {
  monitor_url: 'https://engine.example',
  monitor_friendly_name: 'Engine',
  alert_details: 'HTTP 200 - OK',
  alert_friendly_duration: '1 minute and 7 seconds',
};

export const samples: Sample[] = [
  { name: 'up', event: 'up', payload: { ...payload, alert_type_friendly_name: 'Up' } },
  {
    name: 'down',
    event: 'down',
    payload: { ...payload, alert_type_friendly_name: 'Down', alert_details: 'No connection' },
  },
];
