import * as z from 'zod/mini';
import { limits } from '#shared/domain/channels/channel.ts';
import { maxLength } from './parameters.ts';

/** A topic that is named in full: longer ones are refused, not cut. */
export const wholeTopic = z.string().check(z.trim(), maxLength(limits.topic));
