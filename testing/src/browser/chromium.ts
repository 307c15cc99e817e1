import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium, type Page } from "playwright-core";

/** The places where Debian puts the browser; another place may be named in LETHE_CHROMIUM. */
const places = [process.env.LETHE_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"];

/** The browser that is installed here, or null. */
export const chromiumPath: string | null = places.find((place) => place && existsSync(place)) ?? null;

/** A headless browser with pages that run one script each, served from this machine. */
export interface Visitor {
  /** Opens a page that has run the script. Errors of the page itself reject. */
  visit(script: string): Promise<Page>;
  close(): Promise<void>;
}

/** Starts the browser and a server that only this machine reaches. `scripts` is what a page may run: its own script, unless more is said. */
export async function openVisitor(executablePath: string, scripts = "'self'"): Promise<Visitor> {
  // Containers run tests as root, where Chromium's own sandbox does not start.
  const browser: Browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const served: string[] = [];
  const server = createServer((request, response) => {
    const script = /^\/(\d+)\.js$/.exec(request.url ?? "");
    const page = /^\/(\d+)\.html$/.exec(request.url ?? "");
    if (script) {
      response.setHeader("content-type", "text/javascript; charset=utf-8").end(served[Number(script[1])]);
    } else if (page) {
      // The page may run its script and nothing else: no evaluation of text, no connection anywhere.
      response
        .setHeader("content-security-policy", `default-src 'none'; script-src ${scripts}`)
        .setHeader("content-type", "text/html; charset=utf-8")
        .end(`<!doctype html><title>Lethe</title><script src="/${page[1]}.js"></script>`);
    } else {
      response.writeHead(404).end();
    }
  });
  const port = await listening(server);
  return {
    async visit(script) {
      const number = served.push(script) - 1;
      const page = await browser.newPage();
      const errors: Error[] = [];
      page.on("pageerror", (error) => errors.push(error));
      await page.goto(`http://127.0.0.1:${port}/${number}.html`);
      if (errors[0]) throw errors[0];
      return page;
    },
    async close() {
      await browser.close();
      await new Promise((done) => server.close(done));
    },
  };
}

function listening(server: Server): Promise<number> {
  return new Promise((done, fail) => {
    server.on("error", fail).listen(0, "127.0.0.1", () => done((server.address() as AddressInfo).port));
  });
}
