import { t } from '#web/texts/texts.ts';
import { call } from './api.ts';
import { attempt } from './message-actions.ts';

export type TokenScope = 'read' | 'send' | 'organize';

/** A token as the service lists it, without its text. */
export interface ApiToken {
  id: number;
  name: string;
  scopes: TokenScope[];
  /** Null if it reaches every place. */
  channels: number[] | null;
  expires_at: number | null;
  last_used_at: number | null;
  /** A program got it by asking. */
  is_from_oauth: boolean;
}

/** Makes a token and returns its text, which the service shows once. @throws ApiError in the words of the service */
export async function createToken(wanted: {
  name: string;
  scopes: TokenScope[];
  channels: number[] | null;
  expires_in_seconds: number | null;
}): Promise<string> {
  return (await call<{ token: string }>('POST', '/users/me/tokens', wanted)).token;
}

export const revokeToken = (id: number): Promise<boolean> =>
  attempt(t('actions.theTokenWasNotRevoked'), () => call('DELETE', `/users/me/tokens/${id}`));
