/** What the thread does for the page, by name: what each is given, and what it gives. All of it travels as plain data. */
export interface Works {
  /** Verifies a release, a certificate's release or a service's answer, without the service. */
  readonly verify: { readonly given: ToVerify; readonly gives: Verified };
  /** Reads a policy as the service would, and says what is to be said of it. */
  readonly readPolicy: { readonly given: string; readonly gives: PolicyRead };
  /** Changes one place of a policy's text, and leaves the rest as it was written. */
  readonly changePolicy: { readonly given: PolicyChange; readonly gives: string };
  /** The schema of policies (JSON Schema 2020-12). */
  readonly policySchema: { readonly given: null; readonly gives: object };
  /** Follows entries of the audit log, oldest first, from a head on, and gives the last one's place. */
  readonly followAuditLog: { readonly given: ToFollow; readonly gives: Head };
  /** Follows records of the ledger's chain, oldest first, from a head on, and gives the last one's place. */
  readonly followLedger: { readonly given: ToFollow; readonly gives: Head };
}

export type WorkName = keyof Works;

export interface ToVerify {
  /** JSON, as it stands in a file or came from the service. */
  readonly text: string;
  /** The policy's YAML, where it is at hand. */
  readonly policyText: string | null;
  /** The ledger's public key, from its owner and not from the release. */
  readonly publicKeyPem: string | null;
}

export interface Verified {
  readonly checks: readonly CheckTold[];
  readonly cannotShow: readonly string[];
}

/** What one check found. */
export interface CheckTold {
  readonly name: string;
  readonly outcome: "passed" | "failed" | "not-made";
  /** One sentence for people. */
  readonly says: string;
}

export interface PolicyRead {
  /** What the text states, numbers as they are written; null where it is no YAML. */
  readonly stated: Stated | null;
  readonly advice: readonly Advice[];
  /** Why it is no policy; null where it is one. */
  readonly refused: Refused | null;
}

export interface Advice {
  readonly path: string;
  /** Where in the text it is stated; null where nothing of it is. */
  readonly line: number | null;
  readonly message: string;
  readonly fix: string;
}

/** What a policy states somewhere. Numbers are the texts that were written. */
export type Stated = string | boolean | null | readonly Stated[] | { readonly [key: string]: Stated };

export type Path = readonly (string | number)[];

export interface PolicyChange {
  readonly text: string;
  readonly path: Path;
  /** YAML of one value, such as 1e-6 or [0, 60]; null takes the place away. */
  readonly to: string | null;
}

export interface ToFollow {
  readonly from: Head;
  readonly entries: readonly object[];
}

/** A place in a chain of hashes. */
export interface Head {
  readonly sequence: number;
  readonly hash: string;
}

/** Why something cannot be done, and what would be accepted. */
export interface Refused {
  readonly code: string;
  readonly message: string;
  readonly fix: string;
  readonly line: number | null;
  readonly column: number | null;
}

export interface Call<Name extends WorkName = WorkName> {
  readonly id: number;
  readonly name: Name;
  readonly given: Works[Name]["given"];
}

export type Reply =
  | { readonly id: number; readonly gives: Works[WorkName]["gives"] }
  | { readonly id: number; readonly refused: Refused };
