/**
 * Whether texts hold, together, every word that is looked for, whatever the case.
 * @example matches("budget LEDGER", ["ledger.budget"]) // => true
 */
export function matches(sought: string, texts: readonly string[]): boolean {
  const all = texts.join("\n").toLowerCase();
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
