import type { Sample } from '../sample.ts';

export const samples: Sample[] = [
  {
    name: 'deployment',
    form: {
      app: 'engine',
      user: 'ada@example.com',
      head: '4f20bdd',
      url: 'https://engine.herokuapp.com',
      git_log: '* ada: Oil the wheels',
    },
  },
  {
    name: 'deployment without commits',
    form: {
      app: 'engine',
      user: 'ada@example.com',
      head: '4f20bdd',
      url: 'https://engine.herokuapp.com',
      git_log: '',
    },
  },
];
