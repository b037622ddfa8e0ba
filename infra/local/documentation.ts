import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HttpEvent, HttpReply } from '#shared/api/http.ts';

/** The path of the API documentation in a browser. */
export const DOCUMENTATION_PATH = '/docs';

const VIEWER = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Team Chat Service: the API</title>
<link rel="stylesheet" href="${DOCUMENTATION_PATH}/swagger-ui.css">
<link rel="icon" href="${DOCUMENTATION_PATH}/favicon-32x32.png">
</head>
<body>
<div id="api"></div>
<script src="${DOCUMENTATION_PATH}/swagger-ui-bundle.js"></script>
<script src="${DOCUMENTATION_PATH}/start.js"></script>
</body>
</html>
`;
const START = `SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
});
`;
const fromViewer = (name: string) => () => readFileSync(join(VIEWER, name));

/** The files of the page; it loads nothing from elsewhere. */
const files = new Map<string, { mediaType: string; read(): Buffer }>([
  ['', { mediaType: 'text/html; charset=utf-8', read: () => Buffer.from(PAGE) }],
  ['/start.js', { mediaType: 'text/javascript', read: () => Buffer.from(START) }],
  ['/swagger-ui-bundle.js', { mediaType: 'text/javascript', read: fromViewer('swagger-ui-bundle.js') }],
  ['/swagger-ui.css', { mediaType: 'text/css', read: fromViewer('swagger-ui.css') }],
  ['/favicon-32x32.png', { mediaType: 'image/png', read: fromViewer('favicon-32x32.png') }],
]);

/** The page that shows the API and lets people try it; undefined for other requests. */
export function answerDocumentation({ rawPath, requestContext }: HttpEvent): HttpReply | undefined {
  if (requestContext.http.method !== 'GET' && requestContext.http.method !== 'HEAD') return undefined;
  if (!rawPath.startsWith(DOCUMENTATION_PATH)) return undefined;
  const file = files.get(rawPath.slice(DOCUMENTATION_PATH.length).replace(/^\/$/, ''));
  if (!file) return undefined;
  return {
    statusCode: 200,
    headers: {
      'Content-Type': file.mediaType,
      'Content-Security-Policy':
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
    },
    body: file.read().toString('base64'),
    isBase64Encoded: true,
  };
}
