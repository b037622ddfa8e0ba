import { useState } from 'preact/hooks';
import { copyText } from '#web/net/message-actions.ts';
import { createLink, inviteByMail, type Terms } from '#web/net/organization/invitations.ts';
import { ROLES } from '#web/net/organization/roster.ts';
import { server, tell, useServer } from '#web/net/store.ts';
import { Empty } from '#web/parts/empty.tsx';
import { Form } from '#web/parts/form.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { ManyChoice } from '#web/parts/many-choice.tsx';
import { Group } from '#web/parts/sections.tsx';
import { Head } from '#web/views/shell/head.tsx';
import { Invitations } from './invitations.tsx';

const DAY_MINUTES = 1_440;
const ENDS: [minutes: number | null, label: string][] = [
  [DAY_MINUTES, 'In one day'],
  [3 * DAY_MINUTES, 'In three days'],
  [10 * DAY_MINUTES, 'In ten days'],
  [30 * DAY_MINUTES, 'In thirty days'],
  [null, 'Never'],
];

/** Invites people by e-mail or by a link, and shows the invitations that are open. */
export function InvitePage() {
  const mayInvite = useServer(({ can_invite_others_to_realm }) => can_invite_others_to_realm);
  const [terms, setTerms] = useState<Terms>({ role: 400, minutes: 10 * DAY_MINUTES, channelIds: [] });
  return (
    <main class="main">
      <Head title="Invite people" />
      <div class="page">
        {mayInvite ? (
          <div class="sheet">
            <TermsForm terms={terms} change={setTerms} />
            <ByLink terms={terms} />
            <ByMail terms={terms} />
            <Group title="Open invitations">
              <Invitations />
            </Group>
          </div>
        ) : (
          <Empty
            icon="user-plus"
            title="You may not invite people"
            text="Ask an administrator of the organization to invite them."
          />
        )}
      </div>
    </main>
  );
}

function TermsForm({ terms, change }: { terms: Terms; change: (terms: Terms) => void }) {
  const channels = useServer(({ subscriptions }) => subscriptions);
  const isAdmin = useServer(({ is_admin }) => is_admin);
  const isOwner = useServer(({ is_owner }) => is_owner);
  const choices = channels
    .filter(({ is_archived }) => !is_archived)
    .map(({ stream_id: id, name }) => ({ id, name: `#${name}` }));
  const roles = ROLES.filter(([role]) => role >= 400 || isOwner || (isAdmin && role > 100));
  return (
    <section class="group" aria-label="Terms of the invitation">
      <div class="pair">
        <label class="field">
          They join as
          <select
            class="input"
            onChange={({ currentTarget: box }) => change({ ...terms, role: Number(box.value) })}
          >
            {roles.map(([role, name]) => (
              <option key={role} value={role} selected={role === terms.role}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          The invitation ends
          <select
            class="input"
            onChange={({ currentTarget: box }) =>
              change({ ...terms, minutes: ENDS[box.selectedIndex]?.[0] ?? null })
            }
          >
            {ENDS.map(([minutes, name]) => (
              <option key={name} selected={minutes === terms.minutes}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {choices.length > 0 && (
        <ManyChoice
          legend="Channels, beside those that every new person reads"
          find="Find a channel"
          items={choices}
          chosen={terms.channelIds}
          change={(channelIds) => change({ ...terms, channelIds })}
        />
      )}
    </section>
  );
}

function ByLink({ terms }: { terms: Terms }) {
  const [link, setLink] = useState('');
  return (
    <Group
      title="By link"
      note={`Anyone who has the link can join ${server.value.realm_name} until it ends.`}
    >
      {link !== '' && (
        <div class="copy-line">
          <input
            class="input"
            readOnly
            value={link}
            aria-label="Link of the invitation"
            onFocus={(event) => event.currentTarget.select()}
          />
          <button type="button" class="button primary" onClick={() => void copyText(link, 'Link copied')}>
            <Icon name="copy" /> Copy link
          </button>
        </div>
      )}
      <Form
        label={link === '' ? 'Create a link' : 'Create another link'}
        submit={async () => {
          setLink(await createLink(terms));
        }}
      >
        {null}
      </Form>
    </Group>
  );
}

function ByMail({ terms }: { terms: Terms }) {
  return (
    <Group title="By e-mail">
      <Form
        label="Send invitations"
        submit={async (fields) => {
          const emails = String(fields.get('emails'))
            .split(/[\s,;]+/)
            .filter(Boolean);
          await inviteByMail(emails.join(','), terms);
          tell(emails.length === 1 ? `Invited ${emails[0]}.` : `Invited ${emails.length} people.`);
        }}
      >
        <label class="field">
          E-mail addresses
          <textarea
            class="input"
            name="emails"
            rows={3}
            required
            placeholder="ada@example.com, bo@example.com"
          />
          <small>One or many, divided by commas, spaces or lines.</small>
        </label>
      </Form>
    </Group>
  );
}
