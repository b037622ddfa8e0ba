import type { Job } from '#shared/domain/jobs.ts';
import type { MessageText } from '#shared/domain/messages/message.ts';
import type { Table } from '#shared/table/table.ts';

/** The jobs for previews of a text's links. The code is loaded with the first text that links to the web. */
export async function jobsOfLinks(
  table: Table,
  author: { isBot: boolean },
  { html }: MessageText,
  messageId?: number,
): Promise<Job[]> {
  if (!html.includes('<a href="http')) return [];
  const { previewJobs } = await import('#shared/actions/previews/preview-jobs.ts');
  return previewJobs(table, author, html, messageId);
}
