/** The replay cannot go on; the message says what to do. */
export class ReplayStopped extends Error {
  override readonly name = 'ReplayStopped';
}
