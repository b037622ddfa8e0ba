import type { Sample } from '../sample.ts';

export const samples: Sample[] = [
  { name: 'message', payload: { topic: 'Sales', content: 'A new customer.' } },
  { name: 'message of an older zap', payload: { subject: 'Sales', content: 'A new customer.' } },
  { name: 'check of the key', payload: { type: 'auth' } },
];
