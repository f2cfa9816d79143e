/**
 * npm run test:firefox: whether the page and the demonstration load and work in Firefox. Drives firefox-esr, or the program that FIREFOX names, by WebDriver BiDi
 * (https://www.w3.org/TR/webdriver-bidi/): signs in to the simulator, opens every screen, follows a value, and changes a switch; opens the
 * demonstration below a path, keeps a setting over a reload, and does without its server. Not part of npm test: Firefox is 76 MB to download and 300 MB installed.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setUp } from "./setup.mjs";

const PASSWORD = "a long password";
const SCREENS = ["battery", "history", "control", "relay", "device"];
/** ms after which something hangs. */
const PATIENCE = 120_000;
const PAUSE = 100;

await setUp();
const { buildPage } = await import("./page.mjs");
const { withSimulator } = await import("./simulated.mjs");
const { serveFolder } = await import("./static-files.mjs");
await buildPage();

/** Firefox with an empty profile, once it listens. */
async function start(program, profile) {
  const arguments_ = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "about:blank"];
  const firefox = spawn(program, arguments_, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, HOME: profile },
  });
  const address = await new Promise((resolve, reject) => {
    let text = "";
    firefox.on("error", () => reject(new Error(`${program} cannot be started: apt-get install firefox-esr`)));
    firefox.on("exit", (code) => reject(new Error(`${program} ended with ${code}:\n${text}`)));
    firefox.stderr.on("data", (chunk) => {
      text += chunk;
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
  });
  return { firefox, address };
}

/** A session: commands, and what the page reports as an error. */
class Session {
  #socket;
  #last = 0;
  #waiting = new Map();
  errors = [];

  constructor(socket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const { id, type, result, message, method, params } = JSON.parse(String(data));
      if (type === "event" && method === "log.entryAdded" && params.level === "error") this.errors.push(params.text);
      const { resolve, reject } = this.#waiting.get(id) ?? {};
      this.#waiting.delete(id);
      if (type === "error") reject?.(new Error(message));
      else resolve?.(result);
    });
  }

  static async open(address) {
    const socket = new WebSocket(`${address}/session`);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", () => reject(new Error("Firefox refuses the connection.")));
    });
    const session = new Session(socket);
    await session.send("session.new", { capabilities: {} });
    await session.send("session.subscribe", { events: ["log.entryAdded"] });
    return session;
  }

  send(method, params) {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  close() {
    this.#socket.close();
  }
}

/** Runs in the page, and its result: a text, number or boolean. */
const evaluating = (session, context) => async (expression) => {
  const { result, exceptionDetails } = await session.send("script.evaluate", {
    ...{ expression, target: { context }, awaitPromise: true, userActivation: true },
  });
  if (exceptionDetails) throw new Error(exceptionDetails.text);
  return result.value;
};

async function until(what, condition) {
  for (const end = Date.now() + PATIENCE; Date.now() < end;) {
    if (await condition()) return console.log(`ok  ${what}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  throw new Error(`Not within ${PATIENCE / 1_000} s: ${what}`);
}

async function check(session, url) {
  const { contexts } = await session.send("browsingContext.getTree", {});
  const { context } = contexts[0];
  const run = evaluating(session, context);
  await session.send("browsingContext.navigate", { context, url, wait: "complete" });
  const field = 'document.querySelector("input[autocomplete=current-password]")';
  await until("the sign-in is there", () => run(`Boolean(${field})`));
  await run(`${field}.focus()`);
  const keys = [...PASSWORD, "\uE007"].flatMap((value) => [
    { type: "keyDown", value },
    { type: "keyUp", value },
  ]);
  await session.send("input.performActions", { context, actions: [{ type: "key", id: "keyboard", actions: keys }] });
  await until("the password is accepted", () => run('Boolean(document.querySelector("nav"))'));
  for (const screen of SCREENS) {
    await run(`document.querySelector('nav a[href="#/${screen}"]').click()`);
    await until(`${screen} is complete`, () =>
      run(
        `document.querySelector('nav a[aria-current]').hash === "#/${screen}" && Boolean(document.querySelector("main .card")) && !document.querySelector(".pending")`,
      ),
    );
    if (await run("document.documentElement.scrollWidth > document.documentElement.clientWidth"))
      throw new Error(`${screen} is wider than the window.`);
  }
  await run(`document.querySelector('nav a[href="#/history"]').click()`);
  await until("charts are drawn", () => run('document.querySelectorAll(".chart svg .line path").length > 2'));
  await run(`document.querySelector('nav a[href="#/battery"]').click()`);
  await run('document.querySelector("details:not([open]) > summary:has(.spread)")?.click()');
  await until("cells have columns", () => run('document.querySelectorAll(".band rect").length === 16'));
  const power = 'document.querySelector(".glance .power").textContent';
  const first = await run(power);
  await until("the power follows the BMS", async () => (await run(power)) !== first);
  await run(`document.querySelector('nav a[href="#/control"]').click()`);
  const lit = `[...document.querySelectorAll("[role=switch]")].find((one) => one.getAttribute("aria-label")?.includes("Display") || one.closest("li").textContent.includes("Display"))`;
  await until("switches are known", () => run(`Boolean(${lit} && !${lit}.disabled)`));
  await run(`${lit}.click()`);
  await until("a change is confirmed", () =>
    run('document.querySelector(".last").textContent.includes("Confirmed by the BMS.")'),
  );
  if (session.errors.length) throw new Error(`Firefox reports:\n${session.errors.join("\n")}`);
}

/** The demonstration, below a path. */
async function checkDemo(session) {
  const { buildDemo } = await import("../web-sim/build.mjs");
  await buildDemo();
  const { url, close } = await serveFolder("build/demo", { below: "/some/where" });
  const { context } = await session.send("browsingContext.create", { type: "tab" });
  const run = evaluating(session, context);
  const visit = () => session.send("browsingContext.navigate", { context, url: `${url}/`, wait: "complete" });
  const ready = (what) => until(what, () => run('document.getElementById("state")?.textContent.startsWith("Ready")'));
  const shows = (text) =>
    run(
      `Boolean(document.getElementById("device").contentDocument?.body?.innerText.includes(${JSON.stringify(text)}))`,
    );
  const ask = (path, body) => {
    const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    return run(`fetch("device/${path}", ${body ? JSON.stringify(options) : "{}"}).then((answer) => answer.text())`);
  };
  await visit();
  await ready("the demonstration is ready");
  console.log(`    ${await run('document.getElementById("state").textContent')}`);
  await until("its battery is charged", () => shows("Charging"));
  await ask("web/group/device", { name: "Boat" });
  await session.send("browsingContext.reload", { context, wait: "complete" });
  await ready("it is ready again");
  await until("its name is kept", async () => (await ask("web/group/device")).includes('"name":"Boat"'));
  // Its chooser cannot be operated from here.
  console.log(`    Web Serial: ${await run("typeof navigator.serial")}`);
  await run(
    '{ const choice = document.getElementById("situation"); choice.value = "bank"; choice.dispatchEvent(new Event("change")); }',
  );
  await until("a bank of four is shown", () => shows("4 of 4 packs respond"));
  await close();
  await visit();
  await ready("without its server it is ready");
  await until("a bank of four is shown", () => shows("4 of 4 packs respond"));
}

const profile = await mkdtemp(join(tmpdir(), "firefox-"));
let started;
try {
  started = await start(process.env.FIREFOX || "firefox-esr", profile);
  const session = await Session.open(started.address);
  await withSimulator(["--password", PASSWORD, "--history", "30"], 0.2, (url) => check(session, url));
  await checkDemo(session);
  session.close();
  console.log("The page and the demonstration work in Firefox.");
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  if (started) {
    started.firefox.removeAllListeners("exit");
    started.firefox.kill();
  }
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
}
