import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { Action, Scene } from './action.ts';
import { isAdministrator, note, oneOf } from './action.ts';

const customGroupOf = ({ random, state }: Scene): SnapshotData | undefined =>
  oneOf(
    random,
    (state.realm_user_groups as SnapshotData[]).filter((one) => !one.is_system_group && !one.deactivated),
  );
const someone = ({ random, cast }: Scene): number => random.pick(cast).userId;

const groupActions: Action[] = [
  {
    operation: 'createUserGroup',
    by: isAdministrator,
    announces: 'user_group/add',
    times: 4,
    given: (scene) => ({
      name: scene.label('Group'),
      description: '',
      members: [someone(scene)],
      subgroups: scene.random.chance(0.3) ? [4] : [],
    }),
  },
  {
    operation: 'editUserGroup',
    by: isAdministrator,
    announces: 'user_group/update',
    given: (scene) => {
      const group = customGroupOf(scene);
      return group && { user_group_id: group.id, name: scene.label('Group') };
    },
  },
  {
    operation: 'editUserGroup',
    by: isAdministrator,
    times: 2,
    given: ({ random, state }) => {
      const group = oneOf(
        random,
        (state.realm_user_groups as SnapshotData[]).filter(({ deactivated }) => deactivated),
      );
      return group && { user_group_id: group.id, deactivated: false };
    },
  },
  ...(['add', 'delete'] as const).flatMap((what): Action[] => [
    {
      operation: 'editUserGroupMembers',
      by: isAdministrator,
      times: 3,
      given: (scene) => {
        const group = customGroupOf(scene);
        const ids = what === 'add' ? [someone(scene)] : group?.members.slice(0, 1);
        return group && ids?.length > 0 ? { user_group_id: group.id, [what]: ids } : undefined;
      },
    },
    {
      operation: 'editUserGroupSubgroups',
      by: isAdministrator,
      times: 3,
      given: (scene) => {
        const [group, other] = [customGroupOf(scene), customGroupOf(scene)];
        if (!group || !other) return undefined;
        const ids = what === 'add' ? [other.id] : group.direct_subgroup_ids.slice(0, 1);
        return ids.length > 0 && ids[0] !== group.id ? { user_group_id: group.id, [what]: ids } : undefined;
      },
    },
  ]),
  {
    operation: 'deactivateUserGroup',
    times: 2,
    by: isAdministrator,
    given: (scene) => {
      const group = customGroupOf(scene);
      return group && { user_group_id: group.id };
    },
  },
];

const fieldActions: Action[] = [
  {
    operation: 'createProfileField',
    times: 3,
    given: ({ label }) => ({ name: label('Field'), field_type: 1 }),
  },
  {
    operation: 'editProfileField',
    given: ({ random, state, label }) => {
      const field = oneOf(random, state.custom_profile_fields as SnapshotData[]);
      return field && { field_id: field.id, name: label('Field') };
    },
  },
  {
    operation: 'reorderProfileFields',
    given: ({ state }) => {
      const order = (state.custom_profile_fields as SnapshotData[]).map(({ id }) => id);
      return order.length > 1 ? { order: order.reverse() } : undefined;
    },
  },
  {
    operation: 'deleteProfileField',
    times: 2,
    given: ({ random, state }) => {
      const field = oneOf(random, state.custom_profile_fields as SnapshotData[]);
      return field && { field_id: field.id };
    },
  },
];

const textActions: Action[] = [
  {
    operation: 'createLinkifier',
    times: 3,
    given: ({ word }) => ({
      pattern: `${word('L')}-(?P<id>[0-9]+)`,
      url_template: 'https://example.com/{id}',
    }),
  },
  {
    operation: 'editLinkifier',
    given: ({ random, state, word }) => {
      const linkifier = oneOf(random, state.realm_linkifiers as SnapshotData[]);
      return (
        linkifier && {
          filter_id: linkifier.id,
          pattern: `${word('L')}-(?P<id>[0-9]+)`,
          url_template: 'https://example.com/{id}',
        }
      );
    },
  },
  {
    operation: 'reorderLinkifiers',
    given: ({ state }) => {
      const ids = (state.realm_linkifiers as SnapshotData[]).map(({ id }) => id);
      return ids.length > 1 ? { ordered_linkifier_ids: ids.reverse() } : undefined;
    },
  },
  {
    operation: 'deleteLinkifier',
    given: ({ random, state }) => {
      const linkifier = oneOf(random, state.realm_linkifiers as SnapshotData[]);
      return linkifier && { filter_id: linkifier.id };
    },
  },
  {
    operation: 'createPlayground',
    times: 2,
    given: ({ label }) => ({
      name: label('Playground'),
      pygments_language: 'Python',
      url_template: 'https://example.com/?code={code}',
    }),
  },
  {
    operation: 'deletePlayground',
    given: ({ random, state }) => {
      const playground = oneOf(random, state.realm_playgrounds as SnapshotData[]);
      return playground && { playground_id: playground.id };
    },
  },
];

const domainActions: Action[] = [
  { operation: 'createDomain', times: 2, given: ({ word }) => ({ domain: `${word('d')}.example.org` }) },
  {
    operation: 'editDomain',
    given: ({ random, state }) => {
      const domain = oneOf(random, state.realm_domains as SnapshotData[]);
      return domain && { domain: domain.domain, allow_subdomains: random.chance(0.7) };
    },
  },
  {
    operation: 'deleteDomain',
    given: ({ random, state }) => {
      const domain = oneOf(random, state.realm_domains as SnapshotData[]);
      return domain && { domain: domain.domain };
    },
  },
];

const settingActions: Action[] = [
  {
    operation: 'editOrganization',
    times: 2,
    given: ({ label }) => ({ description: label('Organization') }),
  },
  {
    operation: 'editOrganization',
    times: 3,
    given: ({ random }) => ({ can_access_all_users_group: { new: random.pick([6, 6, 7]) } }),
  },
  {
    operation: 'editOrganization',
    given: ({ random, state }) => {
      const channel = oneOf(random, state.subscriptions as SnapshotData[]);
      return channel && { moderation_request_channel_id: channel.stream_id };
    },
  },
  {
    operation: 'editOrganization',
    given: ({ random }) => ({ message_retention_days: random.between(100, 900) }),
  },
  {
    operation: 'editUserDefaults',
    times: 2,
    given: ({ random }) => ({ web_font_size_px: random.between(10, 24) }),
  },
  {
    operation: 'testWelcomeMessage',
    given: ({ label }) => ({ welcome_message_custom_text: label('Greeting', 'private') }),
  },
  { operation: 'uploadOrganizationIcon', hasPicture: true, given: () => ({}) },
  { operation: 'deleteOrganizationIcon', given: () => ({}) },
  { operation: 'uploadOrganizationLogo', hasPicture: true, given: () => ({ night: true }) },
  { operation: 'deleteOrganizationLogo', given: () => ({ night: true }) },
  {
    operation: 'createExport',
    given: () => ({}),
    after: ({ notes }, reply) => note(notes, 'export', reply),
  },
  {
    operation: 'deleteExport',
    times: 2,
    given: ({ random, notes }) => {
      const one = oneOf(random, notes.get('export'));
      return one && { export_id: one.id };
    },
  },
];

/** The contents and settings of the organization. */
export const organizationActions: Action[] = [
  ...groupActions,
  ...fieldActions,
  ...textActions,
  ...domainActions,
  ...settingActions,
];
