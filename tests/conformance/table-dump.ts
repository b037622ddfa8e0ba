import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { LOCAL_REGION } from '#infra/local/create-table.ts';
import { credentialsFor } from '#shared/table/endpoint-credentials.ts';
import type { Item } from '#shared/table/table.ts';

/** Reads the whole of a table behind the service's back. */
export class TableDump {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;

  constructor(endpoint: string, tableName: string) {
    this.#client = new DynamoDBClient({ endpoint, region: LOCAL_REGION, ...credentialsFor(endpoint) });
    this.#tableName = tableName;
  }

  /**
   * Every item by its key, but for what may change without meaning anything: counters, which may burn a number, the
   * low-water mark of the log, and how many requests, attempts to sign in and mails there were.
   */
  async read(): Promise<Record<string, Item>> {
    const items: Record<string, Item> = {};
    const pages = paginateScan(
      { client: this.#client },
      { TableName: this.#tableName, ConsistentRead: true },
    );
    for await (const { Items = [] } of pages)
      for (const item of Items.map((one) => unmarshall(one)))
        if (!/^(COUNTER#|FRONTIER|REQUESTS#|SIGN_IN#|MAILS#)/.test(item.pk))
          items[`${item.pk} ${item.sk}`] = item;
    return items;
  }
}
