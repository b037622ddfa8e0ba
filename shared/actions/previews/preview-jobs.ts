import { type Job, ONE_STEP } from '#shared/domain/jobs.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { listPreviewLinks, type PreviewLink } from '#shared/domain/previews/links.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import type { Table } from '#shared/table/table.ts';

/** The links of a text that get previews. Bots' messages show pictures, and no pages. */
export const previewLinksOf = (
  { url: origin, settings }: Organization,
  { isBot }: { isBot: boolean },
  html: string,
): PreviewLink[] =>
  listPreviewLinks(html, {
    origin,
    showsPictures: settings.inline_image_preview,
    showsPages: settings.inline_url_embed_preview && !isBot,
  });

/** The job that adds previews to a text that links to the web. */
export async function previewJobs(
  table: Table,
  author: { isBot: boolean },
  html: string,
  messageId?: number,
): Promise<Job[]> {
  const links = previewLinksOf(await getOrganization(table), author, html);
  if (links.length === 0) return [];
  return [{ type: 'preview-links', payload: messageId === undefined ? {} : { messageId }, steps: ONE_STEP }];
}
