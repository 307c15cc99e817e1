import type { Rational } from "@lethe/core";

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: "GET" | "POST";
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** All that a sender can tell of an answer. */
export interface WireReply {
  /** 0 where the connection ended without an answer. */
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** Milliseconds from the first byte sent to the last one received. */
  readonly took: number;
}

/** What became of a question. Numbers are exact fractions. */
export type WireOutcome =
  | {
      readonly kind: "answered";
      readonly requestId: string;
      /** Who was charged, as the certificate says. */
      readonly principal: string;
      /** What was charged now, in the account's ε or ρ. */
      readonly charged: Rational;
      /** The noisy values, as a text. */
      readonly values: string;
    }
  | { readonly kind: "refused"; readonly code: string };

/** An analyst whom the service knows, and who attacks it. */
export interface WireAnalyst {
  readonly name: string;
  /** Sends a request with the analyst's token. */
  send(request: WireRequest): Promise<WireReply>;
  /** Asks a question at a price; `requestId` is the name that the client gives it. With `again` an earlier answer will do. */
  ask(
    sql: string,
    asked: { readonly epsilon: Rational } & ({ readonly requestId: string } | { readonly again: true }),
  ): Promise<WireOutcome>;
  /** Asks by PostgreSQL's protocol, where the service speaks it: an earlier answer will do. */
  askPostgres?(sql: string, asked: { readonly epsilon: Rational }): Promise<WireOutcome>;
  /** What the analyst and the account may spend over the lifetime, and the analyst has spent; null where nothing is limited. */
  budget(): Promise<{
    readonly account: Rational | null;
    readonly own: Rational | null;
    readonly spent: Rational;
  }>;
  /** The id of an answer that the analyst has; null for none. */
  answered(): Promise<string | null>;
}

/** What SCRAM asks of a name before anything is proved. */
export interface ScramChallenge {
  /** In base64. */
  readonly salt: string;
  readonly iterations: number;
  /** Milliseconds from the name to the challenge, a new connection included. */
  readonly took: number;
}

/** The port on which a service speaks PostgreSQL's protocol. */
export interface PostgresPort {
  /** Begins to sign in by a name, and leaves; null where no challenge came. */
  challenge(name: string): Promise<ScramChallenge | null>;
  /** Sends bytes and waits: the milliseconds until the service ended the connection, or null where it did not within `patience`. */
  send(bytes: Uint8Array, patience: number): Promise<number | null>;
}

/** A running service, as those see it who attack it. */
export interface Wire {
  /** Such as https://lethe.example. */
  readonly origin: string;
  /** One, or two who collude. */
  readonly analysts: readonly [WireAnalyst, ...WireAnalyst[]];
  /** A question that has an answer. */
  readonly question: string;
  /** The most that all attacks together may spend; null for nothing. */
  readonly epsilon: Rational | null;
  /** Sends a request as nobody. */
  send(request: WireRequest): Promise<WireReply>;
  /** Null where PostgreSQL's protocol is not attacked. */
  readonly postgres: PostgresPort | null;
  /** Sends half of a request's head or body and waits: the milliseconds until the service ended it, or null where it did not within `patience`. */
  half(part: "head" | "body", patience: number): Promise<number | null>;
  wait(milliseconds: number): Promise<void>;
  /** Returns a name that nobody has. */
  newName(): string;
}
