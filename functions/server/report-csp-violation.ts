import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { directiveOfReport } from '#shared/api/web/csp-report.ts';
import { InvalidJson } from '#shared/domain/integrations/errors.ts';
import { logLine } from '#shared/runtime/log.ts';

/**
 * Takes the report of a browser that the web client's page broke its content security policy. Anyone can send one, so
 * the log gets the violated directive and nothing else of it.
 */
export const reportCspViolation = endpoint({
  route: 'POST /report/csp_violations',
  at: 'root',
  summary: 'Report a violation of the content security policy',
  allow: 'anyone',
  params: {
    body: text(z.string(), 'The report: the JSON object that browsers send, with the member `csp-report`'),
  },
  takesJson: true,
  result: nothing,
  errors: [InvalidJson],
  emits: [],
  uses: { table: 'none' },
  async handle({ body }) {
    const directive = directiveOfReport(body);
    logLine('info', 'A browser reported a violation of the content security policy', { directive });
    return {};
  },
});

export const handler = lambda(reportCspViolation, awsServices);
