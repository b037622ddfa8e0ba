/**
 * DynamoDB Local counts items of equal cost once a transaction, index writes twice, and a query that finds nothing as
 * none; so units are asserted on the table in SQLite, which counts by the documented rules.
 */
const CAPACITY = 'it asserts capacity units, which DynamoDB Local counts by other rules';
/** One increment may overtake another. */
const ORDER =
  'it takes the channels of one request to get their ids in order, which an engine that does several things at once does not promise';

/** Tests that DynamoDB Local cannot pass, by their names, and why. */
export const leftOut: { test: string; because: string }[] = [
  ...[
    'The first alert words cost 7 write units, later ones 5',
    'A run costs about five write units a message',
    'A draft costs 8 write units, ten in one request 26',
    'Deleting a draft costs 7 write units',
    'An edit costs 7 write units, one that changes only the content 8 read units',
    'A message with a key costs 3 units more to write and 1 to read; a retry costs 2 to read, and a message without a key nothing more',
    'Each look of an idle poll costs at most half a read unit, and waiting takes one unit to write: in the middle of a block',
    'Each look of an idle poll costs at most half a read unit, and waiting takes one unit to write: near the end of a block',
    'A new linkifier costs 7 write units',
    'The capacity that submessages take is the same for each, a little more for the first, and none for messages that have none',
    'Deleting a message costs a few units',
    'Editing the text of a message costs what its texts weigh',
    'A report costs a message to the moderators and one to the reporter, with what they name',
    'A change costs one transaction, whatever the number of fields',
    'A reminder costs what a scheduled message costs, and to look up what it names',
    'A saved snippet costs 8 write units',
    'A name and a time zone cost a transaction of entry, account, user and the list of names',
    'A preference costs 9 write units, and the reads of what the user has',
    'A message that names a file costs nothing more when it names none, or one that is not there',
    'What a file costs to be kept, to be named, and to be looked at',
    'What a file costs to be taken out of a message, and to be deleted',
    'What a file costs to be announced, to come in pieces, and to be whole',
    'A new channel costs its first subscriber 14.5 read and 31 write units, the note of the bot included',
    'Many people in one call cost at most 4 write units each and 20 for all: 100 people',
    'The capacity that reactions take is the same for each, and a little more for the first to a message',
  ].map((test) => ({ test, because: CAPACITY })),
  { test: 'A colour is the first of the palette that the user does not have yet', because: ORDER },
];
