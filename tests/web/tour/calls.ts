import type { Service } from '#infra/local/start.ts';

/** A person of the tour. */
export interface Member {
  email: string;
  userId: number;
  key: string;
}

/** Calls the service as a member. @throws Error with the service's refusal */
export async function call(
  service: Service,
  member: Member,
  method: string,
  path: string,
  fields: object = {},
) {
  const body = new URLSearchParams(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  const authorization = `Basic ${btoa(`${member.email}:${member.key}`)}`;
  const reply = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: { authorization },
    ...(method !== 'GET' && { body }),
  });
  const answer = await reply.json();
  if (!reply.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Sends a message as a person who reads along, like clients for people do. */
export const sendAs = (service: Service, sender: Member, fields: object) =>
  call(service, sender, 'POST', '/messages', { ...fields, read_by_sender: true });
