import type { Sample } from '../sample.ts';

export const samples: Sample[] = [{ name: 'message', payload: { topic: 'Weather', content: 'It rains.' } }];
