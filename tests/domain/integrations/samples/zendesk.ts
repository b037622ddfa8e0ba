import type { Sample } from '../sample.ts';

export const samples: Sample[] = [
  {
    name: 'form',
    form: {
      ticket_id: '4',
      ticket_title: 'It smokes, and it does not stop smoking whatever we do to it',
      message: 'A lot of smoke.',
    },
  },
  { name: 'JSON', payload: { ticket_id: 4, ticket_title: 'It smokes', message: 'A lot of smoke.' } },
];
