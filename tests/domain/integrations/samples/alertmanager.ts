import type { Sample } from '../sample.ts';

const alert = (instance: string | undefined, status: string, alertname = 'TooHot') => ({
  status,
  labels: { alertname, ...(instance && { instance }) },
  annotations: { summary: 'It is too hot' },
  generatorURL: 'https://prometheus.example/graph?g0.expr=up&g0.tab=1',
});

export const samples: Sample[] = [
  {
    name: 'two alerts of a machine and one of another',
    payload: {
      alerts: [alert('boiler', 'firing'), alert('boiler', 'firing', 'Smoke'), alert('wheel', 'resolved')],
    },
  },
  {
    name: 'other fields',
    query: { name: 'alertname', desc: 'summary' },
    payload: { alerts: [alert('boiler', 'firing')] },
  },
  { name: 'missing fields', query: { desc: 'nothing' }, payload: { alerts: [alert(undefined, 'firing')] } },
];
