import * as z from 'zod/mini';
import { text } from '#shared/api/parameters.ts';
import { REALM_ID } from '#shared/domain/uploads/upload.ts';

/** The parts of the path of an uploaded file. */
export const uploadPath = {
  realm_id_str: text(z.string(), 'The organization’s number in addresses of files'),
  filename: text(z.string(), 'The rest of the path'),
};

/** The path below `/user_uploads/`; empty for other organizations, which have no files here. */
export const readUploadPath = ({ realm_id_str, filename }: { realm_id_str: string; filename: string }) =>
  realm_id_str === REALM_ID ? `${REALM_ID}/${filename}` : '';
