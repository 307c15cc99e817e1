import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect as connectPlain } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConnectionOptions, connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Listening } from "./begin-listening.ts";
import { listen } from "./listen.ts";

/** A certificate is made by openssl, which not every machine has. */
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

describe.skipIf(!hasOpenssl)("a service with a certificate", () => {
  const folder = mkdtempSync(join(tmpdir(), "lethe-tls-"));
  let at: Listening;
  let certificate = "";
  beforeAll(async () => {
    const [key, cert] = ["key.pem", "cert.pem"].map((name) => join(folder, name)) as [string, string];
    execFileSync(
      "openssl",
      [
        ...[
          "req",
          "-x509",
          "-newkey",
          "ec",
          "-pkeyopt",
          "ec_paramgen_curve:prime256v1",
          "-nodes",
          "-days",
          "2",
        ],
        ...[
          "-keyout",
          key,
          "-out",
          cert,
          "-subj",
          "/CN=localhost",
          "-addext",
          "subjectAltName=DNS:localhost",
        ],
      ],
      { stdio: "ignore" },
    );
    certificate = readFileSync(cert, "utf8");
    at = await listen(() => new Response("here"), {
      address: "127.0.0.1",
      port: 0,
      tls: { certificate, key: readFileSync(key, "utf8") },
      proxies: [],
    });
  });
  afterAll(async () => {
    await at.close(100);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Shakes hands, asks for /, and gives the protocol with what came back; or the code of what went wrong. */
  const shake = (options: ConnectionOptions): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect({
        port: at.port,
        host: at.address,
        servername: "localhost",
        ca: certificate,
        ...options,
      });
      let [told, protocol] = ["", ""];
      socket.setEncoding("utf8");
      socket.once("secureConnect", () => {
        protocol = socket.getProtocol() ?? "";
        socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      });
      socket.on("data", (chunk) => {
        told += chunk;
      });
      socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "refused"));
      socket.once("close", () => resolve(`${protocol} ${told.split("\r\n")[0]}`));
    });

  test("speaks TLS 1.3 and 1.2, and nothing older", async () => {
    expect(await shake({})).toBe("TLSv1.3 HTTP/1.1 200 OK");
    expect(await shake({ maxVersion: "TLSv1.2" })).toBe("TLSv1.2 HTTP/1.1 200 OK");
    for (const version of ["TLSv1.1", "TLSv1"] as const)
      expect(
        await shake({ minVersion: version, maxVersion: version, ciphers: "DEFAULT@SECLEVEL=0" }),
      ).not.toMatch(/200/);
  });

  test.each(["NULL", "aNULL"])("takes no cipher of %s", async (ciphers) => {
    const told = await shake({ maxVersion: "TLSv1.2", ciphers: `${ciphers}:@SECLEVEL=0` });
    expect(told).toMatch(/HANDSHAKE_FAILURE/);
  });

  test("says nothing to who speaks without TLS", async () => {
    const told = await new Promise<string>((resolve) => {
      let text = "";
      const socket = connectPlain(at.port, at.address, () =>
        socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
      );
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(text));
    });
    expect(told).not.toContain("200");
    expect(told).not.toContain("here");
  });
});
