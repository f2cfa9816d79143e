/** GET /api/packs/settings: the last setting for all packs, and its outcome for each. */
import type { AllPacksJob, Refusal } from "../bms/types";
import type { JobProblem, WriteReport } from "../bms/outcomes";
import { sentenceOf } from "../bms/write-report";
import type { Exchange } from "http-server/types";
import { writeText } from "json/bytes";
import type { JsonWriter } from "json/writer";
import type { BusPack } from "../packs/types";
import type { Context } from "./context";
import { writeLast } from "./queue";
import { Stepped } from "./stepped";

const SENTENCES: Readonly<Record<JobProblem, string>> = Object.freeze(
  {
    "": "",
    interrupted: "The settings or the port of the BMS have changed meanwhile, or another master appeared on the bus.",
    restarted: "The device was restarted meanwhile.",
  },
  true,
);

export function getAllPacks(context: Context<"monitor">, exchange: Exchange): void {
  new JobRows(context, exchange).respond();
}

/** The job and each pack are a piece each. */
class JobRows extends Stepped {
  private readonly packs: readonly BusPack[];
  private readonly job: AllPacksJob | undefined;
  private readonly json: JsonWriter;
  private piece = -1;

  constructor(context: Context<"monitor">, exchange: Exchange) {
    super(context, exchange);
    const { json, monitor } = context.device;
    this.packs = monitor.packs;
    this.job = monitor.writes.job;
    this.json = json;
  }

  protected write(into: Uint8Array): number {
    const { packs, job, json } = this;
    const { dialect } = this.context;
    const at = this.piece++;
    if (at > packs.length) return 0;
    if (at === packs.length) return writeText(into, 0, "]}}");
    if (at < 0) {
      const problem = job?.problem ?? "";
      json
        .begin(into)
        .open()
        .boolean("success", true)
        .open("data")
        .boolean("running", job?.isRunning ?? false);
      if (job) json.string("setting", job.setting);
      else json.null("setting");
      json.string("problem", problem && dialect.error(problem, SENTENCES[problem])).openArray("packs");
      return json.end();
    }
    const pack = packs[at] as BusPack;
    const { address, name } = pack.identity;
    json
      .begin(into, at > 0)
      .open()
      .integer("address", address)
      .string("name", name);
    writeEnding(json, job?.endingOf(pack), dialect.outcomes);
    return json.close().end();
  }
}

/** `coded`: for programs, as in the queue. */
function writeEnding(json: JsonWriter, ending: WriteReport | Refusal | undefined, coded: boolean): void {
  const report = ending && "outcome" in ending ? ending : undefined;
  const refusal = ending && "reason" in ending ? ending : undefined;
  const outcome = report?.outcome ?? refusal?.reason;
  if (outcome) json.string("outcome", outcome);
  else json.null("outcome");
  json.string("message", report ? sentenceOf(report) : (refusal?.message ?? ""));
  if (coded) writeLast(json, report);
}
