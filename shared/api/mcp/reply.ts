import * as z from 'zod/mini';
import type { OwnReply } from '#shared/api/envelope.ts';
import type { HttpReply } from '../http.ts';

/** The answer to a message of the Model Context Protocol; notifications get none. */
export class McpReply implements OwnReply {
  readonly statusCode: number;
  readonly message: object | undefined;

  constructor(statusCode: number, message?: object) {
    this.statusCode = statusCode;
    this.message = message;
  }

  toReply(): HttpReply {
    return {
      statusCode: this.statusCode,
      headers: {
        'Content-Type': 'application/json',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        Vary: 'Accept-Encoding',
      },
      body: this.message ? JSON.stringify(this.message) : '',
    };
  }
}

/** The result of the endpoint that answers such messages. */
export const mcpReply = z.instanceof(McpReply);
