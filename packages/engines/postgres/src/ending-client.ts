import pg from "pg";

/**
 * A client of PostgreSQL whose connection ends where nobody could sign in by it. The driver leaves it open where it fails by itself, as
 * without a password, and then the process could not end.
 * @example new pg.Pool({ connectionString, Client: EndingClient })
 */
export class EndingClient extends pg.Client {
  override connect(): Promise<pg.Client>;
  override connect(told: (error: Error) => void): void;
  override connect(told?: (error: Error) => void): Promise<pg.Client> | undefined {
    if (told === undefined)
      return super.connect().catch((error: unknown) => {
        this.#end();
        throw error;
      });
    super.connect((error: Error) => {
      if (error) this.#end();
      told(error);
    });
    return undefined;
  }

  #end(): void {
    const { connection } = this as unknown as {
      readonly connection?: { readonly stream?: { destroy(): void } };
    };
    connection?.stream?.destroy();
  }
}
