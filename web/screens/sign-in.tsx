import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useTexts } from "../hooks";
import { reasonOf } from "../messages";
import { browserName } from "../browser-name";
import { live } from "../live";
import { request } from "../request";
import { RequestError } from "../request-error";
import { Button, Check, Form, Input, Message } from "../ui";

export function SignIn(): JSX.Element {
  const { t } = useTexts();
  const [password, setPassword] = useState("");
  const [guest, setGuest] = useState(false);
  const [stay, setStay] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const submit = async (): Promise<void> => {
    if (busy || !password) return;
    setBusy(true);
    setFailure("");
    try {
      await request("POST", "/web/session", { password, browser: browserName(), ...(guest && { guest }), stay });
      await live.begin();
    } catch (error) {
      const status = error instanceof RequestError && error.status;
      setFailure(status === 401 ? t.sign.wrong : reasonOf(error, t));
      setBusy(false);
      // The device has no password, or has lost it; or the answer is lost, and it may have let the browser in.
      if (!status || status === 409) live.beginLater();
    }
  };
  if (live.session?.passwordLost)
    return (
      <div class="card">
        <h1>{t.sign.title}</h1>
        <p role="alert">{t.sign.lost}</p>
      </div>
    );
  return (
    <div class="card">
      <h1>{t.sign.title}</h1>
      {live.refused ? (
        <p role="alert">{reasonOf(live.refused, t)}</p>
      ) : (
        live.expired && <p role="status">{t.sign.expired}</p>
      )}
      <Form onSubmit={() => void submit()}>
        <Input
          label={t.sign.password}
          type="password"
          complete="current-password"
          value={password}
          focus
          required
          onInput={setPassword}
        />
        {live.session?.guests && <Check label={t.sign.guest} checked={guest} onInput={setGuest} />}
        <Check label={t.sign.stay(live.session?.stayDays ?? 0)} checked={stay} onInput={setStay} />
        <div class="actions">
          <Button submit kind="primary" disabled={busy}>
            {t.sign.submit}
          </Button>
        </div>
        <Message text={busy ? t.sign.checking : failure} failed={!busy} />
      </Form>
    </div>
  );
}
