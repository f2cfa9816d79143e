/** The HTTP client on the device's platform, for a test's process and for XS alike. */
import TCP from "embedded:io/socket/tcp";
import { HttpRequest, type HttpRequestOptions } from "http-client/http-request";
import { requestBytes, type RequestOptions } from "http-client/request-bytes";
import type { HttpOwner } from "http-client/types";

export interface Ending {
  readonly status?: number;
  readonly retryAfter?: number | undefined;
  readonly body?: string;
  readonly problem?: string;
}

class Bench implements HttpOwner {
  readonly endings: Ending[] = [];
  request: HttpRequest | undefined;

  answered({ status, retryAfter, body }: Parameters<HttpOwner["answered"]>[0]): void {
    this.endings.push({ status, retryAfter, body });
  }

  failed(problem: string): void {
    this.endings.push({ problem });
  }
}

// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- inferred: the probes of the test
export function clientBench() {
  const bench = new Bench();
  return {
    /** Begins a request to 127.0.0.1. Returns why it could not. */
    start(port: number, request: RequestOptions): string {
      try {
        const io = TCP as unknown as HttpRequestOptions["io"];
        bench.request = new HttpRequest({ io, address: "127.0.0.1", port, bytes: requestBytes(request), owner: bench });
        return "";
      } catch (error) {
        return String(error);
      }
    },
    close: (): void => bench.request?.close(),
    /** How requests have ended since the last time. */
    endings: (): Ending[] => bench.endings.splice(0),
  };
}

export type ClientBench = ReturnType<typeof clientBench>;
