import type { Section } from './section.ts';

/** What clients ask for and nobody in the organization has made: by event type, the fields and their values. */
const nothingOf: Record<string, Record<string, unknown>> = {
  giphy: { giphy_api_key: '' },
  klipy: { klipy_api_key: '' },
  onboarding_steps: { onboarding_steps: [], navigation_tour_video_url: null },
  realm_billing: { realm_billing: { has_pending_sponsorship_request: false } },
  realm_embedded_bots: { realm_embedded_bots: [] },
  realm_incoming_webhook_bots: { realm_incoming_webhook_bots: [] },
  tenor: { tenor_api_key: '' },
  video_calls: { has_zoom_token: false },
};

/** Features that the service knows and the organization does not use: real clients need their fields all the same. */
export const unusedSection: Section = async ({ wants }) => {
  const fields = Object.entries(nothingOf).flatMap(([type, values]) => (wants(type) ? [values] : []));
  return Object.assign({}, ...fields);
};
