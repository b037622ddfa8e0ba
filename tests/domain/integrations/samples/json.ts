import type { Sample } from '../sample.ts';

export const samples: Sample[] = [
  { name: 'any JSON', payload: { temperature: 101, tags: ['hot', '@**all**'], text: '```' } },
];
