import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  Account,
  Asked,
  Cell,
  InventedTable,
  Laboratory,
  Opened,
  OpenedLethe,
  OpenedNeighbours,
  ReplayedHouse,
  Reply,
  Whole,
  World,
} from "@lethe/audit";
import { LetheError, lossToJson, parseRational, secureEntropy } from "@lethe/core";
import { defaultLimits, openDuckDb } from "@lethe/engine-duckdb";
import { openUnprotected, type Unprotected } from "@lethe/engine-duckdb/unprotected";
import { answer, type Question, type Release } from "@lethe/gateway";
import { createLedger } from "@lethe/ledger";
import { type Engine, type Policy, readPolicy, unitHash } from "@lethe/query";
import { auditedLedgers, clock } from "./audited-ledgers.ts";
import { removedAtEnd } from "./removed-at-end.ts";

/** Attacks on invented people, on DuckDB and a ledger in a folder of their own that goes with them. */
export const laboratory: Laboratory = {
  now: () => performance.now(),
  exact: async (world) => {
    const folder = newFolder();
    return exactService(await naiveDatabase(world.tables, folder), folder);
  },
  lethe: openLethe,
  neighbours: openNeighbours,
};

interface Folder {
  readonly path: string;
  remove(): void;
}

function newFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), "lethe-audit-"));
  return { path, remove: removedAtEnd(() => rmSync(path, { recursive: true, force: true })) };
}

function naiveDatabase(tables: readonly InventedTable[], folder: Folder): Promise<Unprotected> {
  return openUnprotected(tables, { ...defaultLimits(folder.path), threads: 1, memory: 256 << 20 });
}

function exactService(database: Unprotected, folder: Folder): Opened {
  return {
    async ask(question) {
      try {
        return { kind: "rows", ...(await database.ask(question)) };
      } catch (error) {
        return { kind: "refused", code: "database", message: String(error) };
      }
    },
    async close() {
      database.close();
      folder.remove();
    },
  };
}

async function openLethe(world: World, account: Account): Promise<OpenedLethe> {
  const { folder, policy, engine } = await openWorld(world, account);
  const ledger = await createLedger(join(folder.path, "ledger"), {
    budget: {
      ...policy.budget,
      analysts: Object.fromEntries(
        Object.entries(account.analysts).map(([name, cap]) => [name, parseRational(cap)]),
      ),
    },
    policyHash: unitHash(policy),
    source: "invented",
    clock: Date.now,
    failureCap: Number.MAX_SAFE_INTEGER,
  });
  const house = { policy, engine, ledger, entropy: secureEntropy(), clock: Date.now };
  const whole = async (question: string, asked: Asked): Promise<Whole> => {
    const replied = await replyOf(() => answer(questionOf(question, asked), house));
    return { ...replied, charged: JSON.stringify(lossToJson((await ledger.account()).spent)) };
  };
  return {
    whole,
    ask: async (question, asked) => (await replyOf(() => answer(questionOf(question, asked), house))).reply,
    async close() {
      await engine.close();
      await ledger.close();
      folder.remove();
    },
  };
}

interface OpenedWorld {
  readonly folder: Folder;
  readonly policy: Policy;
  readonly engine: Engine;
}

async function openWorld(world: World, { epsilon, delta }: Account): Promise<OpenedWorld> {
  const folder = newFolder();
  const database = await naiveDatabase(world.tables, folder);
  for (const { name } of world.tables)
    await database.writeParquet(name, join(folder.path, `${name}.parquet`));
  database.close();

  const measure = delta === "0" ? "pure" : "approximate";
  const stated = delta === "0" ? "" : `, delta: "${delta}"`;
  const policy = readPolicy(
    `${world.policy}budget: { measure: ${measure}, epsilon: "${epsilon}"${stated} }\n`,
  );
  const engine = await openDuckDb({
    policy,
    baseDirectory: folder.path,
    stateDirectory: join(folder.path, "state"),
    seed: "0".repeat(64),
    limits: { threads: 1, memory: 256 << 20 },
    log: () => {},
  });
  return { folder, policy, engine };
}

async function openNeighbours(worlds: readonly World[], account: Account): Promise<OpenedNeighbours> {
  const opened: OpenedWorld[] = [];
  for (const world of worlds) opened.push(await openWorld(world, account));
  const { policy } = opened[0]!;
  const ledgers = await auditedLedgers(policy);
  const houses = opened.map(({ engine }) => ({ policy, engine, clock, openLedger: () => ledgers.open() }));
  return {
    houses: houses as [ReplayedHouse],
    async close() {
      for (const { engine, folder } of opened) {
        await engine.close();
        folder.remove();
      }
      ledgers.remove();
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
      groupSelection: null,
      mechanism: null,
      targetError: null,
      targetErrorRelative: null,
      targetRows: null,
      confidence: 0.95,
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
