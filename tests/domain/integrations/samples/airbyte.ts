import type { Sample } from '../sample.ts';

const data = {
  workspace: { name: 'Acme' },
  connection: { name: 'Heat', url: 'https://cloud.airbyte.com/connections/1' },
  source: { name: 'Boiler', url: 'https://cloud.airbyte.com/source/1' },
  destination: { name: 'Lake', url: 'https://cloud.airbyte.com/destination/1' },
  durationFormatted: '9 hours 36 min',
  recordsEmitted: 89,
  recordsCommitted: 45,
  bytesEmittedFormatted: '1000 B',
  bytesCommittedFormatted: '90 B',
};

export const samples: Sample[] = [
  { name: 'success', event: 'success', payload: { data: { ...data, success: true } } },
  {
    name: 'failure',
    event: 'failure',
    payload: { data: { ...data, success: false, errorMessage: 'Out of steam' } },
  },
  { name: 'test', event: 'test', payload: { text: 'Hello World! This is a test from Airbyte.' } },
];
