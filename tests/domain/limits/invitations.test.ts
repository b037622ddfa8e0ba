import { expect, test } from 'vitest';
import { inBatches, revocationChange } from '#shared/domain/invitations/changes.ts';
import type { Invitation } from '#shared/domain/invitations/invitation.ts';
import { idsFrom } from './edge.ts';

test('Thirty invitations fit into one change, since each needs up to three of its hundred writes', () => {
  expect(inBatches(idsFrom(1, 61)).map(({ length }) => length)).toEqual([30, 30, 1]);
});

test('The revocation of a link is remembered for thirty days', () => {
  const link = { invitationId: 7, kind: 'link', inviterId: 1 } as Invitation;
  expect(revocationChange(link, 1_000).writes).toMatchObject([
    { set: { isRevoked: true, expiresAtSeconds: 1_000 + 2_592_000 }, remove: ['due', 'dueAtSeconds'] },
  ]);
});
