/** The page around the device's: chooses the situation, starts the worker, hands its port to the service worker. */
import { PASSWORD } from "./password";
import { SITUATIONS, type Situation } from "./situations";
import type { FromWorker, ToWorker } from "./worker";

const element = <Kind extends HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;
const choice = element<HTMLSelectElement>("situation");
const state = element("state");
const frame = element<HTMLIFrameElement>("device");
const base = new URL("./", location.href).pathname;
const KEPT = `web-sim ${base} situation`;
const services = navigator.serviceWorker as ServiceWorkerContainer | undefined;

let worker: Worker | undefined;

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

function started(options: Extract<ToWorker, object>): Promise<string> {
  const own = new Worker("worker.js");
  worker = own;
  return new Promise((resolve, reject) => {
    own.onmessage = ({ data }: MessageEvent<FromWorker>) =>
      "ready" in data ? resolve(data.code) : reject(new Error(data.failed));
    own.onerror = ({ message }) => reject(new Error(message));
    send(options);
  });
}

async function show(situation: Situation): Promise<void> {
  const began = performance.now();
  localStorage.setItem(KEPT, situation);
  say("Starting …");
  frame.removeAttribute("src");
  worker?.terminate();
  const code = await started({ situation, host: location.hostname, database: `web-sim ${base}` });
  const connected = heard("connected");
  handOver();
  await connected;
  if (!SITUATIONS[situation].isNew) await signIn();
  frame.src = `device/${code ? `#code=${code}` : ""}`;
  await new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  say(`Ready after ${((performance.now() - began) / 1_000).toFixed(1)} s`);
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
  choice.addEventListener("change", showChosen);
  showChosen();
}

void start().catch((error: unknown) => say(`It did not start: ${String(error)}`));
