import { type Chapter, error, operation, parameter, rule } from './statement.ts';

export const editUser: Chapter = {
  route: 'PATCH /users/{user_id_or_email}',
  statements: [
    operation('edit-user.1', 'Changes a user who is named by their address'),
    operation('edit-user.2', 'The reply has no fields of its own'),
    rule('edit-user.3', 'Administrators may call it'),
    rule('edit-user.4', 'No other user may'),
    rule(
      'edit-user.5',
      'If the caller may not see the real address, the dummy `user{id}@{host}` names the user',
    ),
    parameter('edit-user.6', '`email`, in the path'),
    parameter('edit-user.7', '`full_name`: text'),
    parameter('edit-user.8', '`role`: 100, 200, 300, 400 or 600'),
    rule('edit-user.9', 'Only owners give and take the owner role'),
    rule('edit-user.10', 'The only owner stays one'),
    parameter('edit-user.11', '`profile_data`: objects of `id` and `value`, both required'),
    parameter('edit-user.12', 'A `value` is text, null or user ids; null clears it'),
    parameter('edit-user.13', '`new_email`: text'),
    rule('edit-user.14', '`new_email` requires an owner with the special permission'),
    error('edit-user.15', 'BAD_REQUEST for a guest who is to become an administrator'),
    error('edit-user.16', 'BAD_REQUEST for an invalid change of a role'),
  ],
};
