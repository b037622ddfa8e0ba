import * as z from 'zod/mini';
import { accountOf } from '#shared/actions/users/account-of.ts';
import { listRoleEffects } from '#shared/actions/users/list-role-effects.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { profileData } from '#shared/api/contracts/profile-fields.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional, text, type ValuesOf } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { requireAllowedAddress } from '#shared/domain/organization/domains.ts';
import { mailDomainOf } from '#shared/domain/organization/organization.ts';
import { requireChangeable, requireMayAdministerUsers } from '#shared/domain/users/access.ts';
import {
  checkNewEmail,
  editChange,
  emailEdit,
  nameEdits,
  roleEdit,
  toldEmailEdit,
  type UserEdit,
} from '#shared/domain/users/edit.ts';
import {
  checkRole,
  findOtherOwner,
  isActiveOwner,
  requireMayChangeRole,
  requireRoleOfOwner,
  sameRoleCheck,
} from '#shared/domain/users/role.ts';
import { requireUniqueName } from '#shared/domain/users/unique-name.ts';
import { type Account, asOf, requireNoDummy, type User } from '#shared/domain/users/user.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { getUserNamed } from '#shared/store/users/addresses.ts';
import { getProfileKnowledge } from '#shared/store/users/profile-fields.ts';
import { findAccount, findUser, listUsers } from '#shared/store/users/users.ts';
import { readVisibilityRevision } from '#shared/store/visibility/visibility-revision.ts';
import type { Table } from '#shared/table/table.ts';

const params = {
  user_id_or_email: text(z.string(), 'The user, by id or by an address that the caller may know'),
  full_name: optional(text(z.string(), 'The name that others see; ignored when it is white space')),
  role: optional(json(z.int(), '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest')),
  new_email: optional(
    text(z.string(), 'Another address to sign in with; for owners with the special permission to change it'),
  ),
  profile_data: optional(json(profileData, 'Fields of the profile, each with its new value')),
};

/** Changes name, role, profile and address of a user; all or none. */
export const editUser = endpoint({
  route: 'PATCH /users/{user_id_or_email}',
  summary: 'Update a user',
  allow: 'user',
  needs: ['editUsers'],
  params,
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: [
    'realm_user/update',
    'user_group/add_members',
    'user_group/remove_members',
    'stream/create',
    'stream/delete',
    'default_stream_groups',
    'default_streams',
    'realm_user/add',
    'realm_user/remove',
    'user_status',
    'presence',
    'subscription/peer_add',
    'realm_bot/add',
    'realm_bot/delete',
    'invites_changed',
    'realm_export',
  ],
  uses: { table: 'write', areas: ['accounts'], bus: true },
  async handle(input, { services, caller }) {
    requireMayAdministerUsers(caller);
    const target = await getUserNamed(services.table, caller, input.user_id_or_email);
    requireChangeable(target);
    const edits = [
      ...(await loadNameEdits(services.table, target, input)),
      ...(await loadRoleEdits(services, caller, target, input)),
      ...(await loadProfileEdits(services.table, target, input)),
      ...(await loadEmailEdits(services, caller, target, input)),
    ];
    const change = editChange(await accountOf(services.table, target), edits);
    if (change) await commit(services, change);
    return {};
  },
});

export const handler = lambda(editUser, awsServices);

type Given = ValuesOf<typeof params>;

async function loadNameEdits(table: Table, target: User, input: Given): Promise<UserEdit[]> {
  const edits = nameEdits(target, input.full_name);
  const fullName = edits[0]?.set.fullName;
  if (fullName === undefined) return [];
  const { settings } = await getOrganization(table);
  if (settings.require_unique_names) requireUniqueName(fullName, await listUsers(table), target);
  return edits;
}

async function loadRoleEdits(
  { table, clock }: Services,
  caller: User,
  target: User,
  input: Given,
): Promise<UserEdit[]> {
  const role = input.role === undefined ? target.role : checkRole(input.role);
  if (role === target.role) return [];
  requireMayChangeRole(caller, target, role);
  const botOwner = target.botOwnerId === null ? undefined : await findUser(table, target.botOwnerId);
  if (botOwner) requireRoleOfOwner(botOwner, role);
  const otherOwner = isActiveOwner(target) ? findOtherOwner(await listUsers(table), target) : undefined;
  const visibilityRevision = await readVisibilityRevision(table);
  const effects = await listRoleEffects(table, asOf(target, toSeconds(clock.nowMs())), role);
  const edit = roleEdit(target, role, otherOwner, { effects, visibilityRevision });
  return [botOwner ? { ...edit, checks: [...edit.checks, sameRoleCheck(botOwner)] } : edit];
}

async function loadProfileEdits(table: Table, target: User, input: Given): Promise<UserEdit[]> {
  const { profile_data: values } = input;
  if (!values) return [];
  // Loaded on demand: profiles may contain Markdown, but few edits need its renderer.
  const [{ profileEdits }, known] = await Promise.all([
    import('#shared/domain/users/edit-profile.ts'),
    getProfileKnowledge(table, values),
  ]);
  return profileEdits(target, values, known);
}

async function loadEmailEdits(
  { table, config }: Services,
  caller: Account,
  target: User,
  input: Given,
): Promise<UserEdit[]> {
  if (input.new_email === undefined || input.new_email.trim() === target.email) return [];
  const email = checkNewEmail(caller, input.new_email);
  const holder = await findAccount(table, email);
  const organization = await getOrganization(table);
  requireNoDummy(email, mailDomainOf(organization));
  requireAllowedAddress(email, organization);
  if (holder && holder.userId !== target.userId)
    throw new BadRequest('New email value error: Already has an account.');
  return [config.mailSender === undefined ? emailEdit(target, email) : toldEmailEdit(target, email)];
}
