// Whether the service on this machine answers: exits with 0 where it does. It asks https first, as the configuration beside it has it, and then http.
// The certificate names the service's own name and not this address, so it is not compared: nothing is sent, and what comes back is not used.
import { get as getPlain } from "node:http";
import { get as getSecure } from "node:https";

const port = process.env.LETHE_PORT ?? "8377";
const timeout = 4_000;

/** Whether GET /healthz is answered with 200. */
function answers(get, url) {
  return new Promise((resolve) => {
    const request = get(url, { timeout, rejectUnauthorized: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(false));
  });
}

const isUp =
  (await answers(getSecure, `https://127.0.0.1:${port}/healthz`)) ||
  (await answers(getPlain, `http://127.0.0.1:${port}/healthz`));
process.exitCode = isUp ? 0 : 1;
