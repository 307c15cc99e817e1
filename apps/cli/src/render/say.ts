import { printableLines } from "./printable.ts";

/** Prints lines for a person. Nothing in them can steer the terminal. */
export function say(text: string): void {
  console.log(printableLines(text));
}
