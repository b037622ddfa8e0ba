import { type Chapter, error, event, field, parameter, transition } from './statement.ts';

export const deactivateUserGroup: Chapter = {
  route: 'POST /user_groups/{user_group_id}/deactivate',
  statements: [
    parameter('deactivate-user-group.1', '`user_group_id`, in the path: an integer'),
    transition('deactivate-user-group.2', 'An active group that nothing uses becomes deactivated'),
    transition('deactivate-user-group.3', 'A deactivated group serves no permission and no other purpose'),
    transition('deactivate-user-group.4', 'A deactivated group can be renamed'),
    transition('deactivate-user-group.5', 'A group in use stays as it is'),
    error('deactivate-user-group.6', 'BAD_REQUEST for an invalid group'),
    error('deactivate-user-group.7', 'CANNOT_DEACTIVATE_GROUP_IN_USE for one that a setting names'),
    error('deactivate-user-group.8', 'The same for one that is a subgroup'),
    field(
      'deactivate-user-group.9',
      '`objections`: objects of a `type`, `realm` for settings of the organization',
    ),
    field('deactivate-user-group.10', '`settings` of an objection: names of the settings that use the group'),
    event(
      'deactivate-user-group.11',
      'Clients without `include_deactivated_groups` get a removal, others an update',
    ),
  ],
};
