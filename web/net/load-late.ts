import { explain } from './api.ts';
import { showNotice } from './store.ts';

/** Uses a chunk of the client after it has loaded; a notice says why it did not. */
export const loadLate = <Chunk>(loading: Promise<Chunk>, use: (chunk: Chunk) => void): void =>
  void loading.then(use, (reason) => showNotice(explain(reason)));
