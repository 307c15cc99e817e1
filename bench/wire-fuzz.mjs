// Random messages to PostgreSQL's protocol of the built `lethe serve`, in a process of its own: in any order, cut, changed, or none at all. See apps/server/src/wire/testing/random-frames.ts.
// wire-fuzz.frames: messages sent. wire-fuzz.violations: connections that ended with a service that was gone, answers that hold what is hidden, and charges (target 0).
// wire-fuzz.rss: memory of the process at the end, in MB; its ratio is to that after a fifth (target: flat, at most 1.25).
// Options: --frames N (100,000), --clients N (16), --seed N.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { startService } from "../testing/src/serve/service-process.mjs";
import { figure } from "./figure.mjs";
import { makeWorkspace, runLethe } from "./workspace.mjs";

const secret = "Zebedee-Quixote";

export default async function bench(options) {
  const [count, clients, seed] = [
    option(options, "--frames", 100_000),
    option(options, "--clients", 16),
    option(options, "--seed", 1),
  ];
  const rows = Array.from(
    { length: 600 },
    (_, at) => `${at % 100},${["north", "south"][at % 2]},${secret}-${at}`,
  );
  const workspace = makeWorkspace(`age,town,name\n${rows.join("\n")}\n`, [
    ...["--bounds", "age=int:0..100", "--categories", "town=north,south", "--epsilon", "1000000"],
  ]);
  const { folder } = workspace;
  const { RawClient, randomConversation, seeded, remove } = await clientOfTests();
  try {
    const [token] =
      /lethe_[0-9a-f]{16}_[\w-]{43}/.exec(runLethe(folder, ["people", "add", "eve", "--role", "operator"])) ??
      [];
    const service = await startService(folder, { postgres: true });
    const random = seeded(seed);
    const violations = [];
    let [sent, warm] = [0, null];
    const converse = async () => {
      while (sent < count) {
        const client = new RawClient(service.postgresPort);
        try {
          if (random() < 0.7) await client.signIn(token);
          const frames = randomConversation(random);
          sent += frames.length;
          client.send(...frames);
          client.socket.end();
          const told = Buffer.concat((await client.until("end")).map(({ body }) => body)).toString("latin1");
          for (const hidden of [secret, folder, "node_modules"])
            if (told.includes(hidden)) violations.push(`an answer holds ${hidden}`);
        } catch (error) {
          violations.push(String(error));
        } finally {
          client.close();
        }
        if (service.isOver()) throw new Error("the service ended");
        if (warm === null && sent >= count / 5) warm = service.rss();
      }
    };
    await Promise.all(Array.from({ length: clients }, converse));
    const rss = service.rss();
    await service.stop();
    for (const violation of violations.slice(0, 20)) console.error(violation);
    figure("wire-fuzz.frames", sent, "messages");
    figure("wire-fuzz.violations", violations.length, `of ${sent} messages`);
    figure("wire-fuzz.rss", rss, "MB", warm);
  } finally {
    remove();
    workspace.remove();
  }
}

/** The client and the generator of the tests, which are TypeScript. */
async function clientOfTests() {
  const folder = mkdtempSync(join(tmpdir(), "lethe-wire-fuzz-"));
  const outdir = join(folder, "built");
  const entryPoints = ["raw-client", "random-frames"].map((name) =>
    fileURLToPath(new URL(`../apps/server/src/wire/testing/${name}.ts`, import.meta.url)),
  );
  await build({
    entryPoints,
    outdir,
    bundle: true,
    format: "esm",
    platform: "node",
    outExtension: { ".js": ".mjs" },
  });
  const load = (name) => import(pathToFileURL(join(outdir, `${name}.mjs`)).href);
  const [client, frames] = await Promise.all([load("raw-client"), load("random-frames")]);
  return { ...client, ...frames, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function option(options, name, otherwise) {
  const place = options.indexOf(name);
  return place < 0 ? otherwise : Number(options[place + 1]);
}
