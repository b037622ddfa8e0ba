/**
 * The single definition of the table, from which the AWS stack, the local service and the tests create it.
 * Indexes are named after the question that they answer.
 */
export const tableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** DynamoDB deletes items some time after this UNIX time in seconds; readers compare it themselves. */
  timeToLiveAttribute: 'expiresAtSeconds',
  indexes: [
    { name: 'byConversation', partitionKey: 'inConversation', sortKey: 'sk', sortKeyType: 'S' },
    { name: 'byChannel', partitionKey: 'inChannel', sortKey: 'sk', sortKeyType: 'S' },
    { name: 'byDueTime', partitionKey: 'due', sortKey: 'dueAtSeconds', sortKeyType: 'N' },
  ],
} as const;

export type IndexName = (typeof tableDefinition.indexes)[number]['name'];
