import { LetheError, lossToJson, type PrivacyLossText, parseRational, toDecimal } from "@lethe/core";
import type { AskOptions } from "@lethe/gateway";
import { asksCatalog, asksToExplain, type Explanation, statementEnd } from "@lethe/query";
import { type Lethe, open, type QueryOptions } from "../../open.ts";
import { aboutQuestion } from "../../question-text.ts";
import { renderBudget } from "../../render/budget.ts";
import { renderExplanation } from "../../render/explanation.ts";
import { renderGrid } from "../../render/grid.ts";
import { exactWords, renderCatalog, renderTable } from "../../render/layout/catalog.ts";
import { renderPriceAhead } from "../../render/layout/price-ahead.ts";
import { wrapFact } from "../../render/layout/wrap.ts";
import { renderLoss } from "../../render/loss.ts";
import { printable, printableLines } from "../../render/printable.ts";
import { renderRelease } from "../../render/release.ts";
import { renderMade, renderMadeAhead } from "../../repeats/render-made.ts";
import { reportError } from "../../report-error.ts";
import { Automatic } from "./automatic.ts";
import { commands } from "./complete.ts";
import type { LineReader } from "./line-reader.ts";

export interface SessionOptions {
  readonly policy: string;
  readonly principal: string;
  readonly headFile?: string | undefined;
  /** What is asked with every question. */
  readonly asked: AskOptions;
  readonly verbose: boolean;
  /** Whether each answer is paid for, also where an earlier one to the same question is there. */
  readonly fresh: boolean;
  readonly reader: Pick<LineReader, "next" | "putBack" | "remember">;
  /** Shows lines to the person. */
  readonly show: (text: string) => void;
  /** The columns that tables may take. */
  readonly width: () => number;
  readonly removedAtEnd?: NonNullable<Parameters<typeof open>[1]>["removedAtEnd"];
}

const onOff = "write \\auto on 0.5, \\auto off, \\verbose on or \\verbose off";

/**
 * One person's questions, one after the other: each is explained first, and paid for once the person agrees. Between questions nothing is held open, so
 * that an import or another program finds data and ledger free.
 */
export class Session {
  readonly #options: SessionOptions;
  readonly #automatic = new Automatic();
  #epsilon: string | undefined;
  #verbose: boolean;
  #last: string | null = null;
  #buffer = "";

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#verbose = options.verbose;
  }

  /** The part of a statement that was typed so far, on earlier lines. */
  get begun(): string {
    return this.#buffer;
  }

  /** Reads and answers until the person leaves. */
  async run(): Promise<void> {
    const { reader, show } = this.#options;
    for (;;) {
      const typed = await reader.next(this.#buffer === "" ? "lethe> " : "  ...> ");
      if (typed === "ended") break;
      if (typed === "interrupted") {
        show(this.#buffer === "" ? "(\\q or Ctrl-D leaves)" : "");
        this.#buffer = "";
      } else if (await this.#read(typed.line)) return;
    }
    if (this.#buffer.trim() !== "") show("The last statement does not end with ; and was not asked.");
  }

  /** Takes one line; returns whether the person leaves. */
  async #read(line: string): Promise<boolean> {
    if (this.#buffer === "" && /^\s*\\/.test(line)) {
      this.#options.reader.remember(line.trim());
      return this.#told(() => this.#command(line.trim()));
    }
    this.#buffer += `${line}\n`;
    for (let end = statementEnd(this.#buffer); end !== null; end = statementEnd(this.#buffer)) {
      const statement = this.#buffer.slice(0, end);
      this.#buffer = this.#buffer.slice(end + 1);
      if (statement.trim() === "") continue;
      this.#options.reader.remember(`${statement.trim()};`);
      await this.#told(() => this.#ask(statement.trim()));
    }
    if (this.#buffer.trim() === "") this.#buffer = "";
    return false;
  }

  /** Runs what was asked for, and tells an error as every command does: the session goes on. */
  async #told(work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      if (process.env.LETHE_DEBUG) console.error(error);
      this.#options.show(reportError(error));
      return false;
    }
  }

  async #ask(text: string): Promise<boolean> {
    const { show, width, fresh } = this.#options;
    this.#last = text;
    await this.#opened((lethe) =>
      aboutQuestion(text, async () => {
        if (asksCatalog(text)) {
          const answer = await lethe.ask(text);
          if (answer.kind === "catalog") show(renderCatalog(answer.catalog, width()));
          return;
        }
        const tables = asksToExplain(text) ? null : await lethe.publicTables(text, this.#asked());
        if (tables) {
          const answer = await lethe.ask(text, this.#asked());
          if (answer.kind === "public")
            show(`${renderCatalog(answer.answer, width())}\n\n${exactWords(tables)}`);
          return;
        }
        const explanation = await lethe.explain(text, this.#asked());
        if (asksToExplain(text)) {
          show(renderExplanation(explanation));
          return;
        }
        if (explanation.made?.isTaken && !fresh) {
          // Should it be made no more meanwhile, no price is paid that nobody agreed to.
          await this.#show(lethe, text, { made: true });
          return;
        }
        if (explanation.earlier !== null && !fresh) {
          // By its id: should the answer's period end meanwhile, no price is paid that nobody agreed to.
          await this.#show(lethe, text, { requestId: explanation.earlier.requestId });
          return;
        }
        if (explanation.made && !fresh) show(wrapFact(printable(renderMadeAhead(explanation.made)), width()));
        show(renderPriceAhead(explanation, await leftOf(lethe), width()));
        const isAutomatic = explanation.warnings.length === 0 && this.#automatic.covers(explanation.price);
        if (!isAutomatic && !(await this.#agreed(explanation))) {
          show("Nothing was asked or charged.");
          return;
        }
        const paid = await this.#show(lethe, text, { fresh });
        if (paid && isAutomatic) this.#automatic.paid(explanation.price);
      }),
    );
    return false;
  }

  /** Shows the answer, and returns whether it was paid for: an earlier answer to the same question costs nothing. */
  async #show(
    lethe: Lethe,
    text: string,
    how: Pick<QueryOptions, "requestId" | "fresh" | "made">,
  ): Promise<boolean> {
    const { show, width } = this.#options;
    const answer = await lethe.ask(text, { ...this.#asked(), ...how, acceptUninformative: true });
    if (answer.kind === "made")
      show(`\n${renderMade.table(answer.made, { verbose: this.#verbose, width: width() })}\n`);
    if (answer.kind !== "release") return false;
    const { release, repeat } = answer;
    show(`\n${renderRelease.table(release, { verbose: this.#verbose, width: width(), repeat })}\n`);
    return repeat === null;
  }

  /** Asks the person. Anything but yes is no; a line that is no answer is read as what comes next. */
  async #agreed({ price, pilot }: Explanation): Promise<boolean> {
    const { reader } = this.#options;
    const most = pilot === null ? "" : "at most ";
    const typed = await reader.next(`Pay ${most}${renderLoss(price)}? [y/N] `, true);
    if (typed === "ended" || typed === "interrupted") return false;
    const word = typed.line.trim().toLowerCase();
    if (word === "y" || word === "yes") return true;
    if (word !== "" && word !== "n" && word !== "no") reader.putBack(typed.line);
    return false;
  }

  #asked(): AskOptions {
    const { principal } = this.#options;
    const asked = { ...this.#options.asked, principal };
    return this.#epsilon === undefined ? asked : { ...asked, epsilon: this.#epsilon };
  }

  async #command(line: string): Promise<boolean> {
    const { show, width } = this.#options;
    const [, word = "", rest = ""] = /^(\\\S*)\s*(.*?);?$/s.exec(line) ?? [];
    switch (word) {
      case "\\q":
        return true;
      case "\\?":
        show(renderGrid(["command", "what it does"], commands, [], width()));
        return false;
      case "\\d":
        await this.#describe(rest.trim());
        return false;
      case "\\explain":
        await this.#explain(rest.trim() || this.#last);
        return false;
      case "\\budget":
        show(renderBudget(await this.#opened((lethe) => lethe.budget())));
        return false;
      case "\\epsilon":
        this.#price(rest.trim());
        return false;
      case "\\auto":
        this.#auto(rest.trim());
        return false;
      case "\\verbose":
        if (rest.trim() !== "on" && rest.trim() !== "off") throw usage("\\verbose is on or off", onOff);
        this.#verbose = rest.trim() === "on";
        return false;
      default:
        throw usage(`there is no command ${word}`, "\\? lists the commands");
    }
  }

  async #describe(name: string): Promise<void> {
    const { show, width } = this.#options;
    if (name === "") {
      const shown = await this.#opened((lethe) => lethe.ask("SHOW TABLES"));
      if (shown.kind === "catalog") show(renderCatalog(shown.catalog, width()));
      return;
    }
    const all = await this.#opened((lethe) => lethe.tables());
    const asked = name.replace(/^"(.*)"$/, "$1").toLowerCase();
    const table = all.find((each) => each.name.toLowerCase() === asked);
    if (!table)
      throw new LetheError("query.unknown-table", `the policy has no table ${JSON.stringify(name)}`, {
        fix: `write \\d and one of: ${all.map((each) => each.name).join(", ")}`,
      });
    show(renderTable(table, width()));
  }

  async #explain(text: string | null): Promise<void> {
    if (text === null) throw usage("nothing was asked yet", "write \\explain SELECT …");
    this.#last = text;
    const explained = await this.#opened((lethe) =>
      aboutQuestion(text, () => lethe.explain(text, this.#asked())),
    );
    this.#options.show(renderExplanation(explained));
  }

  #price(words: string): void {
    if (words === "default") this.#epsilon = undefined;
    else if (words !== "") {
      parseRational(words, "epsilon");
      this.#epsilon = words;
    }
    const stated = this.#epsilon ?? this.#options.asked.epsilon;
    this.#options.show(stated === undefined ? "Price: the policy's default." : `Price: ε ${stated}.`);
  }

  #auto(words: string): void {
    const { show } = this.#options;
    const [, turned, limit] = /^(on|off)?\s*(\S*)$/.exec(words) ?? [];
    if (turned === "on" && limit) this.#automatic.on(limit);
    else if (turned === "off" && !limit) this.#automatic.off();
    else if (words !== "") throw usage("\\auto on needs a limit, and nothing else", onOff);
    const { state } = this.#automatic;
    if (state === null) show("Each question asks before it pays.");
    else
      show(
        `Pays without asking until ${toDecimal(state.limit, "down", 6)} is spent so (${toDecimal(state.spent, "up", 6)} until now); a question that is hardly worth paying asks all the same.`,
      );
  }

  async #opened<T>(work: (lethe: Lethe) => Promise<T>): Promise<T> {
    const { policy, headFile, removedAtEnd } = this.#options;
    const lethe = await open(policy, { headFile, ...(removedAtEnd ? { removedAtEnd } : {}) });
    try {
      return await work(lethe);
    } finally {
      await lethe.close();
    }
  }
}

function usage(message: string, fix: string): LetheError {
  return new LetheError("cli.usage", message, { fix });
}

/** What is left of the whole budget; null where there is no ledger to tell it, which paying will say. */
async function leftOf(lethe: Lethe): Promise<PrivacyLossText | null> {
  try {
    const { left } = await lethe.budget();
    return left && lossToJson(left);
  } catch (error) {
    if (error instanceof LetheError) return null;
    throw error;
  }
}

/** What a session prints: nothing in it can steer a terminal. */
export function shower(write: (text: string) => void): (text: string) => void {
  return (text) => write(`${printableLines(text)}\n`);
}
