import type { ComponentChildren } from 'preact';
import { nameOfPerson, useServer } from '#web/net/store.ts';
import { Rendered } from '#web/parts/rendered.tsx';
import { dateOf } from '#web/parts/time.ts';
import { accountAddress, FIELD_KINDS, optionsOf, peopleOf } from '#web/state/profile.ts';
import type { ProfileField } from '#web/state/wire-organization.ts';
import type { Person, ProfileValue } from '#web/state/wire-people.ts';

/** A person's values of the organization's fields, in their order; `isSummary` limits them to the fields of a card. */
export function ProfileValues({ person, isSummary = false }: { person: Person; isSummary?: boolean }) {
  const fields = useServer(({ custom_profile_fields }) => custom_profile_fields);
  const values = person.profile_data ?? {};
  const shown = fields.filter(
    ({ id, display_in_profile_summary: isShort }) => values[id] && (isShort || !isSummary),
  );
  return (
    <>
      {shown.map((field) => (
        <div key={field.id} class="profile-value">
          <dt>{field.name}</dt>
          <dd>
            <Value field={field} value={values[field.id] ?? { value: '' }} />
          </dd>
        </div>
      ))}
    </>
  );
}

function Value({
  field,
  value: { value, rendered_value: html },
}: {
  field: ProfileField;
  value: ProfileValue;
}) {
  const sites = useServer(({ realm_default_external_accounts }) => realm_default_external_accounts);
  if (html !== undefined) return <Rendered html={html} />;
  switch (field.type) {
    case FIELD_KINDS.options:
      return <>{optionsOf(field).find(({ key }) => key === value)?.text ?? value}</>;
    case FIELD_KINDS.date:
      return <>{dateOf(new Date(`${value}T12:00`).getTime() / 1000)}</>;
    case FIELD_KINDS.link:
      return <Outside address={value}>{value}</Outside>;
    case FIELD_KINDS.people:
      return <People userIds={peopleOf(value)} />;
    case FIELD_KINDS.account:
      return <Outside address={accountAddress(field, sites, value)}>{value}</Outside>;
    default:
      return <>{value}</>;
  }
}

function Outside({ address, children }: { address: string | undefined; children: ComponentChildren }) {
  if (!address || !/^https?:/i.test(address)) return <>{children}</>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

function People({ userIds }: { userIds: number[] }) {
  return (
    <>
      {userIds.map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a href={`#user/${id}`}>{nameOfPerson(id)}</a>
        </span>
      ))}
    </>
  );
}
