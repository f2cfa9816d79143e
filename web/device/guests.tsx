/** Who is signed in, and the guests' password. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { SessionEntry } from "../documents";
import { duration } from "../format";
import { useLive, useLoad, useTask } from "../hooks";
import { useAllTexts } from "./all-texts";
import { live } from "../live";
import { passwordProblem } from "../new-password";
import { request } from "../request";
import { AskButton, Button, Form, Input, Message, Pending } from "../ui";

export function Sessions(): JSX.Element {
  const { t } = useAllTexts();
  const { value, error, reload } = useLoad(() => request<SessionEntry[]>("GET", "/web/sessions"));
  const task = useTask();
  if (!value) return <Pending error={error} retry={() => void reload()} />;
  const end = async (query: string): Promise<string> => {
    await request("DELETE", `/web/sessions${query}`).finally(reload);
    if (!query) live.signedOut(false);
    return "";
  };
  return (
    <>
      <ul class="entries">
        {value.map(({ number, address, browser, since, idle, guest, link, own, days }) => (
          <li key={number}>
            <span>
              {[
                browser,
                address,
                days
                  ? t.device.stays(days, address && t.common.ago(duration(idle)))
                  : t.device.signedInSince(t.common.ago(duration(since)), t.common.ago(duration(idle))),
                link ? t.device.byLink : guest && t.device.guest,
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
            {own ? (
              <span>{t.device.thisBrowser}</span>
            ) : (
              // Who came by a link would be back at once: the link has to be revoked.
              !link && (
                <Button disabled={task.busy} onClick={() => void task.run(() => end(`?number=${number}`))}>
                  {t.device.endSession}
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
      <div class="actions">
        <AskButton text={t.device.endAllSure} disabled={task.busy} onConfirm={() => void task.run(() => end(""))}>
          {t.device.endAll}
        </AskButton>
        <Message task={task} />
      </div>
    </>
  );
}

export function GuestPassword(): JSX.Element {
  const { t } = useAllTexts();
  const { session } = useLive();
  const [password, setPassword] = useState("");
  const [error, setError] = useState("");
  const task = useTask();
  const set = (chosen: string): void =>
    void task.run(async () => {
      await request("POST", "/web/guest", { password: chosen });
      setPassword("");
      live.beginLater();
      return t.common.saved;
    });
  const submit = (): void => {
    const problem = passwordProblem(password, password, t.device);
    setError(problem);
    if (!problem) set(password);
  };
  return (
    <Form onSubmit={submit}>
      <p>{session?.guests ? t.device.guestsIn : t.device.guestsOut}</p>
      <Input
        label={t.device.guestPassword}
        type="password"
        complete="new-password"
        hint={t.device.passwordRule}
        error={error}
        value={password}
        onInput={setPassword}
      />
      <div class="actions">
        <Button submit kind="primary" disabled={task.busy}>
          {t.common.save}
        </Button>
        {session?.guests && (
          <Button disabled={task.busy} onClick={() => set("")}>
            {t.device.noGuests}
          </Button>
        )}
        <Message task={task} />
      </div>
    </Form>
  );
}
