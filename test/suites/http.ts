import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_CONNECTIONS } from "http-server/limits";
import { BIG_FILE_BYTES, FILE_TEXT } from "../support/http/http-app";
import { expectAnswers, GROUPS } from "../support/http/http-cases";
import { parseResponses, type ParsedResponse } from "../support/http/http-responses";
import { table } from "../support/table";

export interface ServerStage {
  readonly name: string;
  /** The application of http-app.ts on a free port of this machine. */
  readonly start: () => Promise<{ readonly port: number; stop(): unknown }>;
}

/** The server alone, over real sockets: every case of http-cases.ts, and Node's client. */
export function httpSuite({ name, start }: ServerStage): void {
  describe(`http-server, ${name}`, () => {
    let served: Awaited<ReturnType<ServerStage["start"]>>;
    let port: number;
    beforeAll(async () => {
      served = await start();
      ({ port } = served);
    });
    afterAll(() => served.stop());

    const open = (): Promise<Socket> =>
      new Promise((resolve) => {
        const socket = connect(port, "127.0.0.1", () => resolve(socket));
      });

    /** Sends and waits for `count` responses, or the end of the connection. */
    async function ask(
      text: string,
      count: number,
      methods?: readonly string[],
    ): Promise<{ answers: ParsedResponse[]; ended: boolean }> {
      const socket = await open();
      const received: Buffer[] = [];
      const parse = (): ParsedResponse[] => parseResponses(Buffer.concat(received), methods);
      let answers: ParsedResponse[] = [];
      let ended = false;
      await new Promise<void>((resolve, reject) => {
        socket.on("data", (data) => {
          received.push(data);
          try {
            answers = parse();
          } catch {
            return;
          }
          if (answers.filter(({ headers }) => headers["connection"] !== "close").length >= count) resolve();
          if (answers.at(-1)?.headers["content-length"] !== undefined && answers.length >= count) resolve();
        });
        socket.on("end", () => {
          ended = true;
          answers = parse();
          resolve();
        });
        socket.on("error", reject);
        socket.write(text, "latin1");
      });
      socket.destroy();
      return { answers, ended };
    }

    for (const [group, rows] of GROUPS)
      table(rows)(group, async (row) => {
        const { answers } = await ask(row.send, row.status.length, row.methods);
        expectAnswers(row, answers);
      });

    describe("Node's client", () => {
      interface Answer {
        status: number | undefined;
        body: Buffer;
        reused: boolean;
      }
      const fetch = (
        agent: Agent,
        path: string,
        options: { method?: string; body?: string; headers?: Record<string, string> } = {},
      ): Promise<Answer> =>
        new Promise((resolve, reject) => {
          const { body, ...rest } = options;
          const outgoing = request({ port, host: "127.0.0.1", path, agent, ...rest }, (incoming) => {
            const chunks: Buffer[] = [];
            incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
            incoming.on("end", () =>
              resolve({ status: incoming.statusCode, body: Buffer.concat(chunks), reused: outgoing.reusedSocket }),
            );
          });
          outgoing.on("continue", () => outgoing.end(body));
          outgoing.on("error", reject);
          if (options.headers?.["Expect"]) outgoing.flushHeaders();
          else outgoing.end(body);
        });

      test("reuses its connection for all kinds of requests", async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        expect((await fetch(agent, "/full")).body).toHaveLength(4096);
        const file = await fetch(agent, "/file");
        expect([gunzipSync(file.body).toString(), file.reused]).toEqual([FILE_TEXT, true]);
        expect((await fetch(agent, "/bigfile")).body).toHaveLength(BIG_FILE_BYTES);
        expect((await fetch(agent, "/stream")).body.toString()).toBe("one,two,three");
        const posted = await fetch(agent, "/echo", {
          method: "POST",
          body: "hello",
          headers: { "Transfer-Encoding": "chunked" },
        });
        expect([posted.status, posted.body.toString(), posted.reused]).toEqual([200, "hello", true]);
        const waited = await fetch(agent, "/echo", {
          method: "POST",
          body: "hello",
          headers: { Expect: "100-continue", "Content-Length": "5" },
        });
        expect([waited.status, waited.body.toString(), waited.reused]).toEqual([200, "hello", true]);
        agent.destroy();
      });

      test("gets the 413 of a body it is still sending", async () => {
        const agent = new Agent();
        const answer = await fetch(agent, "/echo", { method: "POST", body: "x".repeat(20_000) });
        expect(answer.status).toBe(413);
        agent.destroy();
      });

      test("several at once", async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });
        const answers = await Promise.all(
          Array.from({ length: 200 }, (_, index) => fetch(agent, index % 2 ? "/bigfile" : "/full")),
        );
        expect(answers.map(({ body }) => body.length)).toEqual(
          Array.from({ length: 200 }, (_, index) => (index % 2 ? BIG_FILE_BYTES : 4096)),
        );
        agent.destroy();
      });
    });
  });
}
