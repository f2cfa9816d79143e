import { vi } from "vitest";
import { Api } from "../../src/api/api";
import { fakeParts } from "../support/fakes/fake-parts";
import { serve } from "../support/http/node-exchange";
import { walkSuite } from "./walk";

vi.mock("time", () => ({
  default: {
    get ticks() {
      return Math.trunc(performance.now()) | 0;
    },
  },
}));
vi.mock("timer", () => ({
  default: {
    // The platform's hands itself to what it calls.
    set(callback: (timer: object) => void, delay: number): object {
      const timer: NodeJS.Timeout = setTimeout(() => callback(timer), delay);
      return timer;
    },
  },
}));

/** The REST interface alone: Node's HTTP server above it, a monitor without a BMS below it. */
walkSuite({
  name: "over the REST interface alone",
  async start() {
    const parts = fakeParts();
    const { monitor, settings } = parts;
    const api = new Api(parts);
    const { baseUrl, close } = await serve((exchange) => {
      if (!api.answer(exchange)) exchange.respond(404);
    });
    const settle = (): void => void setTimeout(() => monitor.settle(), 1);
    let holdSetup = false;
    monitor.onQueued = settle;
    return {
      baseUrl,
      token: settings.api.token,
      bms: {
        setOnline(online) {
          if (!online) monitor.settle();
          monitor.pack.configurationLoaded = online && (monitor.pack.configurationLoaded || !holdSetup);
          monitor.pack.online = online;
        },
        holdWrites(hold) {
          monitor.onQueued = hold ? undefined : settle;
          if (!hold) monitor.settle();
        },
        holdSetup(hold) {
          holdSetup = hold;
        },
        register: (name) => monitor.held.get(name) ?? NaN,
      },
      configure: (group, change) => settings.update(group, change),
      stop: close,
    };
  },
});
