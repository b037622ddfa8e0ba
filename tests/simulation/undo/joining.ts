import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import { ACTION_PASSWORD } from '#tests/simulation/actions/users.ts';
import type { View } from './observation.ts';
import type { Scenario } from './scenario.ts';
import { absence, channelsIn, step, unless } from './scenario.ts';

/** More channels than come in the transaction of a new account. */
const CHANNELS = 26;

const userIdIn = ({ members }: SnapshotData, fullName: string): number =>
  Number(members.find((member: SnapshotData) => member.full_name === fullName)?.user_id);

/** Removes a new account from the comparison: it did not exist before. */
const forgetUser =
  (fullName: string, channelIds: number[]) =>
  ({ snapshot }: View): void => {
    const user = snapshot.realm_users.find((person: SnapshotData) => person.full_name === fullName);
    if (!user) return;
    snapshot.realm_users = snapshot.realm_users.filter((person: SnapshotData) => person !== user);
    for (const group of snapshot.realm_user_groups)
      group.members = group.members.filter((id: number) => id !== user.user_id);
    for (const channel of channelsIn(snapshot)) {
      if (!channelIds.includes(channel.stream_id)) continue;
      channel.subscribers = channel.subscribers?.filter((id: number) => id !== user.user_id);
      channel.subscriber_count -= 1;
    }
  };

/** People who are invited and join, while accounts come and go. */
export const joiningScenarios: Scenario[] = [
  {
    name: 'a newcomer is deactivated before they are everywhere, and reactivated',
    prepare: async (stage) => {
      const channels: number[] = [];
      for (let n = 0; n < CHANNELS; n++) channels.push((await stage.channel(['Ada'])).channelId);
      const groupId = await stage.group(['Ada']);
      const fullName = stage.name('Newcomer');
      const email = `${fullName.replaceAll(' ', '-').toLowerCase()}@example.com`;
      await stage.call(stage.owner, 'createInvitations', {
        invitee_emails: email,
        stream_ids: channels,
        group_ids: [groupId],
        include_realm_default_subscriptions: false,
      });
      const target = async () => ({
        user_id_or_email: userIdIn(await stage.query(stage.owner, 'listUsers'), fullName),
      });
      return {
        isOnce: true,
        act: [
          step(stage.owner, 'joinOrganization', async () => ({
            key: stage.world.mailedKeys.findLast(({ to }) => to === email)?.key,
            full_name: fullName,
            password: ACTION_PASSWORD,
          })),
          step('Ada', 'deactivateUser', target),
        ],
        undo: [step('Ada', 'reactivateUser', target)],
        forget: forgetUser(fullName, channels),
        claims: async ({ seen }) => {
          const userId = userIdIn(await stage.call(stage.owner, 'listUsers'), fullName);
          const { snapshot } = seen.get('Ada') as { snapshot: SnapshotData };
          const joined = snapshot.subscriptions.filter(
            ({ stream_id: id, subscribers }: SnapshotData) =>
              channels.includes(id) && subscribers.includes(userId),
          );
          const group = snapshot.realm_user_groups.find(({ id }: SnapshotData) => id === groupId);
          return [
            ...unless(
              joined.length === CHANNELS,
              `The newcomer is in ${joined.length} of ${CHANNELS} channels`,
            ),
            ...unless(group.members.includes(userId), 'The newcomer is not in the group'),
          ];
        },
      };
    },
  },
  {
    name: 'an inviter is deactivated and reactivated: earlier invitations are gone, later ones stay',
    prepare: async (stage) => {
      const invite = (email: string) => ({ invitee_emails: email, stream_ids: [] });
      const [before, after] = ['before', 'after'].map(
        (when) => `${stage.name(when).replaceAll(' ', '-')}@example.com`,
      ) as [string, string];
      await stage.call('Ada', 'createInvitations', invite(before));
      const [deactivation, reactivation] = absence(stage, 'Ada', stage.owner);
      return {
        act: [deactivation],
        undo: [reactivation, step('Ada', 'createInvitations', invite(after))],
        claims: async () => {
          const { invites } = await stage.call(stage.owner, 'listInvitations');
          const emails = invites.map(({ email }: SnapshotData) => email);
          return [
            ...unless(!emails.includes(before), 'An invitation outlived the account of its inviter'),
            ...unless(
              emails.includes(after),
              'An invitation is gone that was made after the inviter was back',
            ),
          ];
        },
      };
    },
  },
];
