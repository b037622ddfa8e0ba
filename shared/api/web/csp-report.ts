import * as z from 'zod/mini';
import { InvalidJson } from '#shared/domain/integrations/errors.ts';
import { contentSecurityPolicy } from './content-security-policy.ts';

const report = z.object({
  'csp-report': z.object({
    'effective-directive': z.optional(z.string()),
    'violated-directive': z.optional(z.string()),
  }),
});

/** The names of directives that browsers derive from directives of the policy. */
const DERIVED = /-(?:elem|attr)$/;
const ownDirectives = new Set(
  contentSecurityPolicy({})
    .split('; ')
    .map((part) => part.split(' ', 1)[0] ?? ''),
);

/**
 * The directive of the web client's policy that a report names, `other` for any other text.
 * @throws InvalidJson for a body that is no report
 */
export function directiveOfReport(body: string): string {
  const named = parse(body)['csp-report'];
  const text = named['effective-directive'] ?? named['violated-directive'] ?? '';
  const directive = text.split(' ', 1)[0]?.replace(DERIVED, '') ?? '';
  return ownDirectives.has(directive) ? directive : 'other';
}

function parse(body: string): z.output<typeof report> {
  try {
    return report.parse(JSON.parse(body));
  } catch {
    throw new InvalidJson();
  }
}
