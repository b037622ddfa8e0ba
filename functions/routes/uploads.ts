import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { deleteAttachment } from '../uploads/delete-attachment.ts';
import { getFile } from '../uploads/get-file.ts';
import { getFileUrl } from '../uploads/get-file-url.ts';
import { getTemporaryFile } from '../uploads/get-temporary-file.ts';
import { getThumbnail } from '../uploads/get-thumbnail.ts';
import { listAttachments } from '../uploads/list-attachments.ts';
import { uploadFile } from '../uploads/upload-file.ts';

/** Files that people upload, for messages to name. */
export const uploadRoutes = {
  deleteAttachment,
  getFile,
  getFileUrl,
  getTemporaryFile,
  getThumbnail,
  listAttachments,
  uploadFile,
} satisfies Record<string, AnyEndpoint>;
