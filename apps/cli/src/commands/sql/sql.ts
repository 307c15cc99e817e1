import type { AskOptions } from "@lethe/gateway";
import { describeTables } from "@lethe/query";
import { removedAtEnd } from "../../removed-at-end.ts";
import { terminalWidth } from "../../render/layout/terminal-width.ts";
import { policyOf, workspaceOf } from "../../workspace.ts";
import { completer } from "./complete.ts";
import { asOneLine, historyPath, openHistory } from "./history.ts";
import { LineReader } from "./line-reader.ts";
import { Session, shower } from "./session.ts";

export interface SqlFlags
  extends Pick<AskOptions, "project" | "epsilon" | "delta" | "keys" | "mechanism" | "confidence"> {
  readonly policy: string;
  readonly as: string;
  readonly headFile?: string;
  readonly verbose?: true;
  readonly fresh?: true;
}

/** The streams of a session: those of the process, or a test's. */
export interface SqlStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly width: () => number;
}

const ofProcess: SqlStreams = { input: process.stdin, output: process.stdout, width: terminalWidth };

/** Runs lethe sql: a person asks, sees the price, and pays question by question. */
export async function sql(
  { policy, as, headFile, verbose, fresh, ...asked }: SqlFlags,
  { input, output, width }: SqlStreams = ofProcess,
): Promise<void> {
  const tables = await describeTables(policyOf(workspaceOf(policy)));
  const terminal = input.isTTY === true && output.isTTY === true;
  const history = openHistory(terminal ? historyPath() : null);
  const complete = completer(tables);
  const lines: LineReader = new LineReader({
    input: input as NodeJS.ReadStream,
    output: output as NodeJS.WriteStream,
    terminal,
    history: history.lines,
    complete: (line) => complete(session.begun, line),
  });
  const show = shower((text) => void output.write(text));
  const session: Session = new Session({
    policy,
    principal: as,
    headFile,
    asked,
    verbose: verbose === true,
    fresh: fresh === true,
    reader: {
      next: (prompt, isQuestion) => lines.next(prompt, isQuestion),
      putBack: (line) => lines.putBack(line),
      remember(statement) {
        const line = asOneLine(statement);
        if (line === null) return;
        lines.remember(line);
        history.add(line);
      },
    },
    show,
    width,
    removedAtEnd,
  });
  if (terminal)
    show(
      `Ask of ${tables.map(({ name }) => name).join(", ")}. A statement ends with ; and is paid for once you agree to its price. \\? lists the commands.`,
    );
  try {
    await session.run();
  } finally {
    lines.close();
  }
}
