import type { JSX } from "preact";
import type { Device, LogEvent } from "../documents";
import { duration, timestamp } from "../format";
import { useLoad, useTask, useTexts } from "../hooks";
import { messageText } from "../messages";
import { request } from "../request";
import { AskButton, Button, Card, Fold, Message, Pending } from "../ui";

interface LogProps {
  readonly device: Device;
  readonly offset: number;
}

export function LogPart(props: LogProps): JSX.Element {
  const { t } = useTexts();
  return (
    <Fold title={t.device.log}>
      <Log {...props} />
    </Fold>
  );
}

function Log({ device, offset }: LogProps): JSX.Element {
  const { t } = useTexts();
  const { value, error, reload } = useLoad(() => request<LogEvent[]>("GET", "/web/log"));
  if (!value) return <Pending error={error} retry={() => void reload()} />;
  const when = ({ uptime, before }: LogEvent): string => {
    if (before) return t.device.beforeRestart(duration(uptime));
    const age = Math.max(0, device.uptime - uptime);
    return device.time ? timestamp(device.time - age, offset) : t.common.ago(duration(age));
  };
  return (
    <>
      {value.length ? (
        <ul class="log">
          {[...value].reverse().map((event, index) => (
            <li key={index}>
              <span class="hint">{when(event)}</span> {messageText(event.text, t) ?? event.text}
            </li>
          ))}
        </ul>
      ) : (
        <p>{t.device.noEvents}</p>
      )}
      <Button onClick={() => void reload()}>{t.history.refresh}</Button>
    </>
  );
}

export function SystemPart(): JSX.Element {
  const { t } = useTexts();
  const task = useTask();
  const restart = async (): Promise<string> => {
    await request("POST", "/web/restart");
    return t.device.restarting;
  };
  const reset = async (): Promise<string> => {
    await request("POST", "/web/factory-reset", { confirm: true });
    return t.device.resetDone;
  };
  return (
    <Card title={`${t.device.restart}, ${t.device.reset.toLowerCase()}`}>
      <div class="actions">
        <AskButton text={t.device.restartSure} disabled={task.busy} onConfirm={() => void task.run(restart)}>
          {t.device.restart}
        </AskButton>
        <AskButton text={t.device.resetSure} disabled={task.busy} onConfirm={() => void task.run(reset)}>
          {t.device.reset}
        </AskButton>
      </div>
      <Message task={task} />
    </Card>
  );
}
