import type { Organization } from './organization.ts';
import { organizationPictureUrl } from './pictures.ts';
import { versionFields } from './versions.ts';

const METHODS = [
  'password',
  'dev',
  'email',
  'ldap',
  'remoteuser',
  'github',
  'azuread',
  'gitlab',
  'google',
  'apple',
  'saml',
  'openid connect',
  'discord',
];
const OFFERED = ['password', 'email'];

/** The reply of `GET /server_settings`: the data that a client needs before signing in. */
export const describeServer = (organization: Organization, sendsPushNotifications: boolean) => ({
  ...versionFields,
  authentication_methods: Object.fromEntries(METHODS.map((method) => [method, OFFERED.includes(method)])),
  external_authentication_methods: [] as unknown[],
  push_notifications_enabled: sendsPushNotifications,
  is_incompatible: false,
  email_auth_enabled: true,
  require_email_format_usernames: true,
  realm_url: organization.url,
  realm_uri: organization.url,
  realm_name: organization.name,
  realm_icon: organizationPictureUrl(organization, 'icon'),
  realm_description: organization.descriptionHtml ?? '',
  realm_web_public_access_enabled: organization.settings.enable_spectator_access,
});
