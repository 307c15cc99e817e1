const width = 24;

/** One line of standard error that is written again and again for the person who waits; nothing where it is no terminal. */
export interface BarLine {
  /** `share` of all is done, from 0 to 1. */
  write(share: number, words: string): void;
  end(): void;
}

/** Returns a line with a bar. */
export function barLine(): BarLine {
  const { stderr } = process;
  if (!stderr.isTTY) return { write: () => undefined, end: () => undefined };
  return {
    write(share, words) {
      const filled = Math.floor(width * share);
      stderr.write(`\r\u001b[K${"█".repeat(filled)}${"░".repeat(width - filled)} ${words}`);
    },
    end: () => void stderr.write("\r\u001b[K"),
  };
}
