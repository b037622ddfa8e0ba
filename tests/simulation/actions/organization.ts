import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { Action, OperationName, Params, Scene } from './action.ts';
import { entryOf, isAdministrator, note, on, oneOf, someone } from './action.ts';

const customGroupOf = entryOf('realm_user_groups', (group) => !group.is_system_group && !group.deactivated);

const groupActions: Action[] = [
  {
    operation: 'createUserGroup',
    by: isAdministrator,
    announces: 'user_group/add',
    times: 4,
    params: (scene) => ({
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
    params: on(customGroupOf, ({ id }, { label }) => ({ user_group_id: id, name: label('Group') })),
  },
  {
    operation: 'editUserGroup',
    by: isAdministrator,
    times: 2,
    params: on(
      entryOf('realm_user_groups', ({ deactivated }) => deactivated),
      ({ id }) => ({ user_group_id: id, deactivated: false }),
    ),
  },
  ...(['add', 'delete'] as const).flatMap((what): Action[] => [
    {
      operation: 'editUserGroupMembers',
      by: isAdministrator,
      times: 3,
      params: on(customGroupOf, ({ id, members }, scene) => {
        const ids = what === 'add' ? [someone(scene)] : members.slice(0, 1);
        return ids.length > 0 ? { user_group_id: id, [what]: ids } : undefined;
      }),
    },
    {
      operation: 'editUserGroupSubgroups',
      by: isAdministrator,
      times: 3,
      params: on(customGroupOf, ({ id, direct_subgroup_ids: subgroups }, scene) => {
        const ids = what === 'add' ? [customGroupOf(scene)?.id] : subgroups.slice(0, 1);
        return ids.length > 0 && ids[0] !== id ? { user_group_id: id, [what]: ids } : undefined;
      }),
    },
  ]),
  {
    operation: 'deactivateUserGroup',
    times: 2,
    by: isAdministrator,
    params: on(customGroupOf, ({ id }) => ({ user_group_id: id })),
  },
];

/** Puts the entries of a part of the state into the reverse order. */
const reversal = (operation: OperationName, part: string, parameter: string): Action => ({
  operation,
  params: ({ state }) => {
    const ids = (state[part] as SnapshotData[]).map(({ id }) => id);
    return ids.length > 1 ? { [parameter]: ids.reverse() } : undefined;
  },
});

const fieldOf = entryOf('custom_profile_fields');

const fieldActions: Action[] = [
  {
    operation: 'createProfileField',
    times: 3,
    params: ({ label }) => ({ name: label('Field'), field_type: 1 }),
  },
  {
    operation: 'editProfileField',
    params: on(fieldOf, ({ id }, { label }) => ({ field_id: id, name: label('Field') })),
  },
  reversal('reorderProfileFields', 'custom_profile_fields', 'order'),
  { operation: 'deleteProfileField', times: 2, params: on(fieldOf, ({ id }) => ({ field_id: id })) },
];

const linkifierOf = entryOf('realm_linkifiers');
const patternOf = ({ word }: Scene): Params => ({
  pattern: `${word('L')}-(?P<id>[0-9]+)`,
  url_template: 'https://example.com/{id}',
});

const textActions: Action[] = [
  { operation: 'createLinkifier', times: 3, params: patternOf },
  {
    operation: 'editLinkifier',
    params: on(linkifierOf, ({ id }, scene) => ({ filter_id: id, ...patternOf(scene) })),
  },
  reversal('reorderLinkifiers', 'realm_linkifiers', 'ordered_linkifier_ids'),
  { operation: 'deleteLinkifier', params: on(linkifierOf, ({ id }) => ({ filter_id: id })) },
  {
    operation: 'createPlayground',
    times: 2,
    params: ({ label }) => ({
      name: label('Playground'),
      pygments_language: 'Python',
      url_template: 'https://example.com/?code={code}',
    }),
  },
  {
    operation: 'deletePlayground',
    params: on(entryOf('realm_playgrounds'), ({ id }) => ({ playground_id: id })),
  },
];

const domainOf = entryOf('realm_domains');

const domainActions: Action[] = [
  { operation: 'createDomain', times: 2, params: ({ word }) => ({ domain: `${word('d')}.example.org` }) },
  {
    operation: 'editDomain',
    params: on(domainOf, ({ domain }, { random }) => ({ domain, allow_subdomains: random.chance(0.7) })),
  },
  { operation: 'deleteDomain', params: on(domainOf, ({ domain }) => ({ domain })) },
];

const settingActions: Action[] = [
  {
    operation: 'editOrganization',
    times: 2,
    params: ({ label }) => ({ description: label('Organization') }),
  },
  {
    operation: 'editOrganization',
    times: 3,
    params: ({ random }) => ({ can_access_all_users_group: { new: random.pick([6, 6, 7]) } }),
  },
  {
    operation: 'editOrganization',
    params: on(entryOf('subscriptions'), ({ stream_id: id }) => ({ moderation_request_channel_id: id })),
  },
  {
    operation: 'editOrganization',
    params: ({ random }) => ({ message_retention_days: random.between(100, 900) }),
  },
  {
    operation: 'editUserDefaults',
    times: 2,
    params: ({ random }) => ({ web_font_size_px: random.between(10, 24) }),
  },
  {
    operation: 'testWelcomeMessage',
    params: ({ label }) => ({ welcome_message_custom_text: label('Greeting', 'private') }),
  },
  { operation: 'uploadOrganizationIcon', hasPicture: true },
  { operation: 'deleteOrganizationIcon' },
  { operation: 'uploadOrganizationLogo', hasPicture: true, params: () => ({ night: true }) },
  { operation: 'deleteOrganizationLogo', params: () => ({ night: true }) },
  { operation: 'createExport', after: ({ notes }, reply) => note(notes, 'export', reply) },
  {
    operation: 'deleteExport',
    times: 2,
    params: on(
      ({ random, notes }) => oneOf(random, notes.get('export')),
      ({ id }) => ({ export_id: id }),
    ),
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
