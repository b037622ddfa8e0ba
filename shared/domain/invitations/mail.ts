import type { Organization } from '#shared/domain/organization/organization.ts';
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
export function invitationMail({ kind, endsAtSeconds }: Invitation, facts: Facts): MailText {
  const { organization, inviter, link } = facts;
  const isInvited = kind === 'email' && inviter;
  const news = isInvited
    ? `${inviter.fullName} invites you to join ${organization.name}.`
    : `Somebody asked to join ${organization.name} with this e-mail address.`;
  const end =
    endsAtSeconds === null ? '' : ` It works until ${new Date(endsAtSeconds * 1000).toUTCString()}.`;
  return compose(
    isInvited
      ? `${inviter.fullName} invites you to ${organization.name}`
      : `Confirm your address for ${organization.name}`,
    [news, `To create your account, open this link:`, link, `It is for you alone.${end}`],
    'If you did not expect this, do nothing: without the link nobody gets an account.',
  );
}

/** The mail to a person who asked to join but has an account already. */
export const accountNotice = ({ name, url }: Pick<Organization, 'name' | 'url'>): MailText =>
  compose(
    `You have an account at ${name}`,
    [
      `Somebody requested to join ${name} with this e-mail address, which belongs to an account there.`,
      'To sign in, use your app with this address:',
      url,
    ],
    'If it was not you, do nothing.',
  );

/** The mail by which a person chooses another password. */
export const passwordResetMail = (organizationName: string, link: string): MailText =>
  compose(
    `Choose another password for ${organizationName}`,
    [
      `A new password was requested for your account at ${organizationName}. To choose one, open this link:`,
      link,
      'It works once, within an hour. You will be signed out everywhere else.',
    ],
    'If it was not you, do nothing: your password stays as it is.',
  );

/** The mail by which a person confirms the new address of the account. */
export const addressChangeMail = (organizationName: string, link: string): MailText =>
  compose(
    `Confirm your new address for ${organizationName}`,
    [
      `A person requested to use this e-mail address for an account at ${organizationName}. To confirm it, open this link where you are signed in:`,
      link,
      'It works once, within a day.',
    ],
    'If it was not you, do nothing: the account keeps its address.',
  );

/** The mail to an address that has an account already. */
export const addressTakenMail = (organizationName: string): MailText =>
  compose(
    `Your address was requested at ${organizationName}`,
    [
      `A person requested to use this e-mail address for another account at ${organizationName}. It belongs to your account there, so nothing changes.`,
    ],
    'If it was you, choose an address that has no account.',
  );

/** The mail to the address that an account had before. */
export const addressNoticeMail = (organizationName: string, newAddress: string): MailText =>
  compose(
    `Your address at ${organizationName} has changed`,
    [`Your account at ${organizationName} now has the e-mail address ${newAddress}. You sign in with it.`],
    'If it was not you, contact an administrator of the organization at once.',
  );

/** The mail to a person whose account was deactivated, with the administrator's comment. */
export const deactivationMail = (
  { name, url }: Pick<Organization, 'name' | 'url'>,
  comment: string,
): MailText =>
  compose(
    `Your account at ${name} was deactivated`,
    [
      `An administrator of ${name} deactivated your account. You can no longer sign in at this address:`,
      url,
      ...(comment.trim() === '' ? [] : ['The administrator says:', ...comment.trim().split(/\s*\n\s*/)]),
    ],
    'If you think that this is a mistake, contact an administrator of the organization.',
  );

function compose(subject: string, paragraphs: string[], ending: string): MailText {
  const all = [...paragraphs, ending];
  return {
    subject: subject.replace(/\s+/g, ' '),
    text: `${all.join('\n\n')}\n`,
    html: all.map((one) => `<p>${toHtml(one)}</p>`).join('\n'),
  };
}

function toHtml(paragraph: string): string {
  const escaped = paragraph.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return /^https?:\/\/\S+$/.test(paragraph) ? `<a href="${escaped}">${escaped}</a>` : escaped;
}
