import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { createBigBlueButtonCall } from './create-big-blue-button-call.ts';

/** The older method for new calls, which most clients use. Nothing is stored. */
export const getBigBlueButtonCall = endpoint({
  ...createBigBlueButtonCall,
  route: 'GET /calls/bigbluebutton/create',
  summary: 'Create a BigBlueButton call (an earlier method)',
});

export const handler = lambda(getBigBlueButtonCall, awsServices);
