import * as z from 'zod/mini';
import { acceptedTexts } from '#shared/actions/texts/accepted.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { beginMeeting, joinAddress } from '#shared/adapters/big-blue-button.ts';
import { readSigned, requireBigBlueButton } from '#shared/api/call-link.ts';
import { callPage } from '#shared/api/call-page.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { maxLength, notBlank, optional, text } from '#shared/api/parameters.ts';
import { PageReply, pageOrAddress, Redirect } from '#shared/api/replies.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { VideoCallServerFailure } from '#shared/domain/organization/video-calls.ts';

const MAX_NAME_LENGTH = 100;

/** Requests a name and redirects to the call. Like the address of the call, it works for everyone who knows it. */
export const joinBigBlueButtonCall = endpoint({
  route: 'GET /calls/bigbluebutton/join',
  at: 'root',
  summary: 'Join a BigBlueButton call in a browser',
  allow: 'anyone',
  closes: true,
  seesRequest: true,
  params: {
    bigbluebutton: text(z.string(), 'The call, signed'),
    full_name: optional(
      text(z.string().check(notBlank(), maxLength(MAX_NAME_LENGTH)), 'The name that others in the call see'),
    ),
  },
  result: pageOrAddress,
  errors: [BadRequest, VideoCallServerFailure],
  emits: [],
  uses: { table: 'read', calls: true },
  async handle({ bigbluebutton, full_name: fullName }, { services, http }) {
    const server = await requireBigBlueButton(services);
    const call = readSigned(server, bigbluebutton);
    if (fullName === undefined)
      return new PageReply(callPage(await acceptedTexts(http?.headers['accept-language'])));
    await beginMeeting(server, call);
    return new Redirect(joinAddress(server, call, fullName.trim()));
  },
});

export const handler = lambda(joinBigBlueButtonCall, awsServices);
