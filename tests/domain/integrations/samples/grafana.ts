import type { Sample } from '../sample.ts';

const alert = {
  status: 'firing',
  labels: { alertname: 'Too hot', instance: 'boiler' },
  annotations: { summary: 'Above 100' },
  startsAt: '2026-11-26T10:00:00Z',
  endsAt: '0001-01-01T00:00:00Z',
  values: { A: 101 },
  generatorURL: 'https://grafana.example/alerting/1',
  silenceURL: 'https://grafana.example/silence',
  imageURL: 'https://grafana.example/1.png',
  fingerprint: '57c6d9296de2ad39',
};
const older = (state?: string): Sample => ({
  name: `older ${state ?? 'without a state'}`,
  event: state ?? 'unknown',
  payload: {
    title: '[Alerting] Too hot',
    ruleName: 'Too hot',
    ruleUrl: 'https://grafana.example/d/1',
    message: 'Above 100',
    imageUrl: 'https://grafana.example/1.png',
    evalMatches: [{ metric: 'temperature', value: 101 }],
    ...(state && { state }),
  },
});

export const samples: Sample[] = [
  {
    name: 'two alerts',
    payload: {
      title: 'Alerts',
      alerts: [
        alert,
        {
          ...alert,
          status: 'resolved',
          endsAt: '2026-11-26T11:00:00Z',
          values: null,
          valueString: '[ value=99 ]',
        },
      ],
    },
  },
  {
    name: 'an alert without a name',
    payload: { alerts: [{ ...alert, labels: {}, annotations: {}, values: {} }] },
  },
  ...['ok', 'pending', 'alerting', 'paused', 'no_data'].map(older),
  older(),
];
