import type { PartWork, Services, Sockets } from '#shared/runtime/services.ts';

/** Adds the sockets to the services of a function, if the deployment has the event socket. */
export function withSockets(getServices: () => Services): () => Services {
  let services: Services | undefined;
  return () => {
    const { EVENT_SOCKET_URL: url } = process.env;
    services ??= { ...getServices(), ...(url && { sockets: socketsAt(url) }) };
    return services;
  };
}

/** What reaches the connections is only loaded by functions that do. */
function socketsAt(url: string): Sockets {
  let loading: Promise<Pick<Sockets, 'post' | 'end'>> | undefined;
  const load = () => {
    loading ??= loadConnections(url);
    return loading;
  };
  return {
    url,
    post: async (connectionId, text) => (await load()).post(connectionId, text),
    end: async (connectionId) => (await load()).end(connectionId),
    pushElsewhere,
  };
}

/** By another run of the function of this process. */
async function pushElsewhere(work: PartWork): Promise<void> {
  const { startPusher } = await import('#shared/adapters/sockets/aws-pushers.ts');
  const { placeOf } = await import('#shared/adapters/aws-endpoint.ts');
  await startPusher({ functionName: process.env.AWS_LAMBDA_FUNCTION_NAME ?? '', ...placeOf('LAMBDA') }, work);
}

async function loadConnections(url: string): Promise<Pick<Sockets, 'post' | 'end'>> {
  const { createAwsConnections } = await import('./aws-connections.ts');
  const { placeOf } = await import('#shared/adapters/aws-endpoint.ts');
  return createAwsConnections({
    endpoint: url.replace(/^ws/, 'http'),
    ...placeOf('APIGATEWAYMANAGEMENTAPI'),
  });
}
