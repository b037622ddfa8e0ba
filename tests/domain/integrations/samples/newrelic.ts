import type { Sample } from '../sample.ts';

const payload = {
  issueUrl: 'https://radar-api.service.newrelic.com/issues/1',
  title: 'Too hot',
  priority: 'CRITICAL',
  totalIncidents: 2,
  createdAt: 1795687200000,
  updatedAt: 1795690800000,
  alertPolicyNames: ['Boiler'],
  alertConditionNames: ['Temperature', 'Pressure'],
};
const of = (state: string, more: object = {}): Sample => ({
  name: state,
  event: state,
  payload: { ...payload, state, ...more },
});

export const samples: Sample[] = [
  of('CREATED', { owner: 'Ada', zulipCustomFields: { Floor: '2' } }),
  of('ACTIVATED', { priority: 'HIGH' }),
  of('CLOSED', { priority: 'OTHER' }),
  { name: 'incomplete', event: 'CREATED', payload: { title: 'Too hot' } },
];
