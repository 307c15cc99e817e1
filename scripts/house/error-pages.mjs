import { isTest } from "./rules.mjs";

/** The sections of docs/reference/errors.md: [{ code, text }]. */
export function documentedErrors(page) {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => ({ code: /^`([^`]+)`/.exec(section)?.[1] ?? section.split("\n")[0], text: section }));
}

/** Every code-like text ("room.reason") in the sources, but for the list of codes itself and the tests. */
export function usedCodes({ modules }) {
  const used = new Set();
  for (const { path, texts } of modules.values()) {
    if (isTest(path) || path.endsWith("errors/codes.ts")) continue;
    for (const text of texts) if (/^[a-z]+\.[a-z-]+$/.test(text)) used.add(text);
  }
  return used;
}
