import { join } from "node:path";

/** The files of a ledger's directory. */
export interface Layout {
  /** Records, balance and releases. SQLite keeps its write-ahead log beside it. */
  readonly database: string;
  /** Ed25519 private key, PKCS #8 PEM, mode 0600. */
  readonly privateKey: string;
  /** SPKI PEM: give it to whoever is to verify releases. */
  readonly publicKey: string;
  /** Says where records, balance and releases are where that is no file here: a connection URL without a password. */
  readonly url: string;
  /** Is locked by the one service that answers from the ledger, and holds nothing. */
  readonly served: string;
}

export function layout(directory: string): Layout {
  return {
    database: join(directory, "ledger.db"),
    privateKey: join(directory, "ledger.key"),
    publicKey: join(directory, "ledger.pub"),
    url: join(directory, "ledger.url"),
    served: join(directory, "served.lock"),
  };
}
