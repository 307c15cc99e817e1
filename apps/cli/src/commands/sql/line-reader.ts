import { type CompleterResult, createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { longestHistory } from "./history.ts";

/** What a person typed: a line, Ctrl-C, or the end of the input. */
export type Typed = { readonly line: string } | "interrupted" | "ended";

export interface LineReaderOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Whether a person edits lines: then prompts are shown, and history and completion work. */
  readonly terminal: boolean;
  readonly history: readonly string[];
  readonly complete: (line: string) => CompleterResult;
}

/** Reads lines one after the other. Those that arrive while a question is answered wait their turn. */
export class LineReader {
  readonly #lines: Interface;
  readonly #terminal: boolean;
  readonly #typed: Typed[] = [];
  #waiting: ((typed: Typed) => void) | null = null;
  #ended = false;
  #history: string[] = [];

  constructor({ input, output, terminal, history, complete }: LineReaderOptions) {
    this.#terminal = terminal;
    this.#lines = createInterface({
      input,
      output,
      terminal,
      completer: complete,
      history: [...history],
      historySize: terminal ? longestHistory : 0,
      removeHistoryDuplicates: true,
    });
    this.#history = [...history];
    this.#lines.on("line", (line) => this.#arrived({ line }));
    this.#lines.on("SIGINT", () => this.#arrived("interrupted"));
    // What is remembered are statements, not the lines of one nor answers to a prompt.
    this.#lines.on("history", (lines) => void lines.splice(0, lines.length, ...this.#history));
    this.#lines.on("close", () => {
      this.#ended = true;
      this.#arrived("ended");
    });
  }

  /** Shows the prompt and waits for a line. A prompt that is a question is shown to programs, too. */
  next(prompt: string, isQuestion = false): Promise<Typed> {
    const typed = this.#typed.shift();
    if (typed === undefined && this.#ended) return Promise.resolve("ended");
    this.#lines.setPrompt(prompt);
    if (this.#terminal && !this.#ended) this.#lines.prompt();
    else if (isQuestion) this.#show(`${prompt}\n`);
    return typed === undefined
      ? new Promise((resolve) => {
          this.#waiting = resolve;
        })
      : Promise.resolve(typed);
  }

  /** Puts a line back, to be read next. */
  putBack(line: string): void {
    this.#typed.unshift({ line });
  }

  /** Remembers a statement: the arrow keys bring it back. */
  remember(statement: string): void {
    this.#history = [statement, ...this.#history.filter((line) => line !== statement)];
    const { history } = this.#lines as Interface & { history?: string[] };
    if (history) history.splice(0, history.length, ...this.#history);
  }

  close(): void {
    this.#lines.close();
  }

  #show(text: string): void {
    (this.#lines as Interface & { output: Writable }).output.write(text);
  }

  #arrived(typed: Typed): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting) waiting(typed);
    else if (typed !== "ended") this.#typed.push(typed);
  }
}
