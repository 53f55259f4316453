/** Where a long step says what it is doing: a line at a time, readable in a terminal and in a log. */
export type Progress = (message: string) => void;

/** Writes to stderr, so that a command's own output stays clean. */
export const reportOnStderr: Progress = (message) => {
  process.stderr.write(`engine: ${message}\n`);
};
