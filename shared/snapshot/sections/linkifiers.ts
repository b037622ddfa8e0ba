import { toLinkifierRecord } from '#shared/domain/linkifiers/linkifier.ts';
import { toPlaygroundRecord } from '#shared/domain/playgrounds/playgrounds.ts';
import { hasCapability } from '#shared/events/queue-filter.ts';
import { getLinkifiers } from '#shared/store/linkifiers.ts';
import { getPlaygrounds } from '#shared/store/playgrounds.ts';
import type { Loading, Section } from './section.ts';

/** Linkifiers and code playgrounds. */
export const linkifierSection: Section = async (loading) => {
  const { services, wants } = loading;
  const [linkifiers, playgrounds] = await Promise.all([
    wants('realm_linkifiers') ? describeLinkifiers(loading) : {},
    wants('realm_playgrounds') ? getPlaygrounds(services.table) : undefined,
  ]);
  return {
    ...linkifiers,
    ...(playgrounds && { realm_playgrounds: playgrounds.playgrounds.map(toPlaygroundRecord) }),
  };
};

/** Clients without support for URL templates get an empty list; the older format no longer exists. */
async function describeLinkifiers({ services, request }: Loading) {
  const isKnown = hasCapability(request.filter, 'linkifier_url_template');
  const { linkifiers } = isKnown ? await getLinkifiers(services.table) : { linkifiers: [] };
  return { realm_linkifiers: linkifiers.map(toLinkifierRecord), realm_filters: [] };
}
