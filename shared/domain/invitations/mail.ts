import type { Organization } from '#shared/domain/organization/organization.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Invitation } from './invitation.ts';

/** What a mail says, apart from whom it is for. */
export interface MailText {
  subject: string;
  text: string;
  html: string;
}

interface Facts {
  organization: Pick<Organization, 'name' | 'url'>;
  /** Absent for those who asked themselves. */
  inviter: Pick<User, 'fullName'> | undefined;
  link: string;
}

/** The mail by which somebody joins: an invitation, or the confirmation of an address. */
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

/** The mail to somebody who asked to join and has an account already. */
export const accountNotice = ({ name, url }: Pick<Organization, 'name' | 'url'>): MailText =>
  compose(
    `You have an account at ${name}`,
    [
      `Somebody asked to join ${name} with this e-mail address, which belongs to an account there.`,
      'To sign in, use your app with this address:',
      url,
    ],
    'If it was not you, do nothing.',
  );

/** The mail to a person whose account was deactivated, with what the administrator has to say about it. */
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
    'If you think that this is a mistake, ask an administrator of the organization.',
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
