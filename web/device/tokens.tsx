/** Named API tokens. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { NamedToken } from "../documents";
import { useLoad, useTask } from "../hooks";
import { useAllTexts } from "./all-texts";
import { request } from "../request";
import { copyText } from "./copy";
import { AskButton, Button, Check, Form, Input, Message, Pending } from "../ui";

interface Made {
  readonly number: number;
  readonly token: string;
}

/** ms for which a new token is shown. */
const SHOWN = 120_000;

export function Tokens(): JSX.Element {
  const { t } = useAllTexts();
  const { value, error, reload } = useLoad(() => request<NamedToken[]>("GET", "/web/tokens"));
  const [name, setName] = useState("");
  const [write, setWrite] = useState(false);
  const [made, setMade] = useState<Made>();
  const task = useTask();
  useEffect(() => {
    const timer = made && setTimeout(() => setMade(undefined), SHOWN);
    return () => clearTimeout(timer);
  }, [made]);
  if (!value) return <Pending error={error} retry={() => void reload()} />;
  const make = async (): Promise<string> => {
    try {
      setMade(await request<Made>("POST", "/web/tokens", { name, write }));
      setName("");
    } finally {
      await reload();
    }
    return "";
  };
  const revoke = async ({ number, name }: NamedToken): Promise<string> => {
    await request("DELETE", `/web/tokens?number=${number}`).finally(reload);
    if (made?.number === number) setMade(undefined);
    return `${name}: ${t.device.revoked}`;
  };
  const copy = async (): Promise<string> => {
    await copyText(made?.token ?? "", "made");
    return t.common.copied;
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
              title={`${t.device.revoke}: ${token.name}`}
              text={t.device.rotateSure}
              disabled={task.busy}
              onConfirm={() => void task.run(() => revoke(token))}
            >
              {t.device.revoke}
            </AskButton>
          </li>
        ))}
      </ul>
      {made && (
        <>
          <p role="status">
            {t.device.shownOnce} <code id="made">{made.token}</code>
          </p>
          <div class="actions">
            <Button disabled={task.busy} onClick={() => void task.run(copy)}>
              {t.common.copy}
            </Button>
            <Button onClick={() => setMade(undefined)}>{t.common.hide}</Button>
          </div>
        </>
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
