import { readFileSync } from "node:fs";
import { fileError } from "./workspace.ts";

/** The question that each error is about, so that its place can be shown. */
const questions = new WeakMap<object, string>();

/** Answers a question given as an argument; "-" stands for standard input. Errors are remembered as being about it. */
export async function withQuestion<T>(sql: string, answer: (text: string) => Promise<T>): Promise<T> {
  return aboutQuestion(sql === "-" ? readStandardInput() : sql, answer);
}

/** Answers a question's text. Errors are remembered as being about it. */
export async function aboutQuestion<T>(text: string, answer: (text: string) => Promise<T>): Promise<T> {
  try {
    return await answer(text);
  } catch (error) {
    if (typeof error === "object" && error !== null) questions.set(error, text);
    throw error;
  }
}

/** Returns the question that an error is about, if it is about one. */
export function questionOf(error: unknown): string | undefined {
  return typeof error === "object" && error !== null ? questions.get(error) : undefined;
}

function readStandardInput(): string {
  try {
    return readFileSync(0, "utf8");
  } catch (error) {
    throw fileError("read", "standard input", "the question from", error);
  }
}
