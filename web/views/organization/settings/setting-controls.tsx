import { editOrganization } from '#web/net/organization/settings.ts';
import { channels, useServer } from '#web/net/store.ts';
import { Choice, TextSetting, Toggle } from '#web/parts/form.tsx';
import type { Snapshot } from '#web/state/wire.ts';
import type { OrganizationSettings as Settings } from '#web/state/wire-organization.ts';
import { t } from '#web/texts/texts.ts';

type Name = keyof Settings;
type NamesOf<Value> = { [One in Name]: Settings[One] extends Value ? One : never }[Name];

interface Labelled {
  label: string;
  hint?: string;
  isForOwners?: boolean;
}

const OWNERS_ONLY = t('organization.onlyOwnersCanChangeThis');

/** A setting of the organization, and whether the viewer cannot change it. */
export function useSetting<One extends Name>(name: One, isForOwners = false) {
  const isAdmin = useServer(({ is_admin }) => is_admin);
  const isOwner = useServer(({ is_owner }) => is_owner);
  const value = useServer((server: Snapshot): Settings[One] => server[name], [name]);
  return { value, isFixed: isForOwners ? !isOwner : !isAdmin };
}

/** How the service calls a setting when it is changed. */
const written = (name: Name): string => name.replace(/^realm_/, '');

const labelsOf = ({ label, hint, isForOwners = false }: Labelled) => {
  const hints = [hint, isForOwners && OWNERS_ONLY].filter(Boolean).join(' ');
  return { label, ...(hints !== '' && { hint: hints }) };
};

/** `isTurned` inverts settings that forbid, so that a switch that is on allows. */
export function Switch({
  name,
  isTurned = false,
  ...labels
}: Labelled & { name: NamesOf<boolean>; isTurned?: boolean }) {
  const { value, isFixed } = useSetting(name, labels.isForOwners);
  return (
    <Toggle
      {...labelsOf(labels)}
      value={value !== isTurned}
      isFixed={isFixed}
      save={(isOn) => editOrganization({ [written(name)]: isOn !== isTurned })}
    />
  );
}

/** A setting with one of some values. */
export function OneOf<One extends NamesOf<string | number>>({
  name,
  choices,
  ...labels
}: Labelled & { name: One; choices: readonly (readonly [Settings[One], string])[] }) {
  const { value, isFixed } = useSetting(name, labels.isForOwners);
  const isListed = choices.some(([choice]) => choice === value);
  return (
    <Choice<Settings[One]>
      {...labelsOf(labels)}
      value={value}
      choices={isListed ? choices : [[value, String(value)], ...choices]}
      isFixed={isFixed}
      save={(chosen) => editOrganization({ [written(name)]: chosen })}
    />
  );
}

export function Text({
  name,
  isLong = false,
  ...labels
}: Labelled & { name: NamesOf<string>; isLong?: boolean }) {
  const { value, isFixed } = useSetting(name, labels.isForOwners);
  return (
    <TextSetting
      {...labelsOf(labels)}
      value={value}
      isFixed={isFixed}
      isLong={isLong}
      save={(text) => editOrganization({ [written(name)]: text })}
    />
  );
}

const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;
const LIMITS: [seconds: number | null, label: string][] = [
  [2 * MINUTE_SECONDS, t('organization.twoMinutes')],
  [10 * MINUTE_SECONDS, t('organization.tenMinutes')],
  [60 * MINUTE_SECONDS, t('organization.oneHour')],
  [DAY_SECONDS, t('organization.oneDay')],
  [7 * DAY_SECONDS, t('organization.oneWeek')],
  [null, t('organization.withoutLimit')],
];

/** A time after which something cannot be done any more. */
export function Limit({ name, label }: { name: NamesOf<number | null>; label: string }) {
  const { value, isFixed } = useSetting(name);
  const isListed = LIMITS.some(([seconds]) => seconds === value);
  return (
    <Choice
      label={label}
      value={value}
      choices={isListed ? LIMITS : [[value, t('organization.secondCount', { count: value ?? 0 })], ...LIMITS]}
      isFixed={isFixed}
      save={(seconds) => editOrganization({ [written(name)]: seconds ?? 'unlimited' })}
    />
  );
}

const NO_CHANNEL = -1;

/** A channel that the service writes to. */
export function Announcements({
  name,
  isPrivate = false,
  ...labels
}: Labelled & { name: NamesOf<number>; isPrivate?: boolean }) {
  const { value, isFixed } = useSetting(name);
  const listed = [...channels.value.values()]
    .filter(({ is_archived: isArchived, stream_id: id }) => !isArchived || id === value)
    .filter(({ invite_only: isHidden }) => isHidden || !isPrivate)
    .sort((a, b) => a.name.localeCompare(b.name));
  return (
    <Choice
      {...labelsOf(labels)}
      value={value}
      choices={[
        [NO_CHANNEL, t('organization.nowhere')],
        ...listed.map((channel) => [channel.stream_id, `#${channel.name}`] as const),
      ]}
      isFixed={isFixed}
      save={(channelId) => editOrganization({ [written(name)]: channelId })}
    />
  );
}
