import type { Section } from './section.ts';

/** Empty values of unused features: by event type, the fields and their values. */
const nothingOf: Record<string, Record<string, unknown>> = {
  giphy: { giphy_api_key: '' },
  klipy: { klipy_api_key: '' },
  onboarding_steps: { onboarding_steps: [], navigation_tour_video_url: null },
  realm_billing: { realm_billing: { has_pending_sponsorship_request: false } },
  realm_embedded_bots: { realm_embedded_bots: [] },
  tenor: { tenor_api_key: '' },
  video_calls: { has_zoom_token: false },
};

/** Fields of features that the organization does not use: existing clients need them all the same. */
export const unusedSection: Section = async ({ wants }) => {
  const fields = Object.entries(nothingOf).flatMap(([type, values]) => (wants(type) ? [values] : []));
  return Object.assign({}, ...fields);
};
