/** How far a long command is, on one line of standard error that a person sees; nothing where it is no terminal. */
export function showProgress(total: number): { at(done: number, what: string): void; end(): void } {
  const { stderr } = process;
  if (!stderr.isTTY) return { at: () => undefined, end: () => undefined };
  const width = 24;
  return {
    at(done, what) {
      const filled = Math.floor((width * done) / Math.max(1, total));
      const bar = "█".repeat(filled) + "░".repeat(width - filled);
      stderr.write(`\r\u001b[K${bar} ${done}/${total} ${what}`);
    },
    end: () => void stderr.write("\r\u001b[K"),
  };
}
