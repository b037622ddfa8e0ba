import { awsServices } from '#shared/adapters/aws-services.ts';
import { callParameters, callResult, newCall } from '#shared/api/call-parameters.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { BadRequest } from '#shared/domain/errors.ts';

/** Creates the address of a new BigBlueButton call. The call starts when the first person opens it. */
export const createBigBlueButtonCall = endpoint({
  route: 'POST /calls/bigbluebutton/create',
  summary: 'Create a BigBlueButton call',
  allow: 'user',
  params: callParameters,
  result: callResult,
  errors: [BadRequest],
  emits: [],
  uses: { table: 'none', calls: true },
  async handle(params, { services }) {
    return newCall(services, params);
  },
});

export const handler = lambda(createBigBlueButtonCall, awsServices);
