/** What the page sends to the worker that verifies. */
export interface VerifyCall {
  readonly id: number;
  /** The release's or the certificate's JSON, as it stands in a file or came from the service. */
  readonly text: string;
  readonly policyText: string | null;
  readonly publicKeyPem: string | null;
}

/** What one check found. */
export interface CheckTold {
  readonly name: string;
  readonly outcome: "passed" | "failed" | "not-made";
  /** One sentence for people. */
  readonly says: string;
}

/** What the worker answers: the checks, or why there is nothing to check. */
export type VerifyReply = { readonly id: number } & (
  | { readonly checks: readonly CheckTold[]; readonly cannotShow: readonly string[] }
  | { readonly refused: { readonly message: string; readonly fix: string } }
);
