import type { HttpEvent } from '#shared/api/http.ts';
import { toAwsEvent } from './to-aws-event.ts';

/** Runs before a function that SAM's local gateway calls; FUNCTION_FILE is the function's own file. */
const file = new URL(process.env.FUNCTION_FILE ?? '', import.meta.url).href;
const { handler: handle } = await import(file);

export const handler = (event: HttpEvent, context: object) => handle(toAwsEvent(event), context);
