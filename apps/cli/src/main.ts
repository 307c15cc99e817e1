import { asksJson, errorJson } from "./exit/error-json.ts";
import { exitCode } from "./exit/exit-code.ts";
import { run } from "./program.ts";
import { reportError } from "./report-error.ts";
import { fileError } from "./workspace.ts";

/** Runs the program with these words, to its exit code: what it answers goes to standard output, an error to standard error. */
export async function main(words: readonly string[]): Promise<void> {
  // A reader that has enough (| head) is no error; a full disk is.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    const failed = fileError("write", "standard output", "what was asked to", error);
    console.error(asksJson(words) ? errorJson(failed) : reportError(failed));
    process.exitCode = exitCode(failed);
  });

  try {
    await run(words);
  } catch (error) {
    if (process.env.LETHE_DEBUG) console.error(error);
    console.error(asksJson(words) ? errorJson(error) : reportError(error));
    process.exitCode = exitCode(error);
  }
}
