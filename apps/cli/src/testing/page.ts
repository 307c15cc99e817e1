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

/** Runs a snippet of TypeScript that has no types in it: a package that it imports is one of `faces`, and `log` is its console. */
export async function runSnippet(
  snippet: string,
  faces: Readonly<Record<string, unknown>>,
  log: (...values: unknown[]) => void,
): Promise<void> {
  const imported = snippet.replaceAll(
    /^import (\{.*\}) from "(.*)";$/gm,
    (_, names: string, name: string) => {
      if (!Object.hasOwn(faces, name)) throw new Error(`no face of ${name} is given`);
      return `const ${names} = faces["${name}"];`;
    },
  );
  if (imported === snippet) throw new Error("the snippet imports nothing");
  const AsyncFunction = (async () => undefined).constructor as new (
    ...words: string[]
  ) => (faces: unknown, console: unknown) => Promise<void>;
  await new AsyncFunction("faces", "console", imported)(faces, { log });
}
