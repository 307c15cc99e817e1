import type { Release } from "@lethe/gateway";
import type { ReplayedHouse } from "../../replay/answers/run-script.ts";

/** A value that a service publishes, or that a made-up person has. */
export type Cell = number | string | boolean | null;

/** A table of invented people: attacks never need real ones, since whoever plays the attacker must know the truth to keep score. */
export interface InventedTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: "integer" | "number" | "text" }[];
  readonly rows: readonly (readonly (number | string | null)[])[];
}

/** The tables and the policy of a service. */
export interface World {
  readonly tables: readonly InventedTable[];
  /** The policy's part on these tables and their unit, as YAML: a service that protects anybody needs one. */
  readonly policy: string;
}

/** The reply that an attacker sees. */
export type Reply =
  | {
      readonly kind: "rows";
      readonly columns: readonly string[];
      readonly rows: readonly (readonly Cell[])[];
    }
  | { readonly kind: "refused"; readonly code: string; readonly message: string };

/** A question as an attacker asks it. */
export interface Asked {
  /** The account that asks. */
  readonly as: string;
  /** The price offered, exactly, where the service has prices: a decimal or a fraction. */
  readonly epsilon: string;
  /** The δ offered with it; "0" for none. */
  readonly delta: string;
  /** The request's name, where the attacker chooses it. */
  readonly requestId?: string;
}

/** Questions in, published values out: an attacker reaches nothing else. */
export interface Service {
  ask(question: string, asked: Asked): Promise<Reply>;
}

/** A service over one world, and how to end it. */
export interface Opened extends Service {
  close(): Promise<void>;
}

/** All that Lethe lets out for one question, for attacks that read more than values. */
export interface Whole {
  /** The whole release as it leaves, or the refusal's text. */
  readonly text: string;
  readonly reply: Reply;
  /** The charge of the question, as the ledger shows it; null where nothing was charged. */
  readonly charged: string | null;
}

export interface OpenedLethe extends Opened {
  /** Asks as `ask` does, and returns everything that leaves. */
  whole(question: string, asked: Asked): Promise<Whole>;
  /** Returns the ε that all questions were charged so far, as a fraction. */
  spent(): Promise<string>;
  /** Asks as `ask` does, but dies between the charge and the answer, and starts again from its files. */
  cutOff(question: string, asked: Asked): Promise<void>;
  /** Edits the budget in the policy, and starts again over the same ledger, in which nobody put the edit on record. */
  edit(budget: Pick<Account, "epsilon" | "analysts">): Promise<void>;
  /** Puts the ledger back that was there in the beginning, and starts again. Refuses everything where its ledger will not open. */
  putBack(): Promise<void>;
}

/** The budget that an attacker is held to. */
export interface Account {
  /** The ε of the whole source, as a decimal. */
  readonly epsilon: string;
  readonly delta: string;
  /** Analysts and their sub-caps of ε. */
  readonly analysts: Readonly<Record<string, string>>;
  /** Whether the head of its ledger is kept elsewhere. */
  readonly keepsHead?: boolean;
}

/** Databases of invented people behind one gateway, with ledgers that are alike: what a replay of answers compares. */
export interface OpenedNeighbours {
  readonly houses: readonly [ReplayedHouse, ...ReplayedHouse[]];
  close(): Promise<void>;
}

/** A check of a release that failed, or that could not be made. */
export interface FailedCheck {
  readonly name: string;
  readonly says: string;
}

/** Lethe whose ledger's key is in an attacker's hands, and whoever checks its releases with policy and public key. */
export interface OpenedForger {
  /** Answers a question at ε = 1. */
  release(question: string): Promise<Release>;
  /** Returns the release with the hash of its rows and its signature made to fit. */
  signed(release: Release): Promise<Release>;
  /** Returns the verifier's objections to a release; none where it holds. */
  failed(release: Release): Promise<readonly FailedCheck[]>;
  close(): Promise<void>;
}

/** The place where attacks are run. Apps wire a database and a ledger, both of which are thrown away. */
export interface Laboratory {
  /** A service that answers exactly and for ever. Its errors are its database's. */
  exact(world: World): Promise<Opened>;
  lethe(world: World, account: Account): Promise<OpenedLethe>;
  forger(world: World, account: Account): Promise<OpenedForger>;
  /** Opens several worlds of one policy behind one gateway. */
  neighbours(worlds: readonly World[], account: Account): Promise<OpenedNeighbours>;
  /** Milliseconds, for attacks that measure time. */
  now(): number;
}
