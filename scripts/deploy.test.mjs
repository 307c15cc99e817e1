import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { readServiceConfig } from "@lethe/serve";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { program } from "../apps/cli/src/program.ts";

const { parse } = createRequire(new URL("../apps/cli/package.json", import.meta.url))("yaml");
const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path) => readFileSync(join(root, path), "utf8");
const bin = join(root, "apps/cli/dist/bin.mjs");
const config = readServiceConfig(read("deploy/lethe-serve.yaml"));
const page = read("docs/how-to/run-the-service.md");
/** Where the container and the unit keep the program. */
const installed = `/opt/lethe/node_modules/lethe/${JSON.parse(read("apps/cli/package.json")).bin.lethe.replace("./", "")}`;

/** Refuses the words of a command that the program does not know; values are what follows options. */
function requireCommand(words) {
  let command = program();
  const rest = [...words];
  const next = () => command.commands.find((each) => each.name() === rest[0]);
  while (next()) {
    command = next();
    rest.shift();
  }
  const known = [];
  for (let each = command; each; each = each.parent) known.push(...each.options.map(({ long }) => long));
  for (const word of rest.filter((each) => each.startsWith("--"))) expect(known).toContain(word);
  expect(command.parent, words.join(" ")).not.toBeNull();
}

/** Makes a certificate that signed itself. */
function selfSigned(key, certificate) {
  const words =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=lethe.example";
  execFileSync("openssl", [...words.split(" "), "-keyout", key, "-out", certificate], { stdio: "ignore" });
}

describe("the Containerfile", () => {
  const instructions = read("deploy/Containerfile")
    .replace(/^#.*\n/gm, "")
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => /^(\w+) (.*)$/.exec(line).slice(1));
  const last = instructions.slice(instructions.findLastIndex(([word]) => word === "FROM"));
  const of = (word) => last.filter(([each]) => each === word).map(([, value]) => value);

  it("builds in one stage what the other runs, on a Node that the program takes", () => {
    const froms = instructions.filter(([word]) => word === "FROM").map(([, value]) => value);
    expect(froms).toHaveLength(2);
    for (const from of froms) {
      const [, major] = /node:(\d+)-\w+-slim/.exec(from);
      expect(Number(major)).toBeGreaterThanOrEqual(20);
    }
    const runs = instructions
      .filter(([word]) => word === "RUN")
      .map(([, value]) => value)
      .join("\n");
    for (const [, name] of runs.matchAll(/npm run (\S+)/g))
      expect(JSON.parse(read("package.json")).scripts).toHaveProperty([name]);
    expect(runs).toContain("npm ci --ignore-scripts");
    expect(last.some(([word]) => word === "RUN")).toBe(false);
  });

  it("runs as nobody in particular, the program and the configuration that are there", () => {
    expect(of("USER")).toEqual(["10001:10001"]);
    const [entry, words] = [of("ENTRYPOINT"), of("CMD")].map(([value]) => JSON.parse(value));
    expect(entry).toEqual(["node", installed]);
    requireCommand(words);
    expect(words.at(-1)).toBe("/etc/lethe/lethe-serve.yaml");
    expect(of("EXPOSE")).toEqual([String(config.listen.port)]);
    expect(of("WORKDIR")).toEqual(["/var/lib/lethe"]);
    expect(of("STOPSIGNAL")).toEqual(["SIGTERM"]);
    expect(of("HEALTHCHECK")[0]).toContain('CMD ["node", "/opt/lethe/healthcheck.mjs"]');
    const [, copied] = instructions.find(([word, value]) => word === "COPY" && value.includes("healthcheck"));
    const [from, to] = copied.split(" ");
    expect([existsSync(join(root, from)), to]).toEqual([true, "/opt/lethe/healthcheck.mjs"]);
  });

  it("is built without what was answered, made or kept secret here", () => {
    expect(read(".dockerignore")).toBe(read(".containerignore"));
    expect(read(".containerignore").split("\n")).toEqual(
      expect.arrayContaining([".git", "**/.lethe", "deploy/tls"]),
    );
  });
});

it("the compose file gives the container no right, and mounts what the configuration names", () => {
  const { services, volumes } = parse(read("deploy/compose.yaml"));
  const { lethe } = services;
  expect(lethe).toMatchObject({
    read_only: true,
    user: "10001:10001",
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges:true"],
    ports: [`${config.listen.port}:${config.listen.port}`],
  });
  expect(existsSync(join(root, "deploy", lethe.build.context, lethe.build.dockerfile))).toBe(true);
  const mounts = lethe.volumes.map((each) => each.split(":"));
  for (const path of [config.policy, config.data, config.tls.certificate, config.tls.key])
    expect(
      mounts.some(([, to]) => path.startsWith(`${to}/`)),
      path,
    ).toBe(true);
  for (const [from, , mode] of mounts)
    if (from.startsWith("./")) expect(mode).toBe("ro");
    else expect(volumes).toHaveProperty([from]);
  expect(existsSync(join(root, "deploy/lethe-serve.yaml"))).toBe(true);
  expect(Number.parseInt(lethe.stop_grace_period, 10)).toBeGreaterThan(15);
});

describe("the compose file for several processes", () => {
  const { services, volumes, networks } = parse(read("deploy/compose.several.yaml"), {
    merge: true,
  });
  const { postgres, balancer, ...processes } = services;
  const several = readServiceConfig(read("deploy/several/lethe-serve.yaml"));
  const proxy = read("deploy/several/haproxy.cfg");
  const page = read("docs/how-to/several-nodes.md");
  const mountsOf = (service) => service.volumes.map((each) => each.split(":"));

  it("runs each as one alone, on what all share, with a head of its own", () => {
    const one = parse(read("deploy/compose.yaml")).services.lethe;
    expect(Object.keys(processes).length).toBeGreaterThan(1);
    const heads = new Set();
    for (const [name, each] of Object.entries(processes)) {
      const { volumes: mounts, ports, ...rights } = one;
      expect(each).toMatchObject(rights);
      expect(each.ports, name).toBeUndefined();
      for (const path of [several.policy, several.data, several.tls.certificate, several.tls.key])
        expect(
          mountsOf(each).some(([, to]) => path.startsWith(`${to}/`)),
          path,
        ).toBe(true);
      expect(mountsOf(each).map(([, to]) => to)).toEqual(mounts.map((mount) => mount.split(":")[1]));
      const [head] = mountsOf(each).find(([, to]) => to === "/var/lib/lethe-head");
      heads.add(head);
      expect(Object.keys(each.environment)).toEqual([several.store.urlVariable, "PGPASSWORD"]);
      expect(each.depends_on).toEqual({ postgres: { condition: "service_healthy" } });
    }
    expect(heads.size).toBe(Object.keys(processes).length);
  });

  it("mounts files that are there, for reading alone, and names its volumes, networks and passwords", () => {
    for (const [name, service] of Object.entries(services)) {
      for (const [from, , mode] of mountsOf(service))
        if (from.startsWith("./tls")) expect(mode, name).toBe("ro");
        else if (from.startsWith("./"))
          expect([mode, existsSync(join(root, "deploy", from))], from).toEqual(["ro", true]);
        else expect(volumes).toHaveProperty([from]);
      for (const network of [service.networks]
        .flat()
        .flatMap((each) => (typeof each === "string" ? each : Object.keys(each))))
        expect(networks).toHaveProperty([network]);
    }
    const asked = [...read("deploy/compose.several.yaml").matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
    for (const name of asked) expect(page).toContain(`${name}=…`);
    const made = read("deploy/several/databases.sh");
    for (const [, name] of made.matchAll(/"\$(\w+)"/g)) expect(postgres.environment).toHaveProperty([name]);
    const { username, hostname, pathname } = new URL(
      processes["lethe-1"].environment[several.store.urlVariable].replace(/\$\{[^}]*\}/, "x"),
    );
    expect(hostname).toBe("postgres");
    expect(made).toContain(`CREATE DATABASE ${pathname.slice(1)} OWNER ${username};`);
    const moved = new URL(/ledger move '([^']*)'/.exec(page.slice(page.indexOf("## In containers")))[1]);
    expect(moved.hostname).toBe("postgres");
    expect(made).toContain(`CREATE ROLE ${moved.username} LOGIN`);
    expect(made).toContain(`CREATE DATABASE ${moved.pathname.slice(1)};`);
  });

  it("has a balancer that asks each process, and whose word they take", () => {
    expect(several.proxies).toEqual([balancer.networks.inside.ipv4_address]);
    const { port } = several.listen;
    const asked = [...proxy.matchAll(/^ {2}server (\S+) (\S+)$/gm)].map(([, name, at]) => [name, at]);
    expect(asked).toEqual(Object.keys(processes).map((name) => [name, `${name}:${port}`]));
    const { hostname } = new URL(several.origin);
    for (const word of [
      `sni str(${hostname})`,
      `check-sni ${hostname}`,
      `verifyhost ${hostname}`,
      "uri /readyz",
    ])
      expect(proxy).toContain(word);
    const [inside] = /bind :(\d+)/.exec(proxy).slice(1);
    expect(balancer.ports).toEqual([`443:${inside}`]);
    const mounted = mountsOf(balancer).map(([, to]) => to);
    for (const [path] of proxy.matchAll(/\/etc\/haproxy\/\S+/g)) expect(mounted).toContain(path);
  });

  it("is used by commands that there are", () => {
    const commands = [...page.matchAll(/compose run --rm (?:-T )?lethe-\d ([^|\n]+)/g)].map(
      ([, words]) => words,
    );
    expect(commands.length).toBeGreaterThan(5);
    for (const words of commands) requireCommand(words.trim().split(" "));
  });

  const haproxy = spawnSync("haproxy", ["-v"]).status === 0;
  it.skipIf(!haproxy)("has a balancer's file that HAProxy takes", () => {
    const folder = mkdtempSync(join(tmpdir(), "lethe-haproxy-"));
    try {
      selfSigned(join(folder, "chain.pem.key"), join(folder, "chain.pem"));
      cpSync(join(folder, "chain.pem"), join(folder, "authority.pem"));
      const own = proxy.replaceAll("/etc/haproxy/tls", folder).replaceAll(/ lethe-\d:/g, " 127.0.0.1:");
      writeFileSync(join(folder, "haproxy.cfg"), own);
      const { status, stderr } = spawnSync("haproxy", ["-c", "-f", join(folder, "haproxy.cfg")], {
        encoding: "utf8",
      });
      expect([status, stderr]).toEqual([0, ""]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("the systemd unit", () => {
  const text = read("deploy/lethe-serve.service");
  const settingOf = (key) => new RegExp(`^${key}=(.*)$`, "m").exec(text)?.[1];

  it("starts the service on its configuration, and lets it end", () => {
    const [node, path, ...words] = settingOf("ExecStart").split(" ");
    expect([node, path]).toEqual(["/usr/bin/node", installed]);
    requireCommand(words);
    expect(Number(settingOf("TimeoutStopSec"))).toBeGreaterThan(15);
    const set = [...text.matchAll(/^Environment=(.*)$/gm)].map(([, each]) => each);
    const inContainer = [...read("deploy/Containerfile").matchAll(/^ENV (.*)$/gm)];
    expect(inContainer.flatMap(([, each]) => each.split(" "))).toEqual(set);
    const options = /^Environment=NODE_OPTIONS=(.*)$/m.exec(text)[1];
    const ran = spawnSync(process.execPath, ["--eval", ""], { env: { NODE_OPTIONS: options } });
    expect([ran.status, ran.stderr.toString()]).toEqual([0, ""]);
    const writable = settingOf("ReadWritePaths").split(" ");
    for (const place of [config.policy, config.data]) expect(place.startsWith(`${writable[0]}/`)).toBe(true);
    expect(settingOf("ProtectSystem")).toBe("strict");
    expect([settingOf("NoNewPrivileges"), settingOf("CapabilityBoundingSet")]).toEqual(["yes", ""]);
  });

  const analyze = spawnSync("systemd-analyze", ["--version"]).status === 0;
  it.skipIf(!analyze)("is taken by systemd-analyze, which finds it little exposed", () => {
    const folder = mkdtempSync(join(tmpdir(), "lethe-unit-"));
    try {
      const unit = join(folder, "lethe-serve.service");
      writeFileSync(unit, text.replace("/usr/bin/node", process.execPath).replace(installed, bin));
      const verified = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
      expect([verified.status, verified.stderr]).toEqual([0, ""]);
      const { stdout } = spawnSync("systemd-analyze", ["security", "--offline=yes", unit], {
        encoding: "utf8",
      });
      expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)[1])).toBeLessThan(2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("the page on running the service", () => {
  it("shows configurations that are read, and commands that there are", () => {
    const yamls = [...page.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, text]) => text);
    expect(yamls).toHaveLength(2);
    expect(readServiceConfig(yamls[0])).toEqual(config);
    expect(readServiceConfig(yamls[1])).toMatchObject({ proxies: ["127.0.0.1"], tls: null });
    const commands = [...page.matchAll(/^lethe (.*)$|`lethe ((?:\w+ ?)+(?:--[^`]*)?)`/gm)].map(
      ([, line, word]) => line ?? word,
    );
    expect(commands.length).toBeGreaterThan(8);
    for (const command of commands) requireCommand(command.split(" "));
    for (const place of ["/var/lib/lethe", "/var/lib/lethe-head", "/etc/lethe", "/opt/lethe"])
      expect(page).toContain(`| \`${place}\` |`);
    const { bin: named } = JSON.parse(read("apps/cli/package.json"));
    expect(existsSync(join(root, "apps/cli", named.lethe))).toBe(true);
  });
});

describe("a service of one's own", () => {
  const home = mkdtempSync(join(tmpdir(), "lethe-deploy-"));
  const place = (path) => join(home, path);
  const bySector = "SELECT sector, COUNT(*) AS people FROM people GROUP BY sector";
  let running = null;

  /** Runs a shell script of the page, in the folders here and with the program that was built. */
  function shell(script, ok = true) {
    const own = script
      .replaceAll(/(?<![\w-])\/var\//g, `${home}/var/`)
      .replaceAll("/etc/lethe/lethe-serve.yaml", place("serve.yaml"))
      .replaceAll("--epsilon 3 ", "--epsilon 0.5 ");
    const said = spawnSync("bash", ["-euc", own], {
      encoding: "utf8",
      env: { ...process.env, PATH: `${place("bin")}:${process.env.PATH}` },
    });
    if (ok) expect(said.status, said.stderr).toBe(0);
    return said;
  }
  const lethe = (words, ok = true) => shell(`cd ${place("var/lib/lethe")}; lethe ${words}`, ok);
  /** The scripts below a heading of the page. */
  const scripts = (heading) => {
    const section = page.slice(page.indexOf(`## ${heading}\n`)).split(/^## /m)[1];
    return [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text]) => text);
  };

  async function start() {
    const service = spawn(process.execPath, [bin, "serve", "--config", place("serve.yaml"), "--port", "0"], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = new Promise((resolve) => service.once("exit", resolve));
    let said = "";
    const url = await new Promise((resolve) => {
      createInterface({ input: service.stderr }).on("line", (line) => {
        said += line;
        const [, at] = /^Lethe answers at (\S+)$/.exec(line) ?? [];
        if (at) resolve(at);
      });
      ended.then(() => resolve(null));
    });
    const stop = (signal = "SIGTERM") => {
      service.kill(signal);
      return ended;
    };
    return { url, said: () => said, stop };
  }
  const health = (port) =>
    new Promise((resolve) => {
      const env = { ...process.env, LETHE_PORT: String(port) };
      spawn(process.execPath, [join(root, "deploy/healthcheck.mjs")], { env }).on("exit", resolve);
    });

  beforeAll(() => {
    for (const folder of ["bin", "var/lib/lethe", "var/lib/lethe-head", "var/backups", "tls"])
      mkdirSync(place(folder), { recursive: true });
    writeFileSync(place("bin/lethe"), `#!/bin/sh\nexec ${process.execPath} ${bin} "$@"\n`);
    chmodSync(place("bin/lethe"), 0o755);
    const rows = Array.from({ length: 60 }, (_, i) => `${10 + (i % 40)},${["a", "b"][i % 2]}`);
    writeFileSync(place("var/lib/lethe/people.csv"), `wage,sector\n${rows.join("\n")}\n`);
    lethe("init people.csv --unit row --bounds wage=0..60 --categories sector=a,b");
    const policy = place("var/lib/lethe/lethe.yaml");
    writeFileSync(
      policy,
      readFileSync(policy, "utf8").replace(
        /delta: ([^ }]+) }/,
        `delta: $1, head_file: ${place("var/lib/lethe-head/lethe.head")} }`,
      ),
    );
    lethe(`ledger verify --head-file ${place("var/lib/lethe-head/lethe.head")}`);
    lethe("import");
    selfSigned(place("tls/key.pem"), place("tls/chain.pem"));
    const served = read("deploy/lethe-serve.yaml")
      .replaceAll("/var/lib", place("var/lib"))
      .replaceAll("/etc/lethe", home);
    writeFileSync(place("serve.yaml"), served.replace("0.0.0.0", "127.0.0.1"));
    lethe(`people --config ${place("serve.yaml")}`);
  });
  afterAll(async () => {
    await running?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it("is found healthy over TLS while it runs, and not after it ended", async () => {
    running = await start();
    const { port, protocol } = new URL(running.url);
    expect(protocol).toBe("https:");
    expect(await health(port)).toBe(0);
    expect(await running.stop()).toBe(0);
    expect(await health(port)).toBe(1);
  });

  it("survives a kill, is backed up and restored by the page's commands, and what was rolled back is found", async () => {
    lethe(`query "${bySector}" --epsilon 0.5 --request before`);
    for (const script of scripts("Back it up")) shell(script);
    cpSync(place("var/lib/lethe/.lethe"), place("secret-copy"), { recursive: true });

    lethe(`query "${bySector}" --epsilon 0.7 --request after`);
    running = await start();
    await running.stop("SIGKILL");
    shell(scripts("Upgrade")[0]);
    const kept = readFileSync(place("var/lib/lethe-head/lethe.head"), "utf8").trim();

    // What is put back is refused by every command, the service too, whoever did it and why.
    const [restore, goOn] = scripts("Restore it");
    expect(shell(restore).stdout.trim()).toBe(kept);
    for (const words of ["budget", `query "${bySector}" --epsilon 0.1 --request next`]) {
      const refused = lethe(words, false);
      expect(refused.stderr, words).toContain("ledger.restored");
    }
    running = await start();
    expect([running.url, running.said()]).toEqual([null, expect.stringContaining("ledger.restored")]);

    // In good faith it goes on, with a record that says so, and nothing that was left at the backup can be spent twice.
    shell(goOn);
    expect(lethe("budget").stdout).toContain(
      "restored from backup; what was answered since is taken as spent",
    );
    expect(lethe(`query "${bySector}" --epsilon 0.1 --request next --yes`, false).stderr).toContain(
      "ledger.budget",
    );
    expect(lethe(`query "${bySector}" --epsilon 0.5 --request before`).stdout).toContain("sector");
    running = await start();
    expect(running.url).not.toBeNull();
    await running.stop();

    // Neither it nor a secret copy holds the head that somebody wrote down; the copy has no record that tells of it.
    expect(lethe(`ledger verify --head ${kept}`, false).stderr).toContain("ledger.restored");
    rmSync(place("var/lib/lethe/.lethe"), { recursive: true });
    cpSync(place("secret-copy"), place("var/lib/lethe/.lethe"), { recursive: true });
    expect(lethe("ledger verify", false).stderr).toContain("ledger.restored");
    rmSync(place("var/lib/lethe-head/lethe.head"));
    lethe(`ledger verify --head-file ${place("var/lib/lethe-head/lethe.head")}`);
    expect(lethe("budget").stdout).not.toContain("restored from backup");
    expect(lethe(`ledger verify --head ${kept}`, false).stderr).toContain("ledger.restored");
  });
});
