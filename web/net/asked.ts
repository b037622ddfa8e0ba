import { useEffect, useState } from 'preact/hooks';
import type { WireType } from '#web/state/wire-events.ts';
import { call, explain } from './api.ts';
import { onEvent } from './hearing.ts';

export interface Asked<Reply> {
  reply?: Reply;
  failure?: string;
  refetch: () => void;
}

/** Data that a page fetches because the state lacks it; refetched after each event of one of these types. */
export function useAsked<Reply>(path: string, eventTypes: WireType[]): Asked<Reply> {
  const [found, setFound] = useState<{ reply?: Reply; failure?: string }>({});
  const [round, setRound] = useState(0);
  const refetch = (): void => setRound((before) => before + 1);
  useEffect(() => {
    const abort = new AbortController();
    call<Reply>('GET', path, {}, { signal: abort.signal }).then(
      (reply) => setFound({ reply }),
      (failure) => {
        if (!abort.signal.aborted)
          setFound(({ reply }) => ({ ...(reply && { reply }), failure: explain(failure) }));
      },
    );
    return () => abort.abort();
  }, [path, round]);
  useEffect(() => {
    const ends = eventTypes.map((type) => onEvent(type, refetch));
    return () => {
      for (const end of ends) end();
    };
  }, [eventTypes.join()]);
  return { ...found, refetch };
}
