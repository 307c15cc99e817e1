/** A value of a result: a BIGINT of up to 2^53, a DOUBLE, a text, a truth; decimals are texts of their digits. */
export type TrinoCell = string | number | boolean | null;

interface Page {
  readonly nextUri?: string;
  readonly data?: readonly (readonly TrinoCell[])[];
  readonly error?: { readonly errorName: string; readonly message: string };
}

/** The address of a server of Trino, in LETHE_TRINO, whose user `owner` may write to the catalog `memory`. Tests that need one are skipped without. */
export const trinoUrl: string | undefined = process.env.LETHE_TRINO;

export function hasTrino(): boolean {
  return trinoUrl !== undefined;
}

/**
 * Returns the rows of one statement. The session's time zone is an odd one unless it is said, so that nothing may depend on it. Errors: an Error with the
 * server's words.
 * @example await askTrino("SELECT 1") // => [[1]]
 */
export async function askTrino(
  sql: string,
  timeZone = "Asia/Kolkata",
): Promise<readonly (readonly TrinoCell[])[]> {
  const headers = { "X-Trino-User": "owner", "X-Trino-Time-Zone": timeZone };
  const rows: (readonly TrinoCell[])[] = [];
  let page = await read(fetch(`${trinoUrl}/v1/statement`, { method: "POST", headers, body: sql }));
  for (;;) {
    rows.push(...(page.data ?? []));
    if (page.error) throw new Error(`${page.error.errorName}: ${page.error.message}`);
    if (page.nextUri === undefined) return rows;
    page = await read(fetch(page.nextUri, { headers }));
  }
}

async function read(response: Promise<Response>): Promise<Page> {
  const answer = await response;
  const text = await answer.text();
  if (!answer.ok) throw new Error(`Trino answers ${answer.status}: ${text.slice(0, 200)}`);
  return JSON.parse(text) as Page;
}

/** Returns the name of a table in memory that no other test has. */
export function freshTable(word: string): string {
  tables += 1;
  return `memory.default.lethe_${word}_${process.pid}_${tables}`;
}
let tables = 0;
