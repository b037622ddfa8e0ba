import type { World } from '#tests/conformance/world.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { keyMailedTo, keyOf } from '#tests/harness/mails.ts';
import { PASSWORD } from '#tests/harness/service.ts';

const newEmail = ({ nextNumber }: World): string => `invited${nextNumber()}@example.com`;

/** Other samples leave it so that no user can join. */
const openToAll = ({ caller }: World) => caller.patch('/realm', { emails_restricted_to_domains: false });

async function invite(world: World): Promise<{ id: number; email: string }> {
  const { caller } = world;
  await openToAll(world);
  const email = newEmail(world);
  await caller.post('/invites', { invitee_emails: email, stream_ids: [] });
  return { id: await idOf(caller, (one) => one.email === email), email };
}

async function makeLink({ caller }: World): Promise<{ id: number; key: string }> {
  const { body } = await caller.post('/invites/multiuse');
  const id = await idOf(caller, (one) => one.link_url === body.invite_link);
  return { id, key: keyOf(body.invite_link) ?? '' };
}

async function idOf(caller: Client, isMeant: (invitation: Params) => boolean): Promise<number> {
  const { body } = await caller.get('/invites');
  return body.invites.find(isMeant).id;
}

/** Samples of the operations on invitations, and of those by which people join. */
export const invitationSamples = {
  confirmAddress: async (world: World) => {
    await openToAll(world);
    return { email: newEmail(world), key: (await makeLink(world)).key };
  },
  createInvitationLink: ({ channelId }: World) => ({ stream_ids: [channelId], invite_as: 600 }),
  createInvitations: async (world: World) => {
    await openToAll(world);
    return {
      invitee_emails: newEmail(world),
      stream_ids: [world.channelId],
      include_realm_default_subscriptions: true,
    };
  },
  getInvitation: async (world: World) => ({ key: (await makeLink(world)).key }),
  joinOrganization: async (world: World) => {
    const { email } = await invite(world);
    await world.service.settle();
    return {
      key: keyMailedTo(world.service, email),
      full_name: `Sample ${world.nextNumber()}`,
      password: PASSWORD,
    };
  },
  listInvitations: () => ({}),
  resendInvitation: async (world: World) => ({ invite_id: (await invite(world)).id }),
  revokeInvitation: async (world: World) => ({ invite_id: (await invite(world)).id }),
  revokeInvitationLink: async (world: World) => ({ invite_id: (await makeLink(world)).id }),
};
