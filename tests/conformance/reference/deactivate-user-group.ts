import { type Chapter, error, event, field, parameter, testsOf, transition } from './statement.ts';

const calls = testsOf('api/user-groups/deactivate-user-group.test.ts');
const used = (title: string) => calls(`a group in use > a group in use ${title}`);
const TOLD = calls(
  'deactivating a group > is an update for clients that know of deactivated groups, and a removal for others',
);

export const deactivateUserGroup: Chapter = {
  route: 'POST /user_groups/{user_group_id}/deactivate',
  statements: [
    parameter('`user_group_id`, in the path: an integer', calls('what is no group to deactivate > %s')),
    transition(
      'An active group that nothing uses becomes deactivated',
      calls('deactivating a group > is what every user sees afterwards; clients know of such groups: %s'),
    ),
    transition(
      'A deactivated group serves no permission and no other purpose',
      calls('deactivating a group > leaves no user with what the group was allowed'),
    ),
    transition(
      'A deactivated group can be renamed',
      testsOf('api/user-groups/edit-user-group.test.ts')(
        'a deactivated group > may be renamed, of which only clients hear that know of such groups',
      ),
    ),
    transition('A group in use stays as it is', used('by settings of the organization')),
    error('BAD_REQUEST for an invalid group', calls('what is no group to deactivate > %s')),
    error(
      'CANNOT_DEACTIVATE_GROUP_IN_USE for one that a setting names',
      used('by settings of the organization'),
      used('by settings of channels, but not of archived ones'),
      used('by settings of groups, its own included, but not of deactivated ones'),
    ),
    error('The same for one that is a subgroup', used('as a subgroup, but not of deactivated groups')),
    field(
      '`objections`: objects of a `type`, `realm` for settings of the organization',
      used('by settings of the organization'),
      used('in every way at once: subgroup, channels, groups and organization, in this order'),
    ),
    field(
      '`settings` of an objection: names of the settings that use the group',
      used('by settings of the organization'),
      used(
        'by settings of private channels that the caller may not know of, without saying which or how many',
      ),
    ),
    event('Clients without `include_deactivated_groups` get a removal, others an update', TOLD),
  ],
};
