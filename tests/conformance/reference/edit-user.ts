import { type Chapter, error, operation, parameter, rule, testsOf } from './statement.ts';

const calls = testsOf('api/users/edit-user/edit-user.test.ts');
const profile = testsOf('api/users/edit-user/edit-user-profile.test.ts');
const roles = testsOf('api/users/edit-user/edit-user-role.test.ts');
const addresses = testsOf('api/users/edit-user/edit-user-email.test.ts');

const BY_ADDRESS = calls(
  'who may change a user > an administrator may, by id and by address in any letter case',
);
const REFUSED = calls('bad input > %j is refused and changes nothing');

export const editUser: Chapter = {
  route: 'PATCH /users/{user_id_or_email}',
  statements: [
    operation('Changes a user who is named by their address', BY_ADDRESS),
    operation(
      'The reply has no fields of its own',
      calls('bad input > nothing to change is a success, and unknown parameters are named'),
    ),
    rule('Administrators may call it', BY_ADDRESS),
    rule(
      'No other user may',
      calls(
        'who may change a user > no other user may, not even themselves, and whether the user exists does not show',
      ),
    ),
    rule(
      'Where the caller may not see the real address, the dummy `user{id}@{host}` names the user',
      testsOf('api/users/get-user-address.test.ts')(
        'a hidden address cannot be probed > a hidden address cannot be probed by changing it as an administrator who may not see it',
      ),
    ),
    parameter('`email`, in the path', BY_ADDRESS, calls('who may change a user > no user is called %s')),
    parameter('`full_name`: text', calls('full_name > %j is refused'), [
      'api/users/edit-user/edit-user.test.ts',
      'full_name > is told to every user, and stays as it is for white space and for the same name',
    ]),
    parameter(
      '`role`: 100, 200, 300, 400 or 600',
      roles('a role > may be changed to %i by an administrator'),
      roles('the owner role > is given and taken by owners only'),
      REFUSED,
    ),
    rule(
      'Only owners give and take the owner role',
      roles('the owner role > is given and taken by owners only'),
    ),
    rule(
      'The only owner stays one',
      roles('the owner role > stays with the only owner: bots and deactivated owners do not replace them'),
      roles(
        'the owner role > stays with one of two owners who take it from each other, or from themselves, at once',
      ),
    ),
    parameter(
      '`profile_data`: objects of `id` and `value`, both required',
      profile(
        'profile_data > is told to every user, field by field, also what people may not fill in themselves',
      ),
      profile('profile_data > %s is refused'),
    ),
    parameter(
      'A `value` is text, null or user ids; null clears it',
      profile('profile_data > is taken away by null, an empty text and an empty list'),
      profile(
        'profile_data > is told to every user, field by field, also what people may not fill in themselves',
      ),
    ),
    parameter(
      '`new_email`: text',
      addresses('new_email > is the address to sign in with from then on, with the same key and password'),
      addresses('addresses that are refused > %j'),
    ),
    rule(
      '`new_email` asks for an owner with the special permission',
      addresses(
        'who may change addresses > is an owner with the special permission, which others cannot even try',
      ),
      addresses('who may change addresses > loses the permission’s use with the owner role'),
    ),
    error(
      'BAD_REQUEST for a guest who is to become an administrator',
      roles(
        'a role > a role of a guest has to become a member’s before it becomes an administrator’s or owner’s',
      ),
    ),
    error('BAD_REQUEST for an invalid change of a role', REFUSED),
  ],
};
