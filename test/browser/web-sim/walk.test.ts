/** The REST contract on the firmware in a browser: the walk's requests reach its listener byte for byte. */
import { createServer, type AddressInfo, type Socket } from "node:net";
import type { Page } from "playwright-core";
import { walkSuite, type SystemUnderTest } from "../../api/walk";
import type { Board } from "../../../src/board";
import { BOARDS } from "../../support/system/other-boards";
import { isLong, sampled } from "../../support/property";
import { TOKEN } from "../../support/system/system";
import { openBrowser } from "../../support/web/browser.ts";
import { serveDemo } from "./built-demo.ts";

const WORKER = "test/browser/web-sim/walked-worker.ts";

/** In the page: passes orders and connections on to the worker. A connection's segments are those of web-sim/sockets.ts, bytes in base64. */
const RELAY = `
  const worker = new Worker("worker.js");
  const connections = new Map();
  window.order = (name, parameters) => new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => data.error === undefined ? resolve(data.result) : reject(new Error(data.error));
    worker.postMessage({ name, parameters }, [port2]);
  });
  window.fromNode = (id, segment) => {
    let port = connections.get(id);
    if (!port) {
      const { port1, port2 } = new MessageChannel();
      connections.set(id, (port = port1));
      port.onmessage = ({ data }) => {
        if (typeof data === "number") return;
        const isBytes = data instanceof Uint8Array;
        if (isBytes) port.postMessage(data.length);
        toNode(JSON.stringify([id, isBytes ? "+" + btoa(String.fromCharCode(...data)) : data]));
      };
      worker.postMessage("connect", [port2]);
    }
    if (segment === "") return;
    port.postMessage(segment?.startsWith("+") ? Uint8Array.from(atob(segment.slice(1)), (one) => one.charCodeAt(0)) : segment);
  };`;

/** A server on this machine whose connections are those of the firmware in the page. By the protocol itself: it is asked thousands of times. */
async function relay(page: Page): Promise<{ port: number; close: () => void }> {
  const sockets = new Map<number, Socket>();
  let last = 0;
  const session = await page.context().newCDPSession(page);
  const tell = (id: number, segment: string | null): void =>
    void session
      .send("Runtime.evaluate", { expression: `fromNode(${id}, ${JSON.stringify(segment)})` })
      .catch(() => sockets.get(id)?.destroy());
  await session.send("Runtime.enable");
  await session.send("Runtime.addBinding", { name: "toNode" });
  session.on("Runtime.bindingCalled", ({ payload }) => {
    const [id, segment] = JSON.parse(payload) as [number, string | null];
    const socket = sockets.get(id);
    if (segment === null) socket?.end();
    else if (segment === "reset") socket?.destroy();
    else socket?.write(Buffer.from(segment.slice(1), "base64"));
  });
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const id = ++last;
    sockets.set(id, socket);
    tell(id, "");
    socket.on("data", (bytes) => tell(id, `+${bytes.toString("base64")}`));
    socket.on("end", () => tell(id, null));
    socket.on("error", () => tell(id, "reset"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const socket of sockets.values()) socket.destroy();
    },
  };
}

async function start(config: Partial<Board>): Promise<SystemUnderTest> {
  const demo = await serveDemo("/", WORKER);
  const context = await (await openBrowser()).newContext();
  const page = await context.newPage();
  await page.goto(`${demo.url}demo.css`);
  await page.evaluate(RELAY);
  const { port, close } = await relay(page);
  // Those of one moment at once: a call into the page takes longer than what it is for.
  let orders: [name: string, parameters: readonly unknown[]][] = [];
  let obeyed: Promise<unknown[]> | undefined;
  const order =
    (name: string) =>
    async (...parameters: readonly unknown[]): Promise<never> => {
      const place = orders.push([name, parameters]) - 1;
      obeyed ??= Promise.resolve().then(() => {
        const all = JSON.stringify(orders);
        orders = [];
        obeyed = undefined;
        return page.evaluate<unknown[]>(`Promise.all(${all}.map((one) => order(...one)))`);
      });
      return (await obeyed)[place] as never;
    };
  /** Said before each test, and as a rule it is so already. */
  const orderOnce = (name: string, initial: boolean): ((value: boolean) => Promise<void>) => {
    let last = initial;
    return async (value) => {
      if (value !== last) await order(name)(value);
      last = value;
    };
  };
  await order("start")(config);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    token: TOKEN,
    bms: {
      setOnline: orderOnce("setOnline", true),
      holdWrites: orderOnce("holdWrites", false),
      holdSetup: orderOnce("holdSetup", false),
      register: order("register"),
    },
    configure: order("configure"),
    wait: order("wait"),
    async stop() {
      close();
      await context.close();
      await demo.close();
    },
  };
}

// The same firmware on V8 is walked whole in test/api/walk.test.ts.
walkSuite({ name: "the firmware in a browser", ofBoard: !isLong, start: () => start({}) });

for (const { name, lacks, config } of sampled(BOARDS, 1))
  walkSuite({ name: `in a browser as on ${name}`, lacks, ofBoard: !isLong, start: () => start(config) });
