import { type Feature, features, type WireClient } from "./wire-client.ts";

/** The heads of the page's columns: one a feature. */
const heads: Readonly<Record<Feature, string>> = {
  tls: "TLS, SCRAM",
  binding: "channel bound",
  reflect: "reflect",
  price: "price notice",
  simple: "simple",
  prepared: "prepared",
  binary: "binary",
  cursor: "cursor",
  copy: "COPY",
  repeat: "free repeat",
  refusal: "refusal",
  cancel: "cancel",
};

const begin = `# Clients of PostgreSQL that are tested

Each of these is run against \`lethe serve\`'s wire by a test, with TLS, a certificate that is verified, and the client's own default settings. One question is asked in every form that the client has, and has one answer and one charge. How to connect: [psql](../how-to/connect-with-psql.md), [notebooks, drivers and BI tools](../how-to/notebooks-and-bi.md).

`;

const end = `
* **TLS, SCRAM**: a sign-in by password over TLS, the certificate verified. **Channel bound**: the same where the client insists on SCRAM-SHA-256-PLUS.
* **Reflect**: the tables and columns, by the client's own calls for the catalog, or by its look at types.
* **Price notice**: the NOTICE with the price and what is left. **Free repeat**: the same answer again, for nothing.
* **Simple**, **prepared**, **binary**: the simple protocol or the client's plainest call; a statement with a parameter, run twice; results in binary.
* **Cursor**: rows read in parts. **COPY**: \`COPY (SELECT …) TO STDOUT\` as csv, and in binary where the client reads that.
* **Refusal**: SQLSTATE, the place in the text and the hint, as fields of the client's error. **Cancel**: the wait called off by the client, then the answer for nothing.

A machine that lacks a client skips its tests and says why. \`node scripts/wire-clients.mjs\` fetches those in Python and pgjdbc. This page is written by the test: \`apps/server/src/wire/testing/clients\`.
`;

/** Returns the page of what clients do: declared, and compared by the tests with what each client did. */
export function matrixPage(clients: readonly WireClient[]): string {
  const reasons: string[] = [];
  const cell = (client: WireClient, feature: Feature): string => {
    const reason = client.without[feature];
    if (reason === undefined) return "✓";
    if (!reasons.includes(reason)) reasons.push(reason);
    return `n/a ${reasons.indexOf(reason) + 1}`;
  };
  const rows = clients.map((client) => [
    `${client.name}${client.version === null ? "" : ` ${client.version}`}`,
    ...features.map((feature) => cell(client, feature)),
  ]);
  const table = [
    ["client", ...features.map((feature) => heads[feature])],
    features.map(() => "---"),
    ...rows,
  ];
  table[1] = ["---", ...(table[1] ?? [])];
  const lines = table.map((row) => `| ${row.join(" | ")} |`);
  return `${begin}${lines.join("\n")}\n\n${reasons.map((reason, at) => `${at + 1}. n/a: ${reason}.`).join("\n")}\n${end}`;
}

/** Returns what each client did on this machine, as lines of text. */
export function measuredTable(outcomes: ReadonlyMap<string, string | ReadonlyMap<Feature, string>>): string {
  return [...outcomes]
    .map(([name, cells]) =>
      typeof cells === "string"
        ? `${name}: skipped, ${cells}`
        : `${name}: ${features.map((feature) => `${feature} ${cells.get(feature) ?? "not run"}`).join(", ")}`,
    )
    .join("\n");
}
