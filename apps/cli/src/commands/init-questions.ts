import { LetheError } from "@lethe/core";
import type { InitFlags } from "./init-flags.ts";

/** What init needs beyond the defaults: who is protected. On a terminal it asks, for columns too; elsewhere it refuses. */
export async function askMissingWords(
  flags: InitFlags,
  header: readonly string[],
): Promise<InitFlags & { readonly unit: string }> {
  const { unit } = flags;
  if (unit !== undefined) return { ...flags, unit };
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new LetheError("cli.usage", "init must be told who is protected", {
      fix: "add --unit row when each row is one person, or --unit COLUMN when a column names the person",
    });
  }
  return askOnTerminal(flags, header);
}

async function askOnTerminal(
  flags: InitFlags,
  header: readonly string[],
): Promise<InitFlags & { readonly unit: string }> {
  const { intro, isCancel, outro, select, text } = await import("@clack/prompts");
  const answered = <T>(value: T): Exclude<T, symbol> => {
    if (isCancel(value)) {
      throw new LetheError("cli.usage", "init was cancelled", { fix: "run it again; nothing was written" });
    }
    return value as Exclude<T, symbol>;
  };
  intro(
    "Who is protected, and what is public about each column? Answer from what you know, not from the values.",
  );
  const unit = answered(
    await select({
      message: "Who is one unit?",
      options: [
        { value: "row", label: "each row is one person" },
        ...header.map((name) => ({ value: name, label: `all rows with one ${name}` })),
      ],
    }),
  );
  const bounds = [...flags.bounds];
  const categories = [...flags.categories];
  const booleans = flags.booleans?.split(",") ?? [];
  const declared = new Set(
    [...bounds, ...categories].map((word) => word.slice(0, word.indexOf("="))).concat(booleans),
  );
  for (const column of header.filter((name) => name !== unit && !declared.has(name))) {
    const kind = answered(
      await select({
        message: `${column} is`,
        options: [
          { value: "text", label: "text whose values are private" },
          { value: "number", label: "a number between public bounds" },
          { value: "integer", label: "a whole number between public bounds" },
          { value: "categories", label: "one of some public categories" },
          { value: "boolean", label: "true or false" },
        ],
      }),
    );
    if (kind === "number" || kind === "integer") {
      const range = answered(await text({ message: `Bounds of ${column}`, placeholder: "0..60" }));
      bounds.push(`${column}=${kind === "integer" ? "int:" : ""}${range.trim()}`);
    } else if (kind === "categories") {
      const list = answered(
        await text({ message: `Categories of ${column}`, placeholder: "red,green,other" }),
      );
      categories.push(`${column}=${list}`);
    } else if (kind === "boolean") booleans.push(column);
  }
  const epsilon = answered(await text({ message: "The whole budget's ε", initialValue: flags.epsilon }));
  outro("Thank you.");
  return {
    ...flags,
    unit,
    bounds,
    categories,
    epsilon,
    ...(booleans.length > 0 ? { booleans: booleans.join(",") } : {}),
  };
}
