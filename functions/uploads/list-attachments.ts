import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { attachmentRecord } from '#shared/api/contracts/attachments.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { toAttachmentRecord } from '#shared/domain/uploads/upload.ts';
import { listUploadsOf, readUploadSpace } from '#shared/store/uploads/uploads.ts';

/** The caller's uploads, and the total size of the organization's files. */
export const listAttachments = endpoint({
  route: 'GET /attachments',
  summary: 'List own uploaded files',
  allow: 'user',
  scope: 'read',
  params: {},
  result: z.object({ attachments: z.array(attachmentRecord), upload_space_used: z.int() }),
  errors: [],
  emits: [],
  uses: { table: 'read', areas: ['uploads'] },
  async handle(_params, { services: { table }, caller }) {
    const uploads = await listUploadsOf(table, caller.userId);
    const { bytes } = await readUploadSpace(table);
    return { attachments: uploads.map(toAttachmentRecord), upload_space_used: bytes };
  },
});

export const handler = lambda(listAttachments, awsServices);
