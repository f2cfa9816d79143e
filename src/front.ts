/** The way of every request, from the HTTP server to what answers it, and what else the server reports. */
import { hasRoom as isFree } from "application";
import type { Handler } from "http-server/types";
import type { Api } from "./api/api";
import type { Parts as Measured } from "./metrics/family";
import { FLOOR_CHUNKS, FLOOR_SLOTS } from "./health/limits";
import { answerMetrics } from "./metrics/metrics";
import { answerProbe } from "./network/portal/probe";
import type { ManagedNetwork } from "./network/types";
import type { Web } from "./web/web";

/** What requests are about. */
export interface Served extends Measured {
  readonly network: ManagedNetwork;
  readonly server: { readonly port: number };
  readonly api: Api;
  readonly web: Web;
  readonly modbus: { readonly connections: number } | undefined;
  readonly parts: Measured["parts"] & { works(part: "listener"): void; failed(part: "listener", error: unknown): void };
}

/** Every request goes through these in turn, until one has answered. */
export const answer: Handler = (exchange, target) => {
  const device = target as Served;
  const { api, network } = device;
  // A request over the access point keeps it open.
  network.onPortal(exchange.remoteAddress);
  if (api.answer(exchange)) return;
  if (answerProbe(exchange, network, device.server.port)) return;
  if (answerMetrics(exchange, device, api)) return;
  device.web.answer(exchange);
};

/** Whether XS's memory has room for a connection or a request, and for what the device needs beside it. */
export const hasRoom = (): boolean => isFree(FLOOR_SLOTS, FLOOR_CHUNKS);

/** Connections that are not HTTP's. */
export const taken = (target: unknown): number => (target as Served).modbus?.connections ?? 0;

/** After each attempt to listen. */
export function onListening(target: unknown, error: unknown): void {
  const { network, parts } = target as Served;
  if (error === undefined) parts.works("listener");
  // Without a network the stack may not run yet: nobody could reach it.
  else if (network.online || network.accessPoint) parts.failed("listener", error);
}

/** A handler or a body has thrown or timed out, or the port cannot be opened. */
export const onFault = (error: unknown): void => trace(`http: ${String(error)}\n`);
