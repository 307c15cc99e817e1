import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Whether there is an openssl that makes certificates. */
export const hasOpenssl: boolean = spawnSync("openssl", ["version"]).status === 0;

/** A certificate of this machine for two days, that signs itself. */
export interface LoopbackCertificate {
  /** Where the certificate lies. */
  readonly file: string;
  readonly certificate: string;
  readonly key: string;
  remove(): void;
}

/** Makes one, by openssl. */
export function makeLoopbackCertificate(): LoopbackCertificate {
  const folder = mkdtempSync(join(tmpdir(), "lethe-wire-tls-"));
  const [keyFile, file] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const words =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1";
  execFileSync("openssl", [...words.split(" "), "-keyout", keyFile, "-out", file], { stdio: "ignore" });
  return {
    file,
    certificate: readFileSync(file, "utf8"),
    key: readFileSync(keyFile, "utf8"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
