import { mailDomainOf } from '#shared/domain/organization/organization.ts';
import type { EmailVisibility } from '#shared/domain/users/user.ts';
import { emailVisibilityChange } from '#shared/domain/users/visibility.ts';
import { commit } from '#shared/log/commit.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { getUser } from '#shared/store/users.ts';
import type { Client } from '#tests/harness/client.ts';
import type { TestService } from '#tests/harness/service.ts';

/** The user decides who sees their address. */
export async function showAddressTo(
  { services }: TestService,
  { userId }: Client,
  visibility: EmailVisibility,
): Promise<void> {
  const [user, organization] = await Promise.all([
    getUser(services.table, userId),
    getOrganization(services.table),
  ]);
  const change = emailVisibilityChange(user, visibility, mailDomainOf(organization));
  if (change) await commit(services, change);
}

/** What stands for the address of a user who hides it. */
export const dummyOf = ({ url }: TestService, { userId }: Client): string =>
  `user${userId}@${new URL(url).hostname}`;
