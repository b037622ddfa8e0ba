import { sendMail } from '#shared/actions/invitations/send-mail.ts';
import { textsFor } from '#shared/actions/texts/texts-for.ts';
import { organizationDeletionMail } from '#shared/domain/invitations/mail.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findClosure, getOrganization } from '#shared/store/organization/organization.ts';
import { getCurrentUser } from '#shared/store/users/current-user.ts';

/** Mails an owner, who is the step, when the data will be deleted, unless the organization has been reactivated. */
export async function mailOrganizationDeletion(
  services: Services,
  { byUserId, eraseAtSeconds }: { byUserId: number; eraseAtSeconds: number },
  step: number,
): Promise<undefined> {
  const { table } = services;
  if ((await findClosure(table))?.eraseAtSeconds !== eraseAtSeconds) return;
  const [organization, owner, person] = await Promise.all([
    getOrganization(table),
    getCurrentUser(services, step),
    getCurrentUser(services, byUserId),
  ]);
  const facts = { organization: organization.name, person: person.fullName, eraseAtSeconds };
  const text = organizationDeletionMail(facts, await textsFor(services, step));
  await sendMail(services, { to: owner.email, ...text });
}
