import { openDynamoTable } from '#tests/harness/table/test-table.ts';
import { engineEndpoint, useWireEngine } from '#tests/harness/wire-engine/wire-engine.ts';
import { describeContract } from './contract.ts';

await useWireEngine();

describeContract('A table in DynamoDB, through the SDK', (meter) => openDynamoTable(engineEndpoint(), meter));
