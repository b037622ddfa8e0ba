import { BadRequest } from '#shared/domain/errors.ts';
import type { Note } from './integration.ts';
import type { Payload } from './payload.ts';

/** A topic and a text that the sender's owner wrote. @throws BadRequest if one is missing */
export function writtenNote(payload: Payload): Note {
  if (typeof payload.value !== 'object' || payload.value === null) throw new BadRequest('Malformed payload');
  const topic = payload.find('topic') ?? payload.find('subject');
  const content = payload.find('content');
  if (topic === undefined || topic.trim() === '') throw new BadRequest("Topic can't be empty");
  if (content === undefined || content.trim() === '') throw new BadRequest("Content can't be empty");
  return { topic, content };
}
