/** Named API tokens. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { NamedToken } from "../documents";
import { useLoad, useTask, useTexts } from "../hooks";
import { request } from "../request";
import { AskButton, Button, Check, Form, Input, Message, Pending } from "../ui";

export function Tokens(): JSX.Element {
  const { t } = useTexts();
  const { value, error, reload } = useLoad(() => request<NamedToken[]>("GET", "/web/tokens"));
  const [name, setName] = useState("");
  const [write, setWrite] = useState(false);
  const [made, setMade] = useState("");
  const task = useTask();
  if (!value) return <Pending error={error} retry={() => void reload()} />;
  const make = async (): Promise<string> => {
    const { token } = await request<{ token: string }>("POST", "/web/tokens", { name, write });
    setMade(token);
    setName("");
    await reload();
    return "";
  };
  const revoke = async (number: number): Promise<string> => {
    await request("DELETE", `/web/tokens?number=${number}`);
    await reload();
    return t.device.revoked;
  };
  return (
    <>
      <h3>{t.device.tokens}</h3>
      <p class="hint">{t.device.tokensHint}</p>
      <ul class="entries">
        {value.map((token) => (
          <li key={token.number}>
            <span>
              {token.name} · {token.write ? t.device.mayWrite : t.device.mayRead}
            </span>
            <AskButton
              text={t.device.rotateSure}
              disabled={task.busy}
              onConfirm={() => void task.run(() => revoke(token.number))}
            >
              {t.device.revoke}
            </AskButton>
          </li>
        ))}
      </ul>
      {made && (
        <p role="status">
          {t.device.shownOnce} <code>{made}</code>
        </p>
      )}
      <Form onSubmit={() => void task.run(make)}>
        <Input label={t.device.tokenName} value={name} required onInput={setName} />
        <Check label={t.device.mayWrite} checked={write} onInput={setWrite} />
        <div class="actions">
          <Button submit disabled={task.busy || !name}>
            {t.device.makeToken}
          </Button>
          <Message task={task} />
        </div>
      </Form>
    </>
  );
}
