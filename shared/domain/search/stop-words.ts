/** English words so common that a search ignores them beside other words. */
export const stopWords: readonly string[] = [
  ['a', 'an', 'the'],
  ['and', 'but', 'or', 'nor', 'if', 'so', 'than', 'then', 'because', 'while', 'until'],
  ['at', 'by', 'for', 'from', 'in', 'into', 'of', 'off', 'on', 'onto', 'out', 'over', 'to', 'under', 'up'],
  ['about', 'after', 'as', 'before', 'between', 'during', 'through', 'with', 'without'],
  ['i', 'me', 'my', 'mine', 'we', 'us', 'our', 'ours', 'you', 'your', 'yours'],
  ['he', 'him', 'his', 'she', 'her', 'hers', 'it', 'its', 'they', 'them', 'their', 'theirs'],
  ['this', 'that', 'these', 'those', 'there', 'here'],
  ['who', 'whom', 'what', 'which', 'when', 'where', 'why', 'how'],
  ['am', 'is', 'are', 'was', 'were', 'be', 'been', 'being'],
  ['have', 'has', 'had', 'having', 'do', 'does', 'did', 'doing'],
  ['can', 'could', 'should', 'would', 'will', 'shall', 'may', 'might', 'must'],
  ['all', 'any', 'both', 'each', 'few', 'more', 'most', 'other', 'some', 'such'],
  ['no', 'not', 'only', 'own', 'same', 'too', 'very', 'just', 'also', 'again', 'once'],
].flat();
