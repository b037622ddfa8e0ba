import { useAsked } from '#web/net/asked.ts';
import { copyText } from '#web/net/message-actions.ts';
import { type Invitation, resend, revoke } from '#web/net/organization/invitations.ts';
import { roleName } from '#web/net/organization/roster.ts';
import { nameOfPerson, tell } from '#web/net/store.ts';
import { confirm } from '#web/parts/dialog.tsx';
import { Failure } from '#web/parts/form.tsx';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { momentOf } from '#web/parts/time.ts';

/** The invitations that still work, with what can be done about each. */
export function Invitations() {
  const { reply, failure, ask } = useAsked<{ invites: Invitation[] }>('/invites', ['invites_changed']);
  const run = async (work: Promise<boolean>, told: string): Promise<void> => {
    if (!(await work)) return;
    tell(told);
    ask();
  };
  if (failure) return <Failure text={failure} />;
  if (!reply) return <p class="quiet">Loading…</p>;
  if (reply.invites.length === 0) return <p class="quiet">Every invitation was used, or has ended.</p>;
  return (
    <ul class="plain-list lines">
      {reply.invites.map((one) => {
        const { id, email, link_url: link, is_multiuse: isLink } = one;
        const what = email ?? `Link of ${nameOfPerson(one.invited_by_user_id)}`;
        return (
          <li key={`${isLink}${id}`} class="line">
            <Icon name={isLink ? 'link' : 'mail'} />
            <div class="line-text">
              <strong>{what}</strong>
              <span class="quiet">
                {roleName(one.invited_as)}, by {nameOfPerson(one.invited_by_user_id)},{' '}
                {one.expiry_date === null ? 'never ends' : `until ${momentOf(one.expiry_date)}`}
              </span>
            </div>
            {link && (
              <IconButton icon="copy" label={`Copy: ${what}`} onClick={() => void copyText(link, 'Copied')} />
            )}
            {email && (
              <IconButton
                icon="refresh-cw"
                label={`Send again to ${email}`}
                onClick={() => void run(resend(one), `Sent again to ${email}.`)}
              />
            )}
            <IconButton
              icon="trash"
              label={`Revoke: ${what}`}
              onClick={() =>
                confirm('Revoke the invitation?', 'It will not work any more.', 'Revoke', () => {
                  void run(revoke(one), 'The invitation is revoked.');
                })
              }
            />
          </li>
        );
      })}
    </ul>
  );
}
