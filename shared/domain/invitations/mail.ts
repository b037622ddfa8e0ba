import type { Organization } from '#shared/domain/organization/organization.ts';
import type { Say } from '#shared/domain/texts/texts.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Invitation } from './invitation.ts';

/** The content of a mail, without the recipient. */
export interface MailText {
  subject: string;
  text: string;
  html: string;
}

interface Facts {
  organization: Pick<Organization, 'name' | 'url'>;
  /** Absent for people who asked to join. */
  inviter: Pick<User, 'fullName'> | undefined;
  link: string;
}

/** The mail with a joining link: an invitation, or the confirmation of an address. */
export function invitationMail({ kind, endsAtSeconds }: Invitation, facts: Facts, say: Say): MailText {
  const { inviter, link } = facts;
  const organization = facts.organization.name;
  const isInvited = kind === 'email' && inviter;
  const names = isInvited ? { organization, inviter: inviter.fullName } : undefined;
  const end = endsAtSeconds === null ? undefined : new Date(endsAtSeconds * 1000);
  return compose(
    names ? say('mails.invitationSubject', names) : say('mails.joiningSubject', { organization }),
    [
      names ? say('mails.invitation', names) : say('mails.joining', { organization }),
      say('mails.joiningLink'),
      link,
      end === undefined ? say('mails.joiningLinkIsYours') : say('mails.joiningLinkIsYoursUntil', { end }),
    ],
    say('mails.joiningUnexpected'),
  );
}

/** The mail to a person who asked to join but has an account already. */
export const accountNotice = (
  { name: organization, url }: Pick<Organization, 'name' | 'url'>,
  say: Say,
): MailText =>
  compose(
    say('mails.accountSubject', { organization }),
    [say('mails.account', { organization }), say('mails.accountAddress'), url],
    say('mails.notYou'),
  );

/** The mail by which a person chooses another password. */
export const passwordResetMail = (organization: string, link: string, say: Say): MailText =>
  compose(
    say('mails.passwordSubject', { organization }),
    [say('mails.password', { organization }), link, say('mails.passwordLink')],
    say('mails.passwordNotYou'),
  );

/** The mail by which a person confirms the new address of the account. */
export const addressChangeMail = (organization: string, link: string, say: Say): MailText =>
  compose(
    say('mails.addressSubject', { organization }),
    [say('mails.address', { organization }), link, say('mails.addressLink')],
    say('mails.addressNotYou'),
  );

/** The mail to an address that has an account already. */
export const addressTakenMail = (organization: string, say: Say): MailText =>
  compose(
    say('mails.takenSubject', { organization }),
    [say('mails.taken', { organization })],
    say('mails.takenByYou'),
  );

/** The mail to the address that an account had before. */
export const addressNoticeMail = (organization: string, address: string, say: Say): MailText =>
  compose(
    say('mails.changedSubject', { organization }),
    [say('mails.changed', { organization, address })],
    say('mails.changedNotYou'),
  );

/** The mail to a person whose account was deactivated, with the administrator's comment. */
export const deactivationMail = (
  { name: organization, url }: Pick<Organization, 'name' | 'url'>,
  comment: string,
  say: Say,
): MailText =>
  compose(
    say('mails.deactivatedSubject', { organization }),
    [
      say('mails.deactivated', { organization }),
      url,
      ...(comment.trim() === ''
        ? []
        : [say('mails.deactivatedComment'), ...comment.trim().split(/\s*\n\s*/)]),
    ],
    say('mails.deactivatedMistake'),
  );

/** The mail to an owner of an organization whose data will be deleted. */
export const organizationDeletionMail = (
  facts: { organization: string; person: string; eraseAtSeconds: number },
  say: Say,
): MailText => {
  const { organization, person, eraseAtSeconds } = facts;
  return compose(
    say('mails.deletionSubject', { organization }),
    [
      say('mails.deletion', { organization, person }),
      say('mails.deletionTime', { time: new Date(eraseAtSeconds * 1000).toUTCString() }),
    ],
    say('mails.deletionMistake'),
  );
};

function compose(subject: string, paragraphs: string[], ending: string): MailText {
  const all = [...paragraphs, ending];
  return {
    subject: subject.replace(/\s+/g, ' '),
    text: `${all.join('\n\n')}\n`,
    html: all.map((paragraph) => `<p dir="auto">${toHtml(paragraph)}</p>`).join('\n'),
  };
}

function toHtml(paragraph: string): string {
  const escaped = paragraph.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return /^https?:\/\/\S+$/.test(paragraph) ? `<a href="${escaped}">${escaped}</a>` : escaped;
}
