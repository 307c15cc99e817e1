/** Returns the columns of the terminal that reads what is printed; Infinity where a file or another program reads it. */
export function terminalWidth(): number {
  const { isTTY, columns } = process.stdout;
  return isTTY && columns >= narrowest ? columns : Number.POSITIVE_INFINITY;
}

/** No table is laid out for less. */
const narrowest = 20;
