/** GET /api/notifications: the queue, and the state of each target. POST: sends a message to one of them and answers with the service's reply. */
import type { Exchange } from "http-server/types";
import type { Context } from "./context";
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
    if (!notify) return;
    json.boolean("success", true).open("data").integer("waiting", notify.waiting);
    if (notify.waitingFor === undefined) json.null("waitingSeconds");
    else json.integer("waitingSeconds", notify.waitingFor);
    json.integer("today", notify.today).openArray("targets");
    for (const { kind, problem, status, answer, sent } of notify.couriers ?? []) {
      json.open().string("kind", kind).string("problem", problem);
      if (status) json.integer("status", status);
      else json.null("status");
      json.string("answer", answer).integer("sent", sent).close();
    }
    json.closeArray().close();
  });
}

export function postNotifications(context: Context<"notify">, exchange: Exchange): void {
  receiveMembers(context, exchange, REQUEST, ({ target }) => {
    if (target !== 1 && target !== 2) return fail(context, exchange, 400, REQUEST.bodyError);
    const isBegun = context.device.notify?.tryOut(target - 1, ({ problem, status, answer, words }) => {
      if (problem) return fail(context, exchange, 409, words);
      reply(context, exchange, 200, (json) => {
        json.boolean("success", true).open("data").integer("status", status).string("answer", answer);
        json.string("message", words).close();
      });
    });
    if (!isBegun) fail(context, exchange, 409, "Another test is not over yet.");
  });
}
