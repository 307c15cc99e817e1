import { readFileSync } from "node:fs";
import { LetheError } from "@lethe/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readServiceConfig, serviceConfigJsonSchema } from "./read-config.ts";

const page = readFileSync(new URL("../../../../docs/reference/service.md", import.meta.url), "utf8");

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly additionalProperties?: unknown;
}

/** Every key with its path: sign_in.iterations. */
function keysOf(schema: Schema, path = ""): { path: string; schema: Schema }[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => [
    { path: path + key, schema: value },
    ...keysOf(value, `${path}${key}.`),
  ]);
}
const keys = keysOf(serviceConfigJsonSchema() as Schema);

describe("what is not stated", () => {
  it("is safe: this machine alone, nobody's word taken, passwords that cost work", () => {
    expect(readServiceConfig("version: 1")).toEqual({
      version: 1,
      policy: "lethe.yaml",
      data: ".lethe/serve",
      store: null,
      listen: { address: "127.0.0.1", port: 8377 },
      postgres: null,
      tls: null,
      origin: "http://127.0.0.1:8377",
      proxies: [],
      signIn: {
        passwords: true,
        iterations: 600_000,
        leastLength: 15,
        idleMs: 1_800_000,
        absoluteMs: 43_200_000,
      },
      oidc: null,
      limits: {
        body: 65_536,
        ask: { person: { burst: 60, perSecond: 10 }, address: { burst: 240, perSecond: 40 } },
        explain: { person: { burst: 120, perSecond: 20 }, address: { burst: 480, perSecond: 80 } },
        read: { person: { burst: 240, perSecond: 40 }, address: { burst: 960, perSecond: 160 } },
        change: { person: { burst: 30, perSecond: 1 }, address: { burst: 60, perSecond: 2 } },
        "sign-in": { person: { burst: 10, perSecond: 0.2 }, address: { burst: 20, perSecond: 0.5 } },
      },
    });
  });

  it.each([
    ["listen: { address: 192.0.2.1 }\ntls: { certificate: a, key: b }", "https://192.0.2.1:8377"],
    ["listen: { port: 443 }\ntls: { certificate: a, key: b }", "https://127.0.0.1"],
    ["listen: { address: '::1', port: 80 }", "http://[::1]"],
    ["origin: https://lethe.example:8443", "https://lethe.example:8443"],
  ])("%s has the origin %s", (text, origin) => {
    expect(readServiceConfig(`version: 1\n${text}`).origin).toBe(origin);
  });
});

it("PostgreSQL's protocol is spoken where HTTP is, unless another address is stated", () => {
  const tls = "tls: { certificate: a, key: b }\norigin: https://lethe.example";
  for (const [text, address] of [
    ["postgres: { port: 5432 }", "127.0.0.1"],
    [`listen: { address: 192.0.2.1 }\npostgres: { port: 5432 }\n${tls}`, "192.0.2.1"],
    [`listen: { address: 192.0.2.1 }\npostgres: { port: 5432, address: 127.0.0.1 }\n${tls}`, "127.0.0.1"],
  ] as const)
    expect(readServiceConfig(`version: 1\n${text}`).postgres).toEqual({ address, port: 5432 });
});

describe("a configuration is refused", () => {
  it.each([
    ["", "nothing", "write version"],
    ["version: 2", "another version", "version: 1"],
    ["version: 1\nlisten: { adress: 127.0.0.1 }", "an unknown key", "address"],
    ["version: 1\nstore: { kind: mysql, url_env: X }", "another store", "kind: postgres"],
    ["version: 1\nstore: { kind: postgres }", "no variable", "url_env: LETHE"],
    ["version: 1\nstore: { kind: postgres, url_env: 'postgres://a:b@c/d' }", "a secret", "variable"],
    ["version: 1\nlisten: { address: localhost }", "a name for an address", "127.0.0.1"],
    ["version: 1\nlisten: { address: 0.0.0.0 }", "a network without TLS", "tls:"],
    ["version: 1\nlisten: { address: '::' }", "a network without TLS", "tls:"],
    [
      "version: 1\nlisten: { address: 0.0.0.0 }\ntls: { certificate: a, key: b }",
      "every address, and no origin",
      "origin: https",
    ],
    [
      "version: 1\nlisten: { address: '::' }\ntls: { certificate: a, key: b }",
      "every address, and no origin",
      "origin: https",
    ],
    ["version: 1\npostgres: { port: 5432, address: 0.0.0.0 }", "a network without TLS", "tls:"],
    ["version: 1\npostgres: { address: 127.0.0.1 }", "no port", ""],
    ["version: 1\nlisten: { port: 0 }", "no port", "1, 2, 3"],
    ["version: 1\nlisten: { port: 65536 }", "no port", "65535"],
    ["version: 1\ntls: { certificate: a }", "half of TLS", ""],
    ["version: 1\norigin: http://lethe.example", "an origin without TLS", "https"],
    ["version: 1\norigin: https://lethe.example/", "a path", "without a path"],
    ["version: 1\norigin: https://Lethe.example", "capitals", "lower case"],
    ["version: 1\norigin: ftp://lethe.example", "another scheme", "https"],
    ["version: 1\nproxies: [lethe.example]", "a name for a proxy", "127.0.0.1"],
    ["version: 1\nproxies: 127.0.0.1", "no list", "[127.0.0.1]"],
    ["version: 1\nsign_in: { iterations: 599999 }", "cheap passwords", "600000"],
    ["version: 1\nsign_in: { least_length: 7 }", "short passwords", "15"],
    ["version: 1\nsign_in: { idle_minutes: 0 }", "no time", "1, 2, 3"],
    ["version: 1\nsign_in: { absolute_hours: 721 }", "endless sessions", "720"],
    ["version: 1\noidc: { issuer: http://id.example, client_id: x }", "a provider without TLS", "https"],
    [
      "version: 1\noidc: { issuer: https://id.example, client_id: x, algorithms: [HS256] }",
      "a shared secret",
      "RS256",
    ],
    [
      "version: 1\noidc: { issuer: https://id.example, client_id: x, algorithms: [none] }",
      "no signature",
      "RS256",
    ],
    [
      "version: 1\noidc: { issuer: https://id.example, client_id: x, algorithms: [] }",
      "no algorithm",
      "RS256",
    ],
    [
      "version: 1\noidc: { issuer: https://id.example, client_id: x, client_secret: y }",
      "a secret in the file",
      "client_secret_env",
    ],
    [
      "version: 1\noidc: { issuer: https://id.example, client_id: x, client_secret_env: 'a b' }",
      "no variable",
      "LETHE_OIDC_SECRET",
    ],
    ["version: 1\nlimits: { ask: { person: { burst: 1, per_second: 0 } } }", "a rate of 0", "per_second: 5"],
    ["version: 1\nlimits: { body: -1 }", "a body below 0", "1, 2, 3"],
  ])("%j: %s", (text, _, fix) => {
    const refusal = (() => {
      try {
        readServiceConfig(text);
        return null;
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toMatchObject({ code: "config.invalid", message: expect.stringContaining("line ") });
    expect((refusal as LetheError).fix).toContain(fix);
  });

  it("where it is no plain YAML", () => {
    for (const text of ["a: b: c", "a: &x 1\nb: *x", "version: 1\nversion: 1", "\t- x"])
      expect(() => readServiceConfig(text), text).toThrow(
        expect.objectContaining({ code: "config.unreadable" }),
      );
  });

  it("with a code, whatever its text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => readServiceConfig(text)).toThrow(LetheError);
      }),
    );
  });
});

describe("docs/reference/service.md", () => {
  it.each(keys)("documents $path", ({ path, schema }) => {
    expect(schema.description, path).toBeDefined();
    const rate = /^limits\.\w+\.(person|address)/.test(path);
    if (!rate) expect(page).toContain(`| \`${path}\` | ${schema.description} |`);
  });

  it("has examples that are read, and that name every key that is no rate", () => {
    const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text!);
    expect(examples.length).toBeGreaterThanOrEqual(2);
    for (const text of examples) expect(readServiceConfig(text)).toMatchObject({ version: 1 });
    const last = (path: string): string => path.split(".").at(-1)!;
    for (const { path } of keys) expect(examples.join("\n"), path).toMatch(new RegExp(`\\b${last(path)}\\b`));
  });

  it("would notice a key that it lacks", () => {
    expect(keys.length).toBeGreaterThan(25);
    expect(page).not.toContain("| `listen.host` |");
  });
});
