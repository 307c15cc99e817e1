import { spawn } from "node:child_process";
import type { Feature, Outcomes, Told } from "./wire-client.ts";

/** What a program printed, and how it ended. */
export interface Ended {
  readonly status: number | null;
  readonly printed: string;
  readonly complained: string;
}

export interface Running {
  readonly ended: Promise<Ended>;
  readonly interrupt: () => void;
}

/** Starts a program in a folder, with its input closed. */
export function startProgram(
  program: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  folder = ".",
): Running {
  const child = spawn(program, [...words], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const read = { printed: "", complained: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    read.printed += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    read.complained += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, ...read }));
  });
  return { ended, interrupt: () => void child.kill("SIGINT") };
}

/** Runs a program that prints one line of JSON for each feature. */
export async function outcomesOfProgram(
  program: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Outcomes> {
  const { status, printed, complained } = await startProgram(program, words, environment).ended;
  const outcomes = new Map<Feature, Told | string>();
  for (const line of printed.split("\n").filter((each) => each !== "")) {
    const { feature, told, failed } = JSON.parse(line);
    outcomes.set(feature, told ?? failed);
  }
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${complained}`);
  return outcomes;
}
