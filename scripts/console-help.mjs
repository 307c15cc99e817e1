// Turns the pages of errors and of words into a module that the console shows as help, so that no text of theirs is written twice. What is made is not committed. Runs before the console is bundled.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { documentedErrors } from "./house/error-pages.mjs";
import { glossaryParts } from "./house/glossary-page.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const made = join(root, "apps/console/src/screens/help/help-pages.generated.ts");

/** The errors of docs/reference/errors.md in parts: [{ code, meaning, when, fix, example }]. A link stays as its words, and `code` as it is written. */
export function errorHelp(page) {
  return documentedErrors(page).map(({ code, text }) => {
    const prose = plain(text.slice(text.indexOf("\n")));
    const [, meaning, when, fix, example] =
      /^(.+?) \*\*When:\*\* (.+) \*\*Do:\*\* (.+) Example: (.+)$/s.exec(prose) ?? [];
    if (example === undefined) throw new Error(`docs/reference/errors.md: ${code} lacks a part`);
    return { code, meaning, when, fix, example };
  });
}

/** The parts of docs/glossary.md: [{ title, terms: [{ term, meaning, policy, flags }] }]. */
export function glossaryHelp(page) {
  return glossaryParts(page).map(({ title, terms }) => ({
    title,
    terms: terms.map(({ term, meaning, policy, flags }) => ({
      term,
      meaning: plain(meaning),
      policy,
      flags,
    })),
  }));
}

/** A paragraph in one line, without links. */
function plain(text) {
  return text
    .replace(/\s+/g, " ")
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .trim();
}

/** Makes the module where it is missing or of other pages. */
export default function makeConsoleHelp() {
  const pageOf = (name) => readFileSync(join(root, "docs", name), "utf8");
  const text = `/** An error as docs/reference/errors.md explains it. */
export interface ErrorHelp {
  readonly code: string;
  readonly meaning: string;
  readonly when: string;
  readonly fix: string;
  readonly example: string;
}

/** A part of docs/glossary.md. */
export interface GlossaryPart {
  readonly title: string;
  readonly terms: readonly {
    readonly term: string;
    readonly meaning: string;
    /** Its names in a policy, and on the command line. */
    readonly policy: readonly string[];
    readonly flags: readonly string[];
  }[];
}

/** Every error, in the order of its page. */
export const errors: readonly ErrorHelp[] = ${JSON.stringify(errorHelp(pageOf("reference/errors.md")))};

/** Every word that has one meaning here. */
export const glossary: readonly GlossaryPart[] = ${JSON.stringify(glossaryHelp(pageOf("glossary.md")))};
`;
  if (existsSync(made) && readFileSync(made, "utf8") === text) return;
  const beside = `${made}.${process.pid}`;
  writeFileSync(beside, text);
  renameSync(beside, made);
}
