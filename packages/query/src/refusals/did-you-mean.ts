import { elementAt } from "@lethe/core/numeric";

/** Levenshtein distance, two rows; names are at most 63 bytes, so this is small. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = elementAt(previous, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, elementAt(previous, j) + 1, elementAt(current, j - 1) + 1));
    }
    previous = current;
  }
  return elementAt(previous, b.length);
}

/** The nearest of the known names, if one is near: at most a third of the letters (and at least one) may differ. */
export function nearestName(asked: string, known: Iterable<string>): string | null {
  const wanted = asked.slice(0, 64).toLowerCase();
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const name of known) {
    if (Math.abs(name.length - wanted.length) >= bestDistance) continue;
    const distance = editDistance(wanted, name.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** 'did you mean "wage"? write one of: age, wage' — names of the policy alone, a dozen at most. */
export function didYouMean(asked: string, known: readonly string[]): string {
  const nearest = nearestName(asked, known);
  const listed = known.slice(0, 12).join(", ");
  const rest = known.length > 12 ? ` and ${known.length - 12} more` : "";
  return `${nearest === null ? "" : `did you mean "${nearest}"? `}write one of: ${listed}${rest}`;
}
