/**
 * Returns what writes lines of JSON, all those of one turn of the loop by one call: a call for each would take a good part of the time that an answer takes which is there already. A process that is
 * killed loses the lines of its last turn.
 * @param write gets lines without the last line's end
 */
export function linesAtOnce(write: (text: string) => void): (line: object) => void {
  let lines: string[] = [];
  const flush = (): void => {
    const text = lines.join("\n");
    lines = [];
    write(text);
  };
  return (line) => {
    if (lines.push(JSON.stringify(line)) === 1) setImmediate(flush);
  };
}
