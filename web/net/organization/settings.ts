import { call } from '#web/net/api.ts';
import { attempt } from '#web/net/message-actions.ts';
import { showNotice } from '#web/net/store.ts';
import { t } from '#web/texts/texts.ts';

/** Changes settings of the organization. @throws ApiError in the words of the service */
export const editOrganization = (changes: Record<string, unknown>): Promise<unknown> =>
  call('PATCH', '/realm', changes);

/** Makes a channel one that new people read, or no longer. @throws ApiError in the words of the service */
export const setDefaultChannel = (channelId: number, isDefault: boolean): Promise<unknown> =>
  call(isDefault ? 'POST' : 'DELETE', '/default_streams', { stream_id: channelId });

/** Changes the settings with which new people begin. @throws ApiError in the words of the service */
export const editDefaults = (changes: Record<string, unknown>): Promise<unknown> =>
  call('PATCH', '/realm/user_settings_defaults', changes);

/** Lets addresses of a domain join. @throws ApiError in the words of the service */
export const addDomain = (domain: string, hasSubdomains: boolean): Promise<unknown> =>
  call('POST', '/realm/domains', { domain, allow_subdomains: hasSubdomains });

/** @throws ApiError in the words of the service */
export const editDomain = (domain: string, hasSubdomains: boolean): Promise<unknown> =>
  call('PATCH', `/realm/domains/${encodeURIComponent(domain)}`, { allow_subdomains: hasSubdomains });

/** Takes a domain off the list; the notice offers to put it back. */
export async function removeDomain(domain: string, hasSubdomains: boolean): Promise<void> {
  const path = `/realm/domains/${encodeURIComponent(domain)}`;
  if (!(await attempt(t('organization.domainWasNotRemoved', { domain }), () => call('DELETE', path)))) return;
  const undo = (): void => void attempt(t('organization.notAdded'), () => addDomain(domain, hasSubdomains));
  showNotice(t('organization.domainIsRemoved', { domain }), { label: t('common.undo'), run: undo });
}

/** Sends the viewer what new people would read. @throws ApiError in the words of the service */
export const tryWelcome = (text: string): Promise<unknown> =>
  call('POST', '/realm/test_welcome_bot_custom_message', { welcome_message_custom_text: text });

/** Ends the organization for everyone. @throws ApiError in the words of the service */
export const closeOrganization = (): Promise<unknown> => call('POST', '/realm/deactivate');
