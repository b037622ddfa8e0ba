import type { ComponentType } from 'preact';
import { Sections } from '#web/parts/sections.tsx';
import { t } from '#web/texts/texts.ts';
import { Head } from '#web/views/shell/head.tsx';
import { Account, Profile } from './account-settings.tsx';
import { ApiTokens } from './api-tokens.tsx';
import { AlertWords, MutedPeople, Topics } from './own-word-lists.tsx';
import { Notifications, Preferences } from './preferences.tsx';

const SECTIONS: readonly (readonly [slug: string, name: string, view: ComponentType])[] = [
  ['profile', t('common.profile'), Profile],
  ['account-and-privacy', t('settings.accountAndPrivacy'), Account],
  ['api-tokens', t('settings.apiTokens'), ApiTokens],
  ['preferences', t('settings.preferences'), Preferences],
  ['notifications', t('settings.notifications'), Notifications],
  ['alert-words', t('settings.alertWords'), AlertWords],
  ['muted-users', t('settings.mutedPeople'), MutedPeople],
  ['topics', t('common.topics'), Topics],
];

/** The viewer's personal settings. */
export function SettingsPage({ rest }: { rest: string[] }) {
  const [first = 'profile'] = rest;
  const found = SECTIONS.find(([slug]) => slug === first) ?? SECTIONS[0];
  if (!found) return null;
  const [slug, name, View] = found;
  return (
    <main class="main">
      <Head title={name} crumb={t('common.settings')} />
      <Sections
        label={t('common.settings')}
        root="settings"
        open={slug}
        list={SECTIONS.map(([section, label]) => [section, label])}
      >
        <View key={slug} />
      </Sections>
    </main>
  );
}
