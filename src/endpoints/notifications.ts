/** GET /api/notifications: the queue, and the state of each target. POST: sends a message to one of them and answers with the service's reply. */
import type { Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import type { Context, Delivery, NotifySource } from "./context";
import { fail, reply } from "./replies";
import { receiveMembers, type WriteRequest } from "./write-request";

const REQUEST: WriteRequest = Object.freeze(
  { form: false, members: ["target"], bodyError: 'A test needs a target: {"target":1} or {"target":2}.', fail },
  true,
);

export const hasNotifications = ({ device }: Context<"notify">): boolean => device.notify !== undefined;

export function getNotifications(context: Context<"notify">, exchange: Exchange): void {
  reply(context, exchange, 200, (json) => {
    const { notify } = context.device;
    json.boolean("success", true).open("data");
    if (notify) writeNotifications(json, notify);
    json.close();
  });
}

export function writeNotifications(json: JsonWriter, { waiting, waitingFor, today, couriers }: NotifySource): void {
  json.integer("waiting", waiting);
  if (waitingFor === undefined) json.null("waitingSeconds");
  else json.integer("waitingSeconds", waitingFor);
  json.integer("today", today).openArray("targets");
  for (const courier of couriers ?? []) {
    writeAnswer(json.open().string("kind", courier.kind).string("problem", courier.problem), courier);
    json.string("message", courier.words).integer("sent", courier.sent).close();
  }
  json.closeArray();
}

function writeAnswer(json: JsonWriter, { status, answer }: Pick<Delivery, "status" | "answer">): void {
  if (status) json.integer("status", status);
  else json.null("status");
  json.string("answer", answer);
}

export function postNotifications(context: Context<"notify">, exchange: Exchange): void {
  receiveMembers(context, exchange, REQUEST, ({ target }) => {
    if (target !== 1 && target !== 2) return fail(context, exchange, 400, REQUEST.bodyError);
    const isBegun = context.device.notify?.sendTest(target - 1, (delivery) => {
      const { outcomes } = context.dialect;
      if (delivery.problem && !outcomes) return fail(context, exchange, 409, delivery.words);
      reply(context, exchange, 200, (json) => {
        json.boolean("success", true).open("data");
        if (outcomes) json.string("problem", delivery.problem);
        writeAnswer(json, delivery);
        json.string("message", delivery.words).close();
      });
    });
    if (!isBegun) fail(context, exchange, 409, "Another test is not over yet.");
  });
}
