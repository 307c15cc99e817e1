/** The fenced blocks of a page, in order. */
export function blocksOf(page: string): readonly { readonly language: string; readonly text: string }[] {
  return [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));
}

/** The lines of a shell block as a shell splits them into words: continued lines are joined, comments are dropped. */
export function wordsOf(block: string): readonly (readonly string[])[] {
  return block
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) => line.replace(/\s#\s.*$/, "").trim())
    .filter((line) => line !== "")
    .map((line) =>
      [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
        ([, quoted, single, plain]) => quoted ?? single ?? plain ?? "",
      ),
    );
}

/** Runs a snippet of TypeScript that has no types in it, with `lethe` imported from `face` and with `log` as its console. */
export async function runSnippet(
  snippet: string,
  face: unknown,
  log: (...values: unknown[]) => void,
): Promise<void> {
  const imported = snippet.replace(/^import (\{.*\}) from "lethe";$/m, "const $1 = face;");
  if (imported === snippet) throw new Error("the snippet does not import lethe");
  const AsyncFunction = (async () => undefined).constructor as new (
    ...words: string[]
  ) => (face: unknown, console: unknown) => Promise<void>;
  await new AsyncFunction("face", "console", imported)(face, { log });
}
