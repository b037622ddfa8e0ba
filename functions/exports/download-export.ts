import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { isSameSecret } from '#shared/api/auth/api-key.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, text } from '#shared/api/parameters.ts';
import { Redirect, redirect } from '#shared/api/replies.ts';
import { NotFound } from '#shared/domain/errors.ts';
import { exportKey, isOver, readUntilSeconds } from '#shared/domain/exports/address.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { findExport } from '#shared/store/exports.ts';

/** Enough to start the download. */
const REDIRECT_LIFE_SECONDS = 300;

/**
 * Redirects to an archive while it exists and the address is valid; the address needs no other credentials.
 */
export const downloadExport = endpoint({
  route: 'GET /exports/{export_id}/{key}',
  at: 'root',
  summary: 'Download a data export',
  allow: 'anyone',
  params: {
    export_id: json(z.int(), 'The export'),
    key: text(z.string(), 'The expiry of the address, and a signature'),
  },
  result: redirect,
  errors: [NotFound],
  emits: [],
  uses: { table: 'read', areas: ['exports'], files: 'read', folders: ['exports'] },
  async handle({ export_id: exportId, key }, { services }) {
    const dataExport = await findExport(services.table, exportId);
    if (!dataExport?.file) throw new NotFound('No such data export');
    const untilSeconds = readUntilSeconds(key);
    if (
      isOver(untilSeconds, toSeconds(services.clock.nowMs())) ||
      !isSameSecret(key, exportKey(dataExport, untilSeconds))
    )
      throw new NotFound('No such data export');
    return new Redirect(await services.files.downloadUrl(dataExport.file, REDIRECT_LIFE_SECONDS));
  },
});

export const handler = lambda(downloadExport, awsServices);
