import { hasCapability } from '../queue-filter.ts';
import type { Shaper } from '../shaping.ts';

/** Clients without support for URL templates get no linkifiers. */
export const shapeLinkifiers: Shaper<'realm_linkifiers'> = (payload, { filter }) =>
  hasCapability(filter, 'linkifier_url_template') ? [payload] : [];
