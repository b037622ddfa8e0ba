import type { Sample } from '../sample.ts';

const card = { name: 'Oil the wheels', shortLink: 'r33ylX2Z' };
const board = { name: 'Engine', shortLink: 'iqXXzYEj' };
const of = (type: string, data: object = {}, name = type): Sample => ({
  name,
  event: type,
  payload: {
    action: {
      type,
      memberCreator: { fullName: 'Ada' },
      member: { fullName: 'Grace' },
      data: { board, card, ...data },
    },
  },
});
const update = (name: string, old: object, more: object = {}) =>
  of('updateCard', { old, card: { ...card, ...more } }, `card ${name}`);
const DUE = '2026-12-01T10:00:00.000Z';

export const samples: Sample[] = [
  of('createCard'),
  of('updateCard', { listBefore: { name: 'Todo' }, listAfter: { name: 'Done' } }, 'card moved'),
  update('renamed', { name: 'Oil' }),
  update('described', { desc: '' }, { desc: 'All four' }),
  update('described otherwise', { desc: 'Three' }, { desc: 'All four' }),
  update('described no longer', { desc: 'Three' }, { desc: '' }),
  update('due', { due: null }, { due: DUE }),
  update('due later', { due: '2026-11-30T10:00:00.000Z' }, { due: DUE }),
  update('due no longer', { due: DUE }, { due: null }),
  update('archived', { closed: false }, { closed: true }),
  update('reopened', { closed: true }, { closed: false }),
  update('moved within its list', { pos: 1 }, { pos: 2 }),
  of('addLabelToCard', { label: { name: 'urgent', color: 'red' } }),
  of('removeLabelFromCard', { text: '', value: 'red' }),
  of('addMemberToCard'),
  of('removeMemberFromCard'),
  of('addAttachmentToCard', { attachment: { name: 'wheel.png', url: 'https://acme.example/wheel.png' } }),
  of('addChecklistToCard', { checklist: { name: 'Wheels' } }),
  of('commentCard', { text: 'Looks good.' }),
  of('updateCheckItemStateOnCard', {
    checklist: { name: 'Wheels' },
    checkItem: { name: 'Left', state: 'complete' },
  }),
  of('addMemberToBoard'),
  of('removeMemberFromBoard'),
  of('createList', { list: { name: 'Later' } }),
  of('updateBoard', { old: { name: 'Motor' } }),
  of('updateBoard', { old: { prefs: {} } }, 'colour of the board'),
  of('copyCard'),
];
