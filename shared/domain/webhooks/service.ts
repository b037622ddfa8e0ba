import { BadRequest } from '#shared/domain/errors.ts';

/** The formats of requests to an outgoing webhook. */
export const serviceInterfaces = { generic: 1, slack: 2 } as const;
export type ServiceInterface = (typeof serviceInterfaces)[keyof typeof serviceInterfaces];

/** The server that an outgoing webhook bot calls. */
export interface BotService {
  baseUrl: string;
  interface: ServiceInterface;
  /** Identifies the service to the server; 32 letters and digits. */
  token: string;
}

/** @throws BadRequest */
export function checkInterface(input: number): ServiceInterface {
  const known = Object.values(serviceInterfaces).find((serviceInterface) => serviceInterface === input);
  if (known === undefined) throw new BadRequest('Invalid interface type');
  return known;
}

const MAX_URL_LENGTH = 2_000;

/** @throws BadRequest unless the text is an absolute address of the web */
export function checkPayloadUrl(input: string): string {
  const url = URL.parse(input);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!isWeb || !/^https?:\/\//i.test(input)) throw new BadRequest('payload_url is not a URL');
  if (input.length > MAX_URL_LENGTH) throw new BadRequest('payload_url is too long (limit: 2000 characters)');
  return input;
}

/** The services of a bot in the protocol: one for an outgoing webhook. */
export const toServiceRecords = (service: BotService | undefined) =>
  service ? [{ base_url: service.baseUrl, interface: service.interface, token: service.token }] : [];
