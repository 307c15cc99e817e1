import { execFileSync } from "node:child_process";
import { createPrivateKey, generateKeyPairSync, pbkdf2Sync, randomBytes, sign } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loopback } from "./config.mjs";

/** The user whose password and token are made. */
const user = "lethe";

/**
 * Makes below a folder what a Trino needs to be asked over TLS by who proves who he is: a certificate of 127.0.0.1 that signs itself (by openssl), a password and a key of tokens. Its plain port stays, for
 * the owner on this machine's loopback.
 * @returns what startTrino takes: extra, settings of every node · coordinators, those of the coordinator alone
 * @example await startTrino({ workers: 2, ...secure(folder, 8443) })
 */
export function secure(folder, port) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const at = (name) => join(folder, name);
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${loopback} -addext subjectAltName=IP:${loopback}`;
  execFileSync(
    "openssl",
    [...words.split(" "), "-keyout", at("certificate.key"), "-out", at("certificate.pem")],
    { stdio: "ignore" },
  );
  writeFileSync(
    at("server.pem"),
    readFileSync(at("certificate.key"), "utf8") + readFileSync(at("certificate.pem"), "utf8"),
    { mode: 0o600 },
  );
  const password = randomBytes(18).toString("base64url");
  writeFileSync(at("password"), password, { mode: 0o600 });
  writeFileSync(at("passwords"), `${user}:${hashed(password)}\n`, { mode: 0o600 });
  writeFileSync(
    at("password-authenticator.properties"),
    `password-authenticator.name=file\nfile.password-file=${at("passwords")}\n`,
  );
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  writeFileSync(at("tokens.pem"), publicKey.export({ type: "spki", format: "pem" }));
  writeFileSync(at("tokens.key"), privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  writeFileSync(at("token"), token(folder, { sub: user }), { mode: 0o600 });
  const url = `https://${loopback}:${port}`;
  writeFileSync(at("url"), url);
  return {
    extra: { "internal-communication.shared-secret": randomBytes(32).toString("base64") },
    coordinators: {
      "http-server.https.enabled": true,
      "http-server.https.port": port,
      "http-server.https.keystore.path": at("server.pem"),
      "http-server.authentication.type": "PASSWORD,JWT",
      "http-server.authentication.allow-insecure-over-http": true,
      "http-server.authentication.jwt.key-file": at("tokens.pem"),
      "password-authenticator.config-files": at("password-authenticator.properties"),
    },
  };
}

/** Returns a JSON Web Token of these claims, for an hour unless they say otherwise, signed by the folder's key or by another. */
export function token(folder, claims, key = readFileSync(join(folder, "tokens.key"), "utf8")) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const now = Math.floor(Date.now() / 1000);
  const said = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iat: now, exp: now + 3600, ...claims })}`;
  return `${said}.${sign("RSA-SHA256", Buffer.from(said), createPrivateKey(key)).toString("base64url")}`;
}

/** Spells a password's hash as Trino's file of passwords has it: PBKDF2 with HMAC-SHA-1, which is all that Trino 476 checks, as rounds:salt:hash. */
function hashed(password) {
  const [rounds, salt] = [10_000, randomBytes(16)];
  return `${rounds}:${salt.toString("hex")}:${pbkdf2Sync(password, salt, rounds, 32, "sha1").toString("hex")}`;
}
