/** The parts of docs/glossary.md: [{ title, terms: [{ term, meaning, code, policy, flags }] }], the last three as lists of names. */
export function glossaryParts(page) {
  return page
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.split("\n")[0].trim(),
      terms: part
        .split("\n")
        .filter((line) => line.startsWith("| ") && !line.startsWith("| term |"))
        .map((line) => line.split("|").slice(1, -1))
        .map(([term, meaning, code, policy, flags]) => ({
          term: term.trim(),
          meaning: meaning.trim(),
          code: names(code),
          policy: names(policy),
          flags: names(flags),
        })),
    }));
}

function names(cell) {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
}
