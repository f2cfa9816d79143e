/** The page around the device's: chooses the situation, starts the worker, hands its port to the service worker. */
import { sayWhatIsAbsent } from "./absent";
import type { AdapterState } from "./adapter";
import { PASSWORD } from "./password";
import { isOfKind, serialOf } from "./serial";
import { SITUATIONS, type Situation } from "./situations";
import type { FromWorker, ToWorker } from "./worker";

const element = <Kind extends HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;
const choice = element<HTMLSelectElement>("situation");
const state = element("state");
const frame = element<HTMLIFrameElement>("device");
const adapter = element("adapter");
const writes = element("writes");
const allowed = writes.querySelector("input") as HTMLInputElement;
const capture = element<HTMLButtonElement>("capture");
const base = new URL("./", location.href).pathname;
const KEPT = `web-sim ${base} situation`;
const services = navigator.serviceWorker as ServiceWorkerContainer | undefined;

const NO_SERIAL =
  "This browser has no Web Serial. Chrome, Edge and newer versions of Firefox have it on a computer, over https or on localhost.";
/** By the name of the DOMException. */
const CHOICE_PROBLEMS: Readonly<Record<string, string>> = {
  NotFoundError: "No adapter was chosen.",
  SecurityError: "This page may not use serial ports: the browser or its administrator forbids it.",
};

let worker: Worker | undefined;
/** How often a device has been started. */
let shows = 0;

function say(text: string): void {
  state.textContent = text;
}

function send(message: ToWorker, transfer: Transferable[] = []): void {
  worker?.postMessage(message, transfer);
}

/** A connection from the service worker to the device's worker, past this page. */
function handOver(): void {
  if (!worker || !services?.controller) return;
  const { port1, port2 } = new MessageChannel();
  send("port", [port1]);
  services.controller.postMessage("port", [port2]);
}

/** The next message of the service worker that says this. */
function heard(what: string): Promise<void> {
  return new Promise((resolve) => {
    const listen = ({ data }: MessageEvent<unknown>): void => {
      if (data !== what) return;
      services?.removeEventListener("message", listen);
      resolve();
    };
    services?.addEventListener("message", listen);
  });
}

const isSituation = (name: string | null): name is Situation => name !== null && Object.hasOwn(SITUATIONS, name);

async function signIn(): Promise<void> {
  const body = JSON.stringify({ password: PASSWORD });
  await fetch("device/web/session", { method: "POST", headers: { "Content-Type": "application/json" }, body });
}

function showAdapter({ isOpen, writes: mayWrite, text }: AdapterState): void {
  adapter.textContent = text;
  writes.hidden = !isOpen;
  allowed.checked = mayWrite;
}

function download(text: string): void {
  if (!text) return void (adapter.textContent = "Nothing has passed on the wire yet.");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = "bms-capture.txt";
  link.click();
  URL.revokeObjectURL(link.href);
}

function started(options: Extract<ToWorker, object>): Promise<string> {
  const own = new Worker("worker.js");
  worker = own;
  return new Promise((resolve, reject) => {
    own.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if ("ready" in data) resolve(data.code);
      else if ("adapter" in data) showAdapter(data.adapter);
      else if ("capture" in data) download(data.capture);
      else if ("failed" in data) reject(new Error(data.failed));
    };
    own.onerror = ({ message }) => reject(new Error(message));
    send(options);
  });
}

/** Ends the device; an adapter is free for the next. */
async function end(): Promise<void> {
  const own = worker;
  worker = undefined;
  if (!own) return;
  await new Promise<void>((resolve) => {
    own.onmessage = ({ data }: MessageEvent<FromWorker>) => "released" in data && resolve();
    own.postMessage("release" satisfies ToWorker);
  });
  own.terminate();
}

async function show(situation: Situation): Promise<void> {
  const began = performance.now();
  const own = ++shows;
  localStorage.setItem(KEPT, situation);
  say("Starting …");
  frame.removeAttribute("src");
  capture.disabled = true;
  showAdapter({ isOpen: false, writes: false, text: "" });
  await end();
  // Another has been chosen meanwhile.
  if (own !== shows) return;
  const code = await started({ start: { situation, host: location.hostname }, database: `web-sim ${base}` });
  const connected = heard("connected");
  handOver();
  await connected;
  if (!SITUATIONS[situation].isNew) await signIn();
  frame.src = `device/${code ? `#code=${code}` : ""}`;
  await new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  capture.disabled = false;
  say(`Ready after ${((performance.now() - began) / 1_000).toFixed(1)} s`);
}

/** For a gesture of the user: the page asks which port, and the worker opens it. */
async function connect(): Promise<void> {
  const serial = serialOf(navigator);
  if (!serial) return void (adapter.textContent = NO_SERIAL);
  const port = await serial.requestPort();
  const kind = port.getInfo();
  // The worker tells ports by their kind.
  for (const other of await serial.getPorts()) if (other !== port && isOfKind(other, kind)) await other.forget();
  if (choice.value !== "own") {
    choice.value = "own";
    await show("own");
  }
  send({ connect: kind });
}

/** Only one tab has the device: two would write over each other's settings. */
const alone = (): Promise<boolean> =>
  new Promise((resolve) => {
    void navigator.locks.request(`web-sim ${base}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock ? new Promise<void>(() => undefined) : undefined;
    });
  });

async function start(): Promise<void> {
  if (!services) return say("This needs a browser with service workers, and https or localhost.");
  services.addEventListener("message", ({ data }: MessageEvent<unknown>) => data === "port?" && handOver());
  await services.register("service-worker.js");
  await services.ready;
  if (!services.controller)
    await new Promise((resolve) => services.addEventListener("controllerchange", resolve, { once: true }));
  if (!(await alone())) return say("The demonstration is open in another tab.");
  for (const [name, { title }] of Object.entries(SITUATIONS)) choice.add(new Option(title, name));
  const kept = localStorage.getItem(KEPT);
  choice.value = isSituation(kept) ? kept : "sun";
  const showChosen = (): void =>
    void show(choice.value as Situation).catch((error: unknown) => say(`It did not start: ${String(error)}`));
  frame.addEventListener("load", () => sayWhatIsAbsent(frame));
  choice.addEventListener("change", showChosen);
  allowed.addEventListener("change", () => send({ writes: allowed.checked }));
  capture.addEventListener("click", () => send("capture"));
  element("connect").addEventListener(
    "click",
    () =>
      void connect().catch((error: unknown) => {
        const problem = error instanceof DOMException && CHOICE_PROBLEMS[error.name];
        adapter.textContent = problem || `The adapter cannot be connected: ${String(error)}`;
      }),
  );
  showChosen();
}

void start().catch((error: unknown) => say(`It did not start: ${String(error)}`));
