import type { Section } from './section.ts';

/** The integrations that bots may be made for, with the options of their addresses. */
export const integrationsSection: Section = async ({ wants }) => {
  if (!wants('realm_incoming_webhook_bots')) return {};
  const { catalogue } = await import('#shared/domain/integrations/catalogue.ts');
  return {
    realm_incoming_webhook_bots: catalogue.map(({ slug, displayName, events, options }) => ({
      name: slug,
      display_name: displayName,
      all_event_types: events,
      config_options: [],
      url_options: options.map(({ name, kind, label }) => ({
        key: name,
        label,
        validator: kind === 'boolean' ? 'check_bool' : 'check_string',
        input_type: kind === 'boolean' ? 'bool' : 'text',
      })),
    })),
  };
};
