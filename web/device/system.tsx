import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { LocalTime } from "../../src/settings/local-time";
import type { Device, LogEvent } from "../documents";
import { duration, timestamp } from "../format";
import { useLive, useLoad, useTask } from "../hooks";
import { BmsLogs } from "./bms-log";
import { Part } from "./group";
import { useAllTexts, type AllTexts } from "./all-texts";
import { messageText } from "../messages";
import { request } from "../request";
import { AskButton, Button, Card, Message, Pending } from "../ui";
import { UpdatePart } from "./update";

interface LogProps {
  readonly device: Device;
  readonly zone: LocalTime;
}

export function LogPart(props: LogProps): JSX.Element {
  const { t } = useAllTexts();
  return (
    <Part title={t.device.log} words={t.device.also.log}>
      <Log {...props} />
    </Part>
  );
}

/**
 * When the run of each event began, seconds since 1970; undefined: unknown. A run begins with "started", and the time of one of its lines
 * gives that of the others, from before the device knew the time too.
 */
function beginnings(events: readonly LogEvent[]): (number | undefined)[] {
  const begun: (number | undefined)[] = [];
  let first = 0;
  events.forEach(({ uptime, time, text }, index) => {
    if (text.startsWith("started")) first = index;
    begun[index] = index > first ? begun[first] : undefined;
    if (time !== undefined && begun[first] === undefined) begun.fill(time - uptime, first, index + 1);
  });
  return begun;
}

function Log({ device, zone }: LogProps): JSX.Element {
  const { t, language } = useAllTexts();
  const { value, error, reload } = useLoad(() => request<LogEvent[]>("GET", "/web/log"));
  const [seen, setSeen] = useState(0);
  if (!value) return <Pending error={error} retry={() => void reload()} />;
  const begun = beginnings(value ?? []);
  const when = (event: LogEvent, index: number): string => {
    const { uptime, before } = event;
    const start = begun[index];
    if (before && start !== undefined) return timestamp(start + uptime, zone, language);
    if (before) return t.device.beforeRestart(duration(uptime));
    const age = Math.max(0, device.uptime - uptime);
    return device.time ? timestamp(device.time - age, zone, language) : t.common.ago(duration(age));
  };
  return (
    <>
      {value.length ? (
        <ul class="log">
          {value
            .map((event, index) => (
              <li key={index}>
                <span class="hint">{when(event, index)}</span> {messageText(event.text, t) ?? event.text}
              </li>
            ))
            .reverse()}
        </ul>
      ) : (
        <p>{t.device.noEvents}</p>
      )}
      <Button onClick={() => (setSeen(seen + 1), void reload())}>{t.common.refresh}</Button>
      <BmsLogs key={seen} />
    </>
  );
}

const restarting = async (t: AllTexts): Promise<string> => {
  await request("POST", "/web/restart");
  return t.device.restarting;
};

function RestartButton({ task }: { readonly task: ReturnType<typeof useTask> }): JSX.Element {
  const { t } = useAllTexts();
  return (
    <AskButton text={t.device.restartSure} disabled={task.busy} onConfirm={() => void task.run(() => restarting(t))}>
      {t.device.restart}
    </AskButton>
  );
}

/** What ends safe mode, below the sentence that says so. */
export function Repair(): JSX.Element {
  const task = useTask();
  const { device } = useLive("device").documents;
  return (
    <div class="repair">
      <div class="actions">
        <RestartButton task={task} />
        <Message task={task} />
      </div>
      <UpdatePart signed={device?.update?.signed ?? false} />
    </div>
  );
}

export function SystemPart(): JSX.Element {
  const { t } = useAllTexts();
  const task = useTask();
  const reset = async (): Promise<string> => {
    await request("POST", "/web/factory-reset", { confirm: true });
    return t.device.resetDone;
  };
  return (
    <Card title={`${t.device.restart}, ${t.device.reset.toLowerCase()}`}>
      <div class="actions">
        <RestartButton task={task} />
        <AskButton text={t.device.resetSure} disabled={task.busy} onConfirm={() => void task.run(reset)}>
          {t.device.reset}
        </AskButton>
      </div>
      <Message task={task} />
    </Card>
  );
}
