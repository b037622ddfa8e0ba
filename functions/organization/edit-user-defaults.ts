import { awsServices } from '#shared/adapters/aws-services.ts';
import { defaultableSettings, givenSettings } from '#shared/api/contracts/settings.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { userDefaultsChange } from '#shared/domain/organization/user-defaults.ts';
import { commit } from '#shared/log/commit.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

/** Changes the initial settings of new users; existing users are not affected. */
export const editUserDefaults = endpoint({
  route: 'PATCH /realm/user_settings_defaults',
  summary: 'Edit the settings of new users',
  allow: 'administrator',
  params: defaultableSettings,
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['realm_user_settings_defaults/update'],
  uses: { table: 'write' },
  async handle(params, { services }) {
    const change = userDefaultsChange(await getOrganization(services.table), givenSettings(params));
    if (change) await commit(services, change);
    return {};
  },
});

export const handler = lambda(editUserDefaults, awsServices);
