import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { createMeeting } from '#shared/adapters/zoom.ts';
import { callResult } from '#shared/api/call-parameters.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, withDefault } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { UnknownZoomUser, VideoCallServerFailure } from '#shared/domain/organization/video-calls.ts';

/** Creates a Zoom meeting of the caller, who has an account of Zoom by the same address. */
export const createZoomCall = endpoint({
  route: 'POST /calls/zoom/create',
  summary: 'Create a Zoom call',
  allow: 'user',
  params: {
    is_video_call: withDefault(json(z.boolean(), 'Whether the call begins with cameras on'), true),
  },
  result: callResult,
  errors: [BadRequest, UnknownZoomUser, VideoCallServerFailure],
  emits: [],
  uses: { table: 'none', zoom: true },
  async handle({ is_video_call: isVideo }, { services, caller }) {
    const { zoom } = services.config;
    const clientSecret = zoom?.clientSecret ?? (await services.zoomSecret?.());
    if (!zoom || !clientSecret) throw new BadRequest('Zoom credentials have not been configured');
    return { url: await createMeeting({ ...zoom, clientSecret }, { email: caller.email, isVideo }) };
  },
});

export const handler = lambda(createZoomCall, awsServices);
