import { countFile } from './engine-endpoint.ts';

await countFile();
