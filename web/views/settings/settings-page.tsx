import type { ComponentType } from 'preact';
import { Sections } from '#web/parts/sections.tsx';
import { Head } from '#web/views/shell/head.tsx';
import { Account, Profile } from './account-settings.tsx';
import { ApiTokens } from './api-tokens.tsx';
import { AlertWords, MutedPeople, Topics } from './own-word-lists.tsx';
import { Notifications, Preferences } from './preferences.tsx';

const SECTIONS: readonly (readonly [slug: string, name: string, view: ComponentType])[] = [
  ['profile', 'Profile', Profile],
  ['account-and-privacy', 'Account and privacy', Account],
  ['api-tokens', 'API tokens', ApiTokens],
  ['preferences', 'Preferences', Preferences],
  ['notifications', 'Notifications', Notifications],
  ['alert-words', 'Alert words', AlertWords],
  ['muted-users', 'Muted people', MutedPeople],
  ['topics', 'Topics', Topics],
];

/** What the viewer arranges for themself alone. */
export function SettingsPage({ rest }: { rest: string[] }) {
  const [first = 'profile'] = rest;
  const found = SECTIONS.find(([slug]) => slug === first) ?? SECTIONS[0];
  if (!found) return null;
  const [slug, name, View] = found;
  return (
    <main class="main">
      <Head title={name} crumb="Settings" />
      <Sections
        label="Settings"
        root="settings"
        open={slug}
        list={SECTIONS.map(([one, label]) => [one, label])}
      >
        <View key={slug} />
      </Sections>
    </main>
  );
}
