import { LetheError } from "@lethe/core";
import { printableLines } from "../render/printable.ts";

/**
 * Asks, and where the answer would say next to nothing asks the person at the terminal whether to pay all the same. Scripts are
 * refused, unless they said so before: --yes. Errors: query.uninformative, and those of asking.
 */
export async function unlessPointless<T>(
  yes: boolean,
  ask: (acceptUninformative: boolean) => Promise<T>,
): Promise<T> {
  try {
    return await ask(yes);
  } catch (error) {
    if (!(error instanceof LetheError) || error.code !== "query.uninformative") throw error;
    if (!process.stdin.isTTY || !process.stderr.isTTY) throw error;
    warn(error.message);
    if (!(await confirmed())) throw error;
    return ask(true);
  }
}

/** On the error stream: a program that reads the answer is not disturbed. */
export function warn(words: string): void {
  console.error(printableLines(`Before paying: ${words}.`));
}

async function confirmed(): Promise<boolean> {
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({
    message: "Pay all the same?",
    initialValue: false,
    output: process.stderr,
  });
  return !isCancel(answer) && answer;
}
