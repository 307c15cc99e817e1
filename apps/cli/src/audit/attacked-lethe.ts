import { randomUUID } from "node:crypto";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Account, Asked, Cell, OpenedLethe, Reply, Whole, World } from "@lethe/audit";
import { LetheError, parseRational, type Rational, secureEntropy, toText } from "@lethe/core";
import { answer, type Question, type Release } from "@lethe/gateway";
import { createLedger, type Ledger, openLedger } from "@lethe/ledger";
import { type Engine, unitHash } from "@lethe/query";
import { openWorld } from "./invented-world.ts";

/** Lethe over invented people, with a ledger of its own in files, so that it can be killed and set back. */
export async function openLethe(world: World, account: Account): Promise<OpenedLethe> {
  const { folder, policy, engine: database } = await openWorld(world, account);
  const [files, older] = ["ledger", "older"].map((name) => join(folder.path, name)) as [string, string];
  const headFile = account.keepsHead ? join(folder.path, "head.json") : undefined;
  const options = {
    budget: { ...policy.budget, analysts: sharesOf(account) },
    policyHash: unitHash(policy),
    source: "invented",
    clock: Date.now,
    failureCap: Number.MAX_SAFE_INTEGER,
    headFile,
  };
  await (await createLedger(files, options)).close();
  cpSync(files, older, { recursive: true });

  let budget = options.budget;
  const start = (): Promise<Ledger> =>
    openLedger(files, {
      clock: Date.now,
      headFile,
      policy: { budget, policyHash: options.policyHash },
    });
  /** Null where it would not open: why not. */
  let ledger: Ledger | null = await start();
  let refusal: LetheError | null = null;
  const engine = mortal(database);
  const release = (question: string, asked: Asked): Promise<Release> => {
    if (ledger === null) return Promise.reject(refusal);
    return answer(questionOf(question, asked), {
      policy,
      engine,
      ledger,
      entropy: secureEntropy(),
      clock: Date.now,
    });
  };
  const restart = async (between: () => void): Promise<void> => {
    await ledger?.close();
    ledger = null;
    between();
    try {
      ledger = await start();
    } catch (error) {
      if (!(error instanceof LetheError)) throw error;
      refusal = error;
    }
  };
  const spent = async (): Promise<string> => {
    if (ledger === null) throw new Error("the ledger did not open", { cause: refusal });
    const loss = (await ledger.account()).spent;
    if (!("epsilon" in loss)) throw new Error("attacks have accounts in ε");
    return toText(loss.epsilon);
  };
  const whole = async (question: string, asked: Asked): Promise<Whole> => ({
    ...(await replyOf(() => release(question, asked))),
    charged: await spent(),
  });
  return {
    whole,
    spent,
    ask: async (question, asked) => (await replyOf(() => release(question, asked))).reply,
    async cutOff(question, asked) {
      const dead = engine.dieAtNextRun();
      await Promise.race([dead, replyOf(() => release(question, asked))]);
      engine.revive();
      await restart(() => undefined);
    },
    edit: ({ epsilon, analysts }) =>
      restart(() => {
        refusal = null;
        budget = { ...options.budget, epsilon: parseRational(epsilon), analysts: sharesOf({ analysts }) };
      }),
    putBack: () =>
      restart(() => {
        rmSync(files, { recursive: true });
        cpSync(older, files, { recursive: true });
      }),
    async close() {
      await database.close();
      await ledger?.close();
      folder.remove();
    },
  };
}

function sharesOf({ analysts }: Pick<Account, "analysts">): Record<string, Rational> {
  return Object.fromEntries(Object.entries(analysts).map(([name, cap]) => [name, parseRational(cap)]));
}

interface MortalEngine extends Engine {
  /** Resolves when it is asked for rows: who asked is never answered. */
  dieAtNextRun(): Promise<void>;
  revive(): void;
}

function mortal(engine: Engine): MortalEngine {
  let dying: (() => void) | null = null;
  return {
    dialect: engine.dialect,
    storage: (table) => engine.storage(table),
    run(query) {
      if (dying === null) return engine.run(query);
      dying();
      return new Promise(() => undefined);
    },
    rows: (query) => engine.rows(query),
    published: (query) => engine.published(query),
    close: () => engine.close(),
    dieAtNextRun: () =>
      new Promise((resolve) => {
        dying = resolve;
      }),
    revive() {
      dying = null;
    },
  };
}

function questionOf(text: string, { as, epsilon, delta, requestId = randomUUID() }: Asked): Question {
  return {
    text,
    principal: as,
    requestId,
    options: {
      epsilon: parseRational(epsilon),
      delta: delta === "0" ? null : parseRational(delta),
      confidence: 0.95,
      acceptUninformative: true,
    },
  };
}

async function replyOf(
  ask: () => Promise<Release>,
): Promise<{ readonly text: string; readonly reply: Reply }> {
  try {
    const release = await ask();
    const rows = release.rows.map((row) =>
      row.map((cell): Cell => {
        if (typeof cell !== "object" || cell === null) return cell;
        return "value" in cell ? cell.value : null;
      }),
    );
    const columns = release.columns.map(({ name }) => name);
    return { text: JSON.stringify(release), reply: { kind: "rows", columns, rows } };
  } catch (error) {
    if (!(error instanceof LetheError)) throw error;
    const { code, message, fix } = error;
    return {
      text: JSON.stringify({ code, message, fix }),
      reply: { kind: "refused", code, message: `${message}; ${fix}` },
    };
  }
}
