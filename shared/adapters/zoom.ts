import * as z from 'zod/mini';
import { UnknownZoomUser, VideoCallServerFailure } from '#shared/domain/organization/video-calls.ts';
import type { ZoomApp } from '#shared/runtime/config.ts';

const TIMEOUT_MS = 4_000;
const FAILURE = 'Failed to create Zoom call';
/** Zoom's codes for an address without an account. */
const UNKNOWN_USER_CODES = [1001, 1120];

const tokenReply = z.object({ access_token: z.string() });
const meetingReply = z.object({ join_url: z.string() });
const refusal = z.object({ code: z.int() });

/**
 * Creates a meeting of the account with this address, and returns the address at which people join it.
 * @throws UnknownZoomUser, VideoCallServerFailure
 */
export async function createMeeting(
  app: ZoomApp,
  { email, isVideo }: { email: string; isVideo: boolean },
): Promise<string> {
  const token = await fetchToken(app);
  const reply = await post(`${app.apiUrl}/users/${encodeURIComponent(email)}/meetings`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      settings: { host_video: isVideo, participant_video: isVideo },
      // Otherwise Zoom demands a waiting room.
      default_password: true,
    }),
  });
  const { data: refused } = z.safeParse(refusal, reply.body);
  if (!reply.isOk && refused && UNKNOWN_USER_CODES.includes(refused.code)) throw new UnknownZoomUser();
  const { data: meeting } = z.safeParse(meetingReply, reply.body);
  if (!reply.isOk || !meeting?.join_url.startsWith('https://')) throw new VideoCallServerFailure(FAILURE);
  return meeting.join_url;
}

/** A token for an hour. Calls are seldom, so none is kept. */
async function fetchToken({ accountId, clientId, clientSecret, tokenUrl }: ZoomApp): Promise<string> {
  const query = new URLSearchParams({ grant_type: 'account_credentials', account_id: accountId });
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const reply = await post(`${tokenUrl}?${query}`, { headers: { authorization: `Basic ${credentials}` } });
  const { data } = z.safeParse(tokenReply, reply.body);
  if (!reply.isOk || !data) throw new VideoCallServerFailure(FAILURE);
  return data.access_token;
}

async function post(url: string, request: RequestInit): Promise<{ isOk: boolean; body: unknown }> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const reply = await fetch(url, { ...request, method: 'POST', redirect: 'error', signal });
    return { isOk: reply.ok, body: await reply.json() };
  } catch {
    throw new VideoCallServerFailure(FAILURE);
  }
}
