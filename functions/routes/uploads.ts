import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { abandonResumableUpload } from '../uploads/abandon-resumable-upload.ts';
import { beginResumableUpload } from '../uploads/begin-resumable-upload.ts';
import { continueResumableUpload } from '../uploads/continue-resumable-upload.ts';
import { deleteAttachment } from '../uploads/delete-attachment.ts';
import { getFile } from '../uploads/get-file.ts';
import { getFileUrl } from '../uploads/get-file-url.ts';
import { getResumableUpload } from '../uploads/get-resumable-upload.ts';
import { getTemporaryFile } from '../uploads/get-temporary-file.ts';
import { getThumbnail } from '../uploads/get-thumbnail.ts';
import { getThumbnailStatus } from '../uploads/get-thumbnail-status.ts';
import { listAttachments } from '../uploads/list-attachments.ts';
import { uploadFile } from '../uploads/upload-file.ts';

/** Uploaded files. */
export const uploadRoutes = {
  abandonResumableUpload,
  beginResumableUpload,
  continueResumableUpload,
  deleteAttachment,
  getFile,
  getFileUrl,
  getResumableUpload,
  getTemporaryFile,
  getThumbnail,
  getThumbnailStatus,
  listAttachments,
  uploadFile,
} satisfies Record<string, AnyEndpoint>;
