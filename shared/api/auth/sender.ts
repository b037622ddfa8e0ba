import { hash } from 'node:crypto';
import { InvalidApiKey, MissingArgument } from '#shared/domain/errors.ts';
import type { Account } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findAccount, findUser } from '#shared/store/users/users.ts';
import { signInKeys } from '#shared/table/keys/sign-in.ts';
import type { SentRequest } from '../endpoint.ts';
import { bodyOf, decodeContent, type HttpEvent } from '../http.ts';
import type { ParameterTexts } from '../parameters.ts';
import { isApiKeyShaped } from './api-key.ts';
import { authenticateByKey, requireKeyOf } from './authenticate.ts';

/**
 * The account of a program that knows only an address: its key is the parameter `api_key` of the address or the form.
 * Programs that have no such parameter may use HTTP Basic. Reads three items.
 * @throws MissingArgument, InvalidApiKey, UserDeactivated
 */
export async function authenticateSender(http: HttpEvent, services: Services): Promise<Account> {
  const { texts } = await decodeContent(http);
  const input = texts.query.get('api_key') ?? texts.body.get('api_key');
  const { authorization } = http.headers;
  if (input === undefined && authorization?.trim()) return authenticateByKey(authorization, services);
  if (input === undefined) throw new MissingArgument('api_key');
  const apiKey = input.trim();
  if (!isApiKeyShaped(apiKey)) throw new InvalidApiKey('Malformed API key');
  const { table } = services;
  const found = await table.find(signInKeys.apiKey(hash('sha256', apiKey, 'base64url')));
  const user = found && (await findUser(table, Number(found.userId)));
  return requireKeyOf(user && (await findAccount(table, user.email)), apiKey, services);
}

export const sentRequest = (http: HttpEvent, { query, body }: ParameterTexts): SentRequest => ({
  body: bodyOf(http),
  header: (name) => http.headers[name],
  query,
  form: body,
});
