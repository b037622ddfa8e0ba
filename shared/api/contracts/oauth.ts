import * as z from 'zod/mini';
import { optional, text } from '#shared/api/parameters.ts';

const plain = (description: string) => optional(text(z.string(), description));

/** The parameters of the authorization endpoint. */
export const authorizationRequest = {
  response_type: plain('`code`'),
  client_id: plain('The program: the id of its registration, or the address of a document about it'),
  redirect_uri: plain('The address that receives the answer; one that the program registered'),
  scope: plain('Scopes, separated by spaces'),
  state: plain('Comes back with the answer'),
  code_challenge: plain('The SHA-256 of a secret of the program (RFC 7636)'),
  code_challenge_method: plain('`S256`'),
  resource: plain('The address of the resource for which the token is (RFC 8707)'),
};
