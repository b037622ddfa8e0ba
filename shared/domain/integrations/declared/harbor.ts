import type { Delivery, Integration, Note } from '../integration.ts';
import type { Payload } from '../payload.ts';
import { bullets, inline, sentence } from '../words.ts';

const topicOf = ({ payload }: Delivery): string => payload.text('event_data.repository.repo_full_name');

const personOf = ({ payload }: Delivery): string => inline(payload.find('operator') ?? 'Someone');

const imageOf = (resource: Payload): string =>
  inline(resource.find('resource_url') ?? resource.find('tag') ?? resource.find('digest') ?? 'an image');

const pushed = (delivery: Delivery): Note => {
  const images = delivery.payload.list('event_data.resources').map(imageOf);
  return {
    topic: topicOf(delivery),
    content: sentence(`**${personOf(delivery)}** pushed ${images.join(', ') || 'an image'}`),
  };
};

const scanned = (delivery: Delivery): Note => {
  const resource = delivery.payload.list('event_data.resources')[0];
  const overviews = resource ? Object.keys(Object(resource.at('scan_overview').value)) : [];
  const lines = overviews.slice(0, 5).flatMap((name) => {
    // The name is a media type, whose dots are no path.
    const overview = resource?.at('scan_overview').member(name);
    return overview ? severities(overview) : [];
  });
  const head = `Image scan completed for ${resource ? imageOf(resource) : 'an image'}`;
  return {
    topic: topicOf(delivery),
    content:
      lines.length === 0
        ? `${head}. No vulnerabilities were found.`
        : `${head}. Vulnerabilities by severity:\n\n${bullets(lines)}`,
  };
};

const severities = (overview: Payload): string[] =>
  overview.entries('summary.summary').map(([severity, count]) => `${inline(severity)}: **${inline(count)}**`);

export const harbor: Integration = {
  slug: 'harbor',
  displayName: 'Harbor',
  categories: ['deployment'],
  setup: 'In the project: **Webhooks**, **New webhook**, notify type `http`.',
  body: 'json',
  encodesTwice: true,
  eventOf: ({ payload }) => payload.text('type'),
  events: { PUSH_ARTIFACT: pushed, SCANNING_COMPLETED: scanned },
  ignored: [
    'DELETE_ARTIFACT',
    'PULL_ARTIFACT',
    'SCANNING_FAILED',
    'DELETE_CHART',
    'DOWNLOAD_CHART',
    'UPLOAD_CHART',
  ],
};
