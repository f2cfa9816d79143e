/** Says when what the page shows is not what is. */
import type { JSX } from "preact";
import { duration } from "./format";
import { useClock, useLive, useTexts } from "./hooks";
import { Icon } from "./icons";
import type { live } from "./live";

/** What is shown is of the past: the device cannot be reached, or it cannot reach the BMS. */
export const isStale = ({ connected, documents }: typeof live): boolean =>
  !connected || documents.status?.data.online === false;

export function Banner(): JSX.Element {
  const state = useLive();
  const { t } = useTexts();
  useClock(1_000);
  const { connected, documents, seenAt } = state;
  const { status } = documents;
  let text = "";
  if (!connected) text = t.app.lost;
  else if (status && !status.data.online) text = seenAt === undefined ? t.battery.never : t.battery.offline;
  const seen =
    text && seenAt !== undefined
      ? t.battery.lastSeen(t.common.ago(duration((performance.now() - seenAt) / 1_000)))
      : "";
  return (
    <>
      <div role="status" class={text ? "banner" : undefined}>
        {text && (
          <>
            <Icon name="warning" />
            <strong>{text}</strong>
          </>
        )}
      </div>
      {seen && <p class="seen">{seen}</p>}
    </>
  );
}
