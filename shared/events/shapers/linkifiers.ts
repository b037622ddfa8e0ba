import { hasCapability } from '../queue-filter.ts';
import type { Shaper } from '../shaping.ts';

/** Clients that know no URL templates hear nothing of linkifiers. */
export const shapeLinkifiers: Shaper = (payload, { filter }) =>
  hasCapability(filter, 'linkifier_url_template') ? [payload] : [];
