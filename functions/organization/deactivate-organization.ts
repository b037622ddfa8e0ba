import * as z from 'zod/mini';
import { closeOrganization } from '#shared/actions/organization/close-organization.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';

/**
 * Deactivates the organization: sign-in, reading and writing end for all accounts. Only an operator can
 * reactivate it, until its data is deleted.
 */
export const deactivateOrganization = endpoint({
  route: 'POST /realm/deactivate',
  summary: 'Deactivate the organization',
  allow: 'owner',
  params: {
    deletion_delay_days: optional(
      json(
        z.nullable(z.int()),
        'The number of days after which its data is deleted permanently, at most 3650; never for null or 0',
      ),
    ),
  },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['realm/deactivated'],
  uses: { table: 'write', bus: true },
  async handle({ deletion_delay_days: days = null }, { services, caller }) {
    await closeOrganization(services, caller.userId, days);
    return {};
  },
});

export const handler = lambda(deactivateOrganization, awsServices);
