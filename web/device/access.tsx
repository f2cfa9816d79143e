import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { GroupForm } from "../group-form";
import { useLoad, useTask } from "../hooks";
import { Part } from "./group";
import { useAllTexts } from "./all-texts";
import { useNewPassword } from "../new-password";
import { request } from "../request";
import { copyText } from "./copy";
import { GuestPassword, Sessions } from "./guests";
import { Tokens } from "./tokens";
import { AskButton, Button, Form, Input, Message, Pending } from "../ui";

export function AccessParts(): JSX.Element {
  const { t } = useAllTexts();
  return (
    <>
      <Part
        title={t.device.api}
        forms={["api", "token"]}
        words={[t.device.tokens.title, ...t.device.also.api]}
        hint={t.device.apiHint}
      >
        <GroupForm form="api" />
        <Token />
        <Tokens of="tokens" />
      </Part>
      <Part title={t.device.password} words={[t.device.newPassword]}>
        <Password />
      </Part>
      <Part title={t.device.sessions}>
        <Sessions />
      </Part>
      <Part title={t.device.guests} words={[t.device.links.title, ...t.device.also.guests]} hint={t.device.guestsHint}>
        <GuestPassword />
        <Tokens of="links" />
      </Part>
    </>
  );
}

function Token(): JSX.Element {
  const { t } = useAllTexts();
  const [shown, setShown] = useState(false);
  const { value, error, reload } = useLoad(() => request<{ token: string }>("GET", "/web/token"));
  const task = useTask();
  if (!value) return <Pending error={error} retry={() => void reload()} />;
  const copy = async (): Promise<string> => {
    setShown(true);
    await copyText(value.token, "token");
    return t.common.copied;
  };
  const rotate = async (): Promise<string> => {
    // Also without an answer: there may be a new one.
    await request("POST", "/web/token").finally(reload);
    return t.device.rotated;
  };
  return (
    <>
      <h3>{t.device.token}</h3>
      <p>
        <code id="token">{shown ? value.token : "•".repeat(16)}</code>
      </p>
      <div class="actions">
        <Button onClick={() => setShown(!shown)}>{shown ? t.common.hide : t.common.show}</Button>
        <Button disabled={task.busy} onClick={() => void task.run(copy)}>
          {t.common.copy}
        </Button>
        <AskButton text={t.device.rotateSure} disabled={task.busy} onConfirm={() => void task.run(rotate)}>
          {t.device.rotate}
        </AskButton>
        <Message task={task} />
      </div>
    </>
  );
}

function Password(): JSX.Element {
  const { t } = useAllTexts();
  const [old, setOld] = useState("");
  const chosen = useNewPassword(t.device.newPassword);
  const task = useTask();
  const submit = (): void => {
    if (!chosen.check()) return;
    void task.run(async () => {
      await request("POST", "/web/password", { old, new: chosen.password });
      setOld("");
      chosen.clear();
      return t.device.passwordChanged;
    });
  };
  return (
    <Form onSubmit={submit}>
      <Input label={t.device.oldPassword} type="password" complete="current-password" value={old} onInput={setOld} />
      {chosen.fields}
      <div class="actions">
        <Button submit kind="primary" disabled={task.busy}>
          {t.common.save}
        </Button>
        <Message task={task} />
      </div>
    </Form>
  );
}
