/** The log that each BMS keeps itself, beside the device's own. */
import type { JSX } from "preact";
import { packTitle } from "../bank";
import type { BankDocument, PackRow } from "../documents";
import { duration } from "../format";
import { useLoad } from "../hooks";
import { request } from "../request";
import { RequestError } from "../request-error";
import { Pending } from "../ui";
import { useAllTexts } from "./all-texts";
import { logText, type Entry } from "./bms-log-text";

/** `data` of /web/bms-log, the newest first. */
interface BmsLogDocument {
  readonly entries: readonly Entry[];
}

/** A board may not read it, and a BMS may not have been asked yet. */
const ABSENT = 404;
const UNREAD = 503;

export function BmsLogs(): JSX.Element {
  const { t } = useAllTexts();
  const { value, error, reload } = useLoad(() => request<BankDocument>("GET", "/web/packs"));
  if (!value) return <Pending error={error} retry={() => void reload()} />;
  const { packs } = value;
  return (
    <>
      {packs.map((pack) => (
        <BmsLog key={pack.address} pack={pack} title={packs.length > 1 && packTitle(pack, t)} />
      ))}
    </>
  );
}

function BmsLog({ pack, title }: { readonly pack: PackRow; readonly title: string | false }): JSX.Element | null {
  const { t } = useAllTexts();
  const words = t.bmsLog;
  const { value, error, reload } = useLoad(async () => {
    try {
      return await request<BmsLogDocument>("GET", `/web/packs/${pack.address}/bms-log`);
    } catch (problem) {
      const status = problem instanceof RequestError ? problem.status : 0;
      if (status === ABSENT || status === UNREAD) return status;
      throw problem;
    }
  });
  if (value === ABSENT) return null;
  return (
    <>
      <h3>{title ? `${title}: ${words.title}` : words.title}</h3>
      {value === undefined ? (
        <Pending error={error} retry={() => void reload()} />
      ) : typeof value === "number" ? (
        <p>{words.unread}</p>
      ) : value.entries.length ? (
        <ul class="log">
          {value.entries.map((entry, index) => (
            <li key={index}>
              <span class="hint">{words.uptime(duration(entry.uptime))}</span> {logText(entry, t)}
            </li>
          ))}
        </ul>
      ) : (
        <p>{t.device.noEvents}</p>
      )}
    </>
  );
}
