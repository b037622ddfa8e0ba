import type { Sample } from '../sample.ts';

const of = (name: string, member: object): Sample => ({
  name,
  payload: {
    data: {
      member: { memberCollective: member },
      order: { formattedAmountWithInterval: '€10.00 / month' },
      collective: { name: 'Engines' },
    },
  },
});

export const samples: Sample[] = [
  of('new member', { name: 'Ada', slug: 'ada' }),
  of('someone without a name', {}),
];
