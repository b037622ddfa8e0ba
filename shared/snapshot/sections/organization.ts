import { toGroupRecords } from '#shared/domain/channels/default-groups.ts';
import { defaultsOf } from '#shared/domain/channels/defaults.ts';
import { gifProviderTitles } from '#shared/domain/gifs/providers.ts';
import { domainsOf, toDomainRecord } from '#shared/domain/organization/domains.ts';
import { describeRealm } from '#shared/domain/organization/realm-data.ts';
import { describeProviders } from '#shared/domain/organization/video-calls.ts';
import { newUserSettings } from '#shared/domain/settings/user-settings.ts';
import { isGuest } from '#shared/domain/users/user.ts';
import { callServersOf } from '#shared/runtime/config.ts';
import { getDefaultGroups } from '#shared/store/channels/default-groups.ts';
import type { Section } from './section.ts';

const usesOrganization = [
  'realm',
  'realm_domains',
  'default_stream_groups',
  'default_streams',
  'realm_user_settings_defaults',
];

/** The organization's settings and limits. */
export const organizationSection: Section = async (loading) => {
  const { services, request, wants } = loading;
  if (!usesOrganization.some(wants)) return {};
  const [organization, groups] = await Promise.all([
    loading.organization(),
    wants('default_stream_groups') ? listGroupRecords(loading) : undefined,
  ]);
  const { provider } = services.config.gifs;
  const defaultChannels = isGuest(request.caller) ? [] : defaultsOf(organization).channelIds;
  return {
    ...(groups && { realm_default_stream_groups: groups }),
    ...(wants('realm') && {
      ...describeRealm(organization, services.config.webPublicChannels),
      realm_available_video_chat_providers: describeProviders(callServersOf(services.config)),
      server_gif_provider: provider === undefined ? null : gifProviderTitles[provider],
      server_generation: services.config.startedAtSeconds,
      realm_push_notifications_enabled: services.relay !== undefined,
      max_file_upload_size_mib: services.config.maxFileMebibytes,
      realm_upload_quota_mib: services.config.uploadQuotas.organization,
    }),
    ...(wants('realm_domains') && { realm_domains: domainsOf(organization).map(toDomainRecord) }),
    ...(wants('realm_user_settings_defaults') && {
      realm_user_settings_defaults: newUserSettings(organization.userDefaults),
    }),
    ...(wants('default_streams') && { realm_default_streams: defaultChannels }),
  };
};

/** Not sent to guests. */
const listGroupRecords = async ({ services, request }: Parameters<Section>[0]) =>
  isGuest(request.caller) ? [] : toGroupRecords(await getDefaultGroups(services.table));
