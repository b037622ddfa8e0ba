import type { Guide } from '../guide.ts';
import type { Team } from './arrive.ts';

/** The actions of owners and administrators: people, groups, emoji, invitations, exports. */
export async function administrate(guide: Guide, team: Team): Promise<void> {
  guide.chapter('Administrating');
  await promote(guide, team);
  await retireGroup(guide, team);
  await retireEmoji(guide, team);
  await inviteSomebody(guide, team);
  guide.say('Which exports of the data are there?');
  await guide.call('GET /export/realm', { as: team.owner, expect: { exports: [] } });
}

async function promote(guide: Guide, { owner, ada, bo }: Team): Promise<void> {
  guide.say('Bo becomes a moderator under a longer name; Ada may not do such things.');
  const change = { full_name: `${bo.name} Builder`, role: 300 };
  await guide.call(`PATCH /users/${bo.email}`, {
    as: ada,
    parameters: change,
    status: 400,
    expect: { msg: 'Insufficient permission' },
  });
  await guide.call(`PATCH /users/${bo.email}`, { as: owner, parameters: change });
}

async function retireGroup(guide: Guide, { owner, ada, channel, mark }: Team): Promise<void> {
  guide.say('A group that a channel relies on cannot go; the reply says who objects.');
  const { group_id: group } = await guide.call('POST /user_groups/create', {
    as: owner,
    parameters: { name: `designers-${mark}`, description: 'People who draw', members: [ada.userId] },
  });
  await guide.call(`PATCH /streams/${channel.id}`, {
    as: ada,
    parameters: { can_send_message_group: { new: group } },
  });
  await guide.call(`POST /user_groups/${group}/deactivate`, {
    as: owner,
    status: 400,
    expect: {
      code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
      objections: [{ type: 'channel', channel_id: channel.id }],
    },
  });
  const { user_groups: groups } = await guide.call('GET /user_groups', { as: ada });
  const everyone = groups.find(({ name }: { name: string }) => name === 'role:everyone').id;
  await guide.call(`PATCH /streams/${channel.id}`, {
    as: ada,
    parameters: { can_send_message_group: { new: everyone } },
  });
  await guide.call(`POST /user_groups/${group}/deactivate`, { as: owner });
}

/** Four pixels of one colour. */
const PICTURE = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAFElEQVR42mP8z8BQz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC',
    'base64',
  ),
);

async function retireEmoji(guide: Guide, { owner, mark }: Team): Promise<void> {
  guide.say('The team had an emoji of its own; it is not used any more.');
  const file = { name: 'round.png', mediaType: 'image/png', bytes: PICTURE };
  await guide.call(`POST /realm/emoji/round_${mark}`, { as: owner, file });
  await guide.call(`DELETE /realm/emoji/round_${mark}`, { as: owner });
  await guide.call(`DELETE /realm/emoji/round_${mark}`, {
    as: owner,
    status: 404,
    expect: { code: 'BAD_REQUEST' },
  });
}

async function inviteSomebody(guide: Guide, { owner, channel, mark }: Team): Promise<void> {
  guide.say('Cy is invited, and as nothing happens, invited again.');
  const email = `cy.${mark}@example.com`;
  await guide.call('POST /invites', {
    as: owner,
    parameters: { invitee_emails: email, stream_ids: [channel.id] },
  });
  const { invites } = await guide.call('GET /invites', { as: owner });
  const { id } = invites.find((invite: { email?: string }) => invite.email === email);
  await guide.call(`POST /invites/${id}/resend`, { as: owner });
  await guide.call(`DELETE /invites/${id}`, { as: owner });
}
