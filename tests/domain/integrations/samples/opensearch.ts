import type { Sample } from '../sample.ts';

export const samples: Sample[] = [
  { name: 'text', text: 'Too many errors.\nLook at them.' },
  { name: 'text with a topic', text: 'topic: Errors\nToo many of them.' },
  { name: 'text with an empty topic', text: 'topic:\nToo many of them.' },
];
